//! What the tests of this folder share: configs of native brains, and runs that cannot hang a test.

use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use omw::config::{AgentConfig, BackendConfig, Config, Params, Tunables};
use omw::prelude::*;

/// Longer than anything takes on a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// What a brain's run gives.
pub(crate) type Ran = Result<Option<String>, BrainError>;

/// A brain that is a function.
pub(crate) struct Closure<F>(pub(crate) F);

impl<F: Fn(&dyn Host) -> Ran + Send + Sync> Brain for Closure<F> {
    fn run(&self, host: &Arc<dyn Host>) -> Ran {
        (self.0)(&**host)
    }
}

/// Agents, their brains, and the kinds that they need.
pub(crate) struct Stage {
    pub(crate) config: Config,
    pub(crate) registries: Registries,
}

impl Stage {
    /// No agent yet; little time for files and failures, and much for brains.
    pub(crate) fn new() -> Self {
        let tunables = Tunables {
            interrupt_budget_ms: 2_000,
            reload_grace_secs: 60,
            watch_debounce_ms: 20,
            loop_backoff_start_ms: 20,
            ..Tunables::default()
        };
        Self { config: Config { tunables, ..Config::default() }, registries: Registries::default() }
    }

    /// With an agent whose brain is a function.
    pub(crate) fn agent(self, name: &str, run: impl Fn(&dyn Host) -> Ran + Send + Sync + 'static) -> Self {
        let runtime = Native::new(name, Arc::new(Closure(run)));
        self.scripted(name, &Utf8Path::new("/").join(name), Arc::new(runtime))
    }

    /// With an agent whose brain is loaded from a file.
    pub(crate) fn scripted(mut self, name: &str, script: &Utf8Path, runtime: Arc<dyn Runtime>) -> Self {
        self.registries.runtimes.add(name, move |_, _| Ok(Arc::clone(&runtime)));
        let params = Params::of_value(serde_json::json!({}));
        self.config.runtimes.insert(name.into(), BackendConfig { kind: name.into(), params });
        let script: Utf8PathBuf = script.to_owned();
        self.config.agents.insert(name.into(), AgentConfig { runtime: name.into(), script });
        self
    }

    pub(crate) fn tuned(mut self, tune: impl FnOnce(&mut Tunables)) -> Self {
        tune(&mut self.config.tunables);
        self
    }

    pub(crate) fn builder(self) -> RunBuilder {
        Run::builder(Arc::new(self.config), &self.registries)
    }

    pub(crate) async fn start(self) -> RunHandle {
        self.builder().start().await.expect("the run starts")
    }

    pub(crate) async fn run(self) -> RunReport {
        finish(self.start().await).await
    }
}

/// The end of a run that has to come soon.
pub(crate) async fn finish(handle: RunHandle) -> RunReport {
    tokio::time::timeout(SOON, handle.finish()).await.expect("the run ends")
}

/// The end of the only agent.
pub(crate) fn only(report: &RunReport) -> &AgentEnd {
    let [end] = report.agents.as_slice() else { panic!("not one agent: {report:?}") };
    end
}

pub(crate) fn outcome<'a>(report: &'a RunReport, agent: &str) -> &'a RunOutcome {
    let end = report.agents.iter().find(|end| end.name == agent);
    &end.unwrap_or_else(|| panic!("no agent {agent}: {report:?}")).outcome
}

/// Waits for something that another thread is about to do.
pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < SOON, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// What a brain makes of a failed call.
#[expect(clippy::needless_pass_by_value, reason = "it goes to `map_err`")]
pub(crate) fn raise(error: HostError) -> BrainError {
    BrainError::Failed(error.to_string())
}

/// Receives until the agent is stopped.
pub(crate) fn receive_for_ever(host: &dyn Host) -> Ran {
    loop {
        host.recv().map_err(raise)?;
    }
}
