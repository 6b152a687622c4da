//! Runs of brains that are functions, against the mocks of a config.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use omw::config::{Source, load};
use omw::prelude::*;
use windtunnel_doc::Format;

/// Longer than anything takes on a busy machine.
const SOON: Duration = Duration::from_secs(20);

/// What a brain's run gives.
pub(crate) type Ran = Result<(), HostError>;

/// A brain that is a function.
struct Closure<F>(F);

impl<F: Fn(&dyn Host) -> Ran + Send + Sync> Brain for Closure<F> {
    fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
        match (self.0)(&**host) {
            Ok(()) => Ok(None),
            Err(HostError::Stopped(_)) => Err(BrainError::Stopped),
            Err(HostError::Failed(error)) => Err(BrainError::Failed(error)),
        }
    }
}

/// Mocks, and the agents that use them.
pub(crate) struct Stage {
    toml: String,
    registries: Registries,
    control: Control,
    keep_everything: bool,
}

/// What came of a run.
pub(crate) struct Played {
    pub(crate) report: RunReport,
    pub(crate) trace: Vec<TraceEvent>,
}

impl Stage {
    pub(crate) fn set(mocks: &str) -> Self {
        Self {
            toml: mocks.to_owned(),
            registries: Registries::standard(),
            control: Control::new(),
            keep_everything: false,
        }
    }

    pub(crate) fn agent(
        mut self,
        name: &str,
        brain: impl Fn(&dyn Host) -> Ran + Send + Sync + 'static,
    ) -> Self {
        let runtime: Arc<dyn Runtime> = Arc::new(Native::new(name, Arc::new(Closure(brain))));
        self.registries.runtimes.add(name, move |_, _| Ok(Arc::clone(&runtime)));
        let agent = format!(
            "[runtime.{name}]\nkind = \"{name}\"\n[agents.{name}]\nruntime = \"{name}\"\nscript = \"{name}\"\n"
        );
        self.toml = [self.toml, agent].join("\n");
        self
    }

    pub(crate) fn control(&self) -> Control {
        self.control.clone()
    }

    pub(crate) fn keeping_everything(self) -> Self {
        Self { keep_everything: true, ..self }
    }

    /// Runs to the end.
    pub(crate) async fn try_play(self) -> Result<Played, RunError> {
        let config = load(&Source::text("omw.test.toml", self.toml, Format::Toml))?.config;
        let trace = Arc::new(Mutex::new(Vec::new()));
        let events = Arc::clone(&trace);
        let run = Run::builder(Arc::new(config), &self.registries)
            .trace(TraceSender::new(move |event| events.lock().expect("whole").push(event)))
            .control(self.control)
            .keep_everything(self.keep_everything)
            .start()
            .await?;
        let report = tokio::time::timeout(SOON, run.finish()).await.expect("the run ends");
        let trace = std::mem::take(&mut *trace.lock().expect("whole"));
        Ok(Played { report, trace })
    }

    /// Runs to the end; every agent has to complete.
    pub(crate) async fn play(self) -> Played {
        let played = self.try_play().await.expect("the run starts");
        for end in &played.report.agents {
            assert_eq!(end.outcome, RunOutcome::Completed, "{}", end.name);
        }
        played
    }
}

/// The kinds of all events that are in the inbox by now.
pub(crate) fn kinds(host: &dyn Host) -> Result<Vec<&'static str>, HostError> {
    let mut kinds = Vec::new();
    while let Some(envelope) = host.try_recv()? {
        kinds.push(envelope.event.kind());
    }
    Ok(kinds)
}
