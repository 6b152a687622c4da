//! Configs of native brains, and runs that cannot hang a test.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use omw::config::{AgentConfig, BackendConfig, Config, Params, Tunables};
use omw::host::seam::{Seam, SystemSeam};
use omw::prelude::*;

/// Longer than anything takes on a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// A brain that is a function.
struct Closure<F>(F);

impl<F: Fn(&dyn Host) -> HostResult<String> + Send + Sync> Brain for Closure<F> {
    fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
        match (self.0)(&**host) {
            Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
            Err(error) => Err(BrainError::Failed(error.to_string())),
        }
    }
}

/// Counts ids, so that runs can be compared; the time is the system's, or stands still.
#[derive(Default)]
pub(crate) struct Counted {
    time: Option<i64>,
    ids: AtomicU64,
}

impl Counted {
    /// Time stands still.
    pub(crate) fn at(time: i64) -> Self {
        Self { time: Some(time), ..Self::default() }
    }
}

impl Seam for Counted {
    fn now(&self) -> i64 {
        self.time.unwrap_or_else(|| SystemSeam.now())
    }

    fn new_id(&self) -> String {
        format!("id-{}", self.ids.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// Agents, back ends, and the record of their run.
pub(crate) struct Stage {
    pub(crate) config: Config,
    pub(crate) registries: Registries,
    record: Record,
}

/// What was recorded so far.
#[derive(Clone, Default)]
pub(crate) struct Record(Arc<Mutex<Vec<TraceEvent>>>);

impl Record {
    pub(crate) fn events(&self) -> Vec<TraceEvent> {
        self.0.lock().unwrap().clone()
    }

    /// The candidates of an agent's events, for comparing.
    pub(crate) fn of(&self, agent: &str) -> Vec<serde_json::Value> {
        let events = self.events().into_iter().filter(|event| event.agent() == agent);
        events.map(TraceEvent::into_candidate).collect()
    }

    fn sender(&self) -> TraceSender {
        let events = Arc::clone(&self.0);
        TraceSender::new(move |event| events.lock().unwrap().push(event))
    }
}

impl Stage {
    /// No agent yet, and little patience.
    pub(crate) fn new() -> Self {
        let tunables = Tunables {
            interrupt_budget_ms: 1_000,
            recv_timeout_secs: 10,
            watch_debounce_ms: 20,
            ..Tunables::default()
        };
        Self {
            config: Config { tunables, ..Config::default() },
            registries: Registries::default(),
            record: Record::default(),
        }
    }

    /// With an agent whose brain is a function; an empty text is no value.
    pub(crate) fn agent(
        self,
        name: &str,
        run: impl Fn(&dyn Host) -> HostResult<String> + Send + Sync + 'static,
    ) -> Self {
        self.scripted(name, &Utf8Path::new("/").join(name), run)
    }

    /// As [`agent`](Self::agent), with a script that can be edited.
    pub(crate) fn scripted(
        mut self,
        name: &str,
        script: &Utf8Path,
        run: impl Fn(&dyn Host) -> HostResult<String> + Send + Sync + 'static,
    ) -> Self {
        let brain: Arc<dyn Brain> = Arc::new(Closure(run));
        let kind = name.to_owned();
        self.registries
            .runtimes
            .add(name, move |_, _| Ok(Arc::new(Native::new(kind.clone(), Arc::clone(&brain)))));
        self.config.runtimes.insert(name.into(), backend(name));
        let agent = AgentConfig { runtime: name.into(), script: script.to_owned() };
        self.config.agents.insert(name.into(), agent);
        self
    }

    /// With a provider.
    pub(crate) fn provider<P: Provider + 'static>(mut self, name: &str, provider: P) -> Self {
        let provider = Arc::new(provider);
        self.registries.providers.add(name, move |_, _| Ok(Arc::clone(&provider) as Arc<dyn Provider>));
        self.config.providers.insert(name.into(), backend(name));
        self
    }

    /// With a tooling, which is made for the run.
    pub(crate) fn tooling<T: Tooling + 'static>(
        mut self,
        name: &str,
        make: impl Fn(&BuildContext) -> T + Send + Sync + 'static,
    ) -> Self {
        self.registries.tooling.add(name, move |_, context| Ok(Arc::new(make(context))));
        self.config.tooling.insert(name.into(), backend(name));
        self
    }

    /// With an endpoint.
    pub(crate) fn endpoint(mut self, endpoint: Arc<dyn Endpoint>) -> Self {
        self.registries.endpoints.add("test", move |_, _| Ok(Arc::clone(&endpoint)));
        self.config.endpoint = Some(backend("test"));
        self
    }

    pub(crate) fn tuned(mut self, tune: impl FnOnce(&mut Tunables)) -> Self {
        tune(&mut self.config.tunables);
        self
    }

    pub(crate) fn record(&self) -> Record {
        self.record.clone()
    }

    pub(crate) fn builder(self) -> RunBuilder {
        Run::builder(Arc::new(self.config), &self.registries)
            .trace(self.record.sender())
            .seam(Arc::new(Counted::default()))
    }

    pub(crate) async fn start(self) -> RunHandle {
        self.builder().start().await.expect("the run starts")
    }

    pub(crate) async fn run(self) -> RunReport {
        finish(self.start().await).await
    }
}

fn backend(kind: &str) -> BackendConfig {
    BackendConfig { kind: kind.into(), params: Params::of_value(serde_json::json!({})) }
}

/// The end of a run that has to come soon.
pub(crate) async fn finish(handle: RunHandle) -> RunReport {
    tokio::time::timeout(SOON, handle.finish()).await.expect("the run ends")
}

/// The text that an agent exited with.
pub(crate) fn value(report: &RunReport, agent: &str) -> String {
    let end = report.agents.iter().find(|end| end.name == agent);
    match &end.unwrap_or_else(|| panic!("no agent {agent}: {report:?}")).outcome {
        RunOutcome::Exited(text) => text.clone(),
        RunOutcome::Completed => String::new(),
        other => panic!("{agent}: {other:?}"),
    }
}

/// Runs one agent to its value.
pub(crate) async fn told(
    stage: Stage,
    run: impl Fn(&dyn Host) -> HostResult<String> + Send + Sync + 'static,
) -> String {
    value(&stage.agent("alice", run).run().await, "alice")
}

/// Waits for something that another thread is about to do.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < SOON, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until an agent waits in a call.
pub(crate) fn until_in(control: &Control, agent: &str, op: &str) {
    until(op, || control.whereabouts(agent).is_some_and(|place| place.in_call && place.op == Some(op)));
    // The place is noted just before the wait begins.
    std::thread::sleep(Duration::from_millis(5));
}

/// The kinds of the next events.
pub(crate) fn kinds(host: &dyn Host, count: usize) -> HostResult<Vec<&'static str>> {
    (0..count).map(|_| Ok(host.recv()?.event.kind())).collect()
}
