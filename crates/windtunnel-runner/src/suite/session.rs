//! One runtime of a suite, from its build to its `post_run`.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio::time::sleep;
use windtunnel_api::{Pack, Scenario};
use windtunnel_spi::{AgentRuntime, PackBinding, RuntimeErrorKind, RuntimePlugin, with_causes};

use super::conduct::{Stage, Wants};
use super::error::SuiteError;
use super::lock::Lock;
use super::reach::out_of_reach;
use crate::cases::{Ended, Interrupts, panic_message};

/// How long `post_run` is waited for.
const POST_RUN: Duration = Duration::from_secs(60);
/// How long it is waited for after a second interrupt.
const POST_RUN_GIVEN_UP: Duration = Duration::from_secs(3);

/// One runtime of a suite with the packs that run on it.
pub(crate) struct Session {
    pub(crate) plugin: Arc<dyn RuntimePlugin>,
    runtime: Option<Arc<dyn AgentRuntime>>,
    packs: Vec<(Arc<Pack>, Vec<Arc<Scenario>>)>,
    bindings: Vec<PackBinding>,
    /// Why none of its cases can run.
    fault: Option<Fault>,
    /// `pre_run` was called, so `post_run` has to be.
    opened: bool,
    /// Held from before `pre_run` until the session is dropped.
    lock: Option<Lock>,
}

/// Why no case of a runtime can run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It has no inference seam.
    Unsupported,
    /// It could not be built or prepared, and why.
    Broken(String),
}

/// An interrupt came first.
pub(crate) struct Interrupted;

impl Session {
    pub(super) fn new(plugin: Arc<dyn RuntimePlugin>) -> Self {
        Self {
            plugin,
            runtime: None,
            packs: Vec::new(),
            bindings: Vec::new(),
            fault: None,
            opened: false,
            lock: None,
        }
    }

    /// The runtime's name.
    pub(crate) fn name(&self) -> &str {
        self.plugin.name()
    }

    /// Adds a scenario; returns the index of its pack.
    pub(super) fn add(&mut self, pack: &Arc<Pack>, scenario: &Arc<Scenario>) -> usize {
        let same = |known: &Pack| known.dir == pack.dir && known.name() == pack.name();
        let index = self.packs.iter().position(|(known, _)| same(known)).unwrap_or_else(|| {
            self.packs.push((Arc::clone(pack), Vec::new()));
            self.packs.len() - 1
        });
        if let Some((_, scenarios)) = self.packs.get_mut(index) {
            scenarios.push(Arc::clone(scenario));
        }
        index
    }

    /// Builds the runtime, once. One that is to be self-tested and cannot be is at fault from here on, before anything of
    /// its packs is touched.
    ///
    /// # Errors
    /// Its settings are wrong, so the whole request is. Any other failure is a fault of its cases.
    pub(super) async fn build(
        &mut self,
        wants: Wants,
        interrupts: &mut Interrupts,
    ) -> Result<Result<(), Interrupted>, SuiteError> {
        if wants == Wants::Live {
            let refused = |source| SuiteError::Config { name: self.name().to_owned(), source };
            self.plugin.check_live().map_err(refused)?;
        }
        let built = tokio::select! {
            built = AssertUnwindSafe(self.plugin.build()).catch_unwind() => built,
            () = interrupts.next() => return Ok(Err(Interrupted)),
        };
        match built {
            Ok(Ok(runtime)) => {
                if wants == Wants::Reference && runtime.reference().is_none() {
                    self.fault = Some(Fault::Unsupported);
                }
                self.runtime = Some(runtime);
            }
            Ok(Err(source)) if source.kind() == RuntimeErrorKind::Config => {
                return Err(SuiteError::Config { name: self.name().to_owned(), source });
            }
            Ok(Err(error)) => {
                self.fault =
                    Some(Fault::Broken(format!("the runtime could not be built: {}", with_causes(&error))));
            }
            Err(panic) => {
                let message = panic_message(&*panic);
                self.fault = Some(Fault::Broken(format!("building the runtime panicked: {message}")));
            }
        }
        Ok(Ok(()))
    }

    /// Takes the runtime's lock, makes the bindings of its packs and calls `pre_run`, once.
    pub(super) async fn open(&mut self, stage: &mut Stage<'_>) -> Result<(), Interrupted> {
        let (None, Some(runtime)) = (&self.fault, &self.runtime) else { return Ok(()) };
        if let Some(key) = self.plugin.lock_key() {
            match Lock::acquire(&key, stage).await? {
                Ok(lock) => self.lock = Some(lock),
                Err(error) => {
                    self.fault = Some(Fault::Broken(format!("the lock {key} cannot be taken: {error}")));
                    return Ok(());
                }
            }
        }
        let (bench, interrupts) = (stage.bench, &mut *stage.interrupts);
        let bind = |(pack, scenarios): &(Arc<Pack>, Vec<Arc<Scenario>>)| PackBinding {
            pack: Arc::clone(pack),
            scenarios: scenarios.clone(),
            probe_factory: (bench.probes)(pack),
        };
        self.bindings = self.packs.iter().map(bind).collect();
        for note in self.packs.iter().filter_map(|(pack, _)| out_of_reach(runtime.as_ref(), pack)) {
            tracing::warn!(runtime = self.name(), "{note}");
        }
        self.opened = true;
        let name = self.plugin.name();
        let pre_run = self.plugin.pre_run(runtime.as_ref(), &mut self.bindings, name);
        let opened = tokio::select! {
            opened = AssertUnwindSafe(pre_run).catch_unwind() => opened,
            () = interrupts.next() => return Err(Interrupted),
        };
        self.fault = match opened {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(Fault::Broken(format!("pre_run failed: {}", with_causes(&error)))),
            Err(panic) => Some(Fault::Broken(format!("pre_run panicked: {}", panic_message(&*panic)))),
        };
        Ok(())
    }

    /// What a case of this session needs: the runtime, and its pack as `pre_run` left it.
    pub(crate) fn ready(&self, pack: usize) -> Result<(&dyn AgentRuntime, &PackBinding), Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        match (&self.runtime, self.bindings.get(pack)) {
            (Some(runtime), Some(binding)) => Ok((runtime.as_ref(), binding)),
            _ => Err(Fault::Broken("the runtime was not prepared".to_owned())),
        }
    }

    /// The names of its packs whose cases could run.
    pub(super) fn packs(&self) -> impl Iterator<Item = &str> {
        self.bindings.iter().map(|binding| binding.pack.name())
    }

    /// Calls `post_run` if `pre_run` was called, however the suite ended. A further interrupt ends the wait for it.
    pub(super) async fn close(&self, ended: Ended, interrupts: &mut Interrupts) {
        let (true, Some(runtime)) = (self.opened, &self.runtime) else { return };
        let patience = if ended == Ended::GaveUp { POST_RUN_GIVEN_UP } else { POST_RUN };
        let post_run =
            AssertUnwindSafe(self.plugin.post_run(runtime.as_ref(), &self.bindings)).catch_unwind();
        tokio::select! {
            closed = post_run => if let Err(panic) = closed {
                tracing::warn!(runtime = self.name(), "post_run panicked: {}", panic_message(&*panic));
            },
            () = sleep(patience) => {
                tracing::warn!(runtime = self.name(), "post_run took longer than {} s and was given up", patience.as_secs());
            }
            () = interrupts.next() => {
                tracing::warn!(runtime = self.name(), "post_run was interrupted");
            }
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("name", &self.name())
            .field("fault", &self.fault)
            .finish_non_exhaustive()
    }
}
