//! A platform whose every step is written down and can be made to fail, hang or panic.

use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::io::DuplexStream;
use tokio::sync::mpsc;
use windtunnel_api::artifact::evidence::{ToolCall, Witness};
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::event::{CapturedOutput, SuiteEvent};
use windtunnel_api::pack::{ToolSpec, WorkspaceSpec, WorkspaceTools};
use windtunnel_api::scenario::{CallRequirement, Policy};
use windtunnel_api::{
    Layer, Pack, PackManifest, ReferenceCase, ReferenceDecision, ReferenceKind, ReferenceToolCall, Scenario,
};
use windtunnel_discovery::Found;
use windtunnel_gate::{Checks, Gate};
use windtunnel_runner::{Bench, RuntimeChoice, Runtimes, SuiteOptions};
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentReply, AgentRuntime, CaseWorld, EvidenceUnavailable, Hook, HookArtifact,
    HookPoint, InjectedFailure, Message, PackBinding, ProbeError, ProbeFactory, ReferenceCapableAgentRuntime,
    RuntimeError, RuntimeErrorKind, RuntimePlugin, Seam, ServedTool, SessionId, Stamp, Stamped, StateProbe,
    ToolError, ToolFactory, ToolHandle, ToolServer,
};
use windtunnel_store::RunStore;

/// What goes wrong at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It fails.
    Fails,
    /// It never ends.
    Hangs,
    /// It panics.
    Panics,
}

/// The platform. Clones share everything.
#[derive(Clone, Default)]
pub(crate) struct Platform {
    pub(crate) log: Arc<Mutex<Vec<String>>>,
    pub(crate) wrong: Arc<Mutex<HashMap<String, Wrong>>>,
    /// By case, the server that its agent calls.
    pub(crate) servers: Arc<Mutex<HashMap<String, Arc<Server>>>>,
    /// Whether its runtime can be self-tested.
    pub(crate) reference_capable: bool,
    /// What a live agent decides in each turn.
    pub(crate) live: Vec<ReferenceDecision>,
    /// Decisions that a scripted agent leaves unserved.
    pub(crate) stops_before: usize,
    /// Cases that its runtime runs side by side.
    pub(crate) max_concurrency: usize,
    /// Whether `pre_run` installs a probe factory.
    pub(crate) pre_run_installs_probe: bool,
}

impl Platform {
    pub(crate) fn new() -> Self {
        Self { reference_capable: true, max_concurrency: 1, ..Self::default() }
    }

    /// The same platform, where this step goes wrong.
    pub(crate) fn wrong(self, step: &str, wrong: Wrong) -> Self {
        self.wrong.lock().unwrap().insert(step.to_owned(), wrong);
        self
    }

    /// The steps so far.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    fn note(&self, step: &str) {
        self.log.lock().unwrap().push(step.to_owned());
    }

    /// Notes a step; `Err` if it is to fail.
    async fn step(&self, step: &str) -> Result<(), String> {
        self.note(step);
        let wrong = self.wrong.lock().unwrap().get(step).copied();
        match wrong {
            None => Ok(()),
            Some(Wrong::Fails) => Err(format!("{step} failed as scripted")),
            Some(Wrong::Hangs) => std::future::pending().await,
            Some(Wrong::Panics) => panic!("{step} panicked as scripted"),
        }
    }

    /// Notes a step that cannot hang; `Err` if it is to fail.
    fn step_now(&self, step: &str) -> Result<(), String> {
        self.note(step);
        let wrong = self.wrong.lock().unwrap().get(step).copied();
        match wrong {
            None => Ok(()),
            Some(Wrong::Panics) => panic!("{step} panicked as scripted"),
            Some(_) => Err(format!("{step} failed as scripted")),
        }
    }
}

impl ToolFactory for Platform {
    fn server(
        &self,
        name: &str,
        _spec: &ToolSpec,
        world: &CaseWorld,
    ) -> Result<Box<dyn ToolServer>, ToolError> {
        self.step_now(&format!("make server {name}")).map_err(|text| ToolError::new(name, text))?;
        Ok(Box::new(StagedServer { platform: self.clone(), name: name.to_owned(), world: world.clone() }))
    }
}

struct StagedServer {
    platform: Platform,
    name: String,
    world: CaseWorld,
}

#[async_trait]
impl ToolServer for StagedServer {
    fn name(&self) -> &str {
        &self.name
    }

    async fn start(&mut self) -> Result<Arc<dyn ToolHandle>, ToolError> {
        let step = self.platform.step(&format!("start {}", self.name)).await;
        step.map_err(|text| ToolError::new(&self.name, text))?;
        let server = Arc::new(Server {
            platform: self.platform.clone(),
            name: self.name.clone(),
            workspace: self.world.workspace.clone(),
            calls: Mutex::default(),
            memory: Mutex::default(),
        });
        self.platform.servers.lock().unwrap().insert(self.world.case_id.clone(), Arc::clone(&server));
        Ok(server)
    }

    async fn stop(&mut self) {
        let _ = self.platform.step(&format!("stop {}", self.name)).await;
    }
}

/// A running server: `write_file` writes into the workspace, `remember` keeps a word until the server is fresh again.
pub(crate) struct Server {
    platform: Platform,
    name: String,
    workspace: Utf8PathBuf,
    calls: Mutex<Vec<Stamped<ToolCall>>>,
    memory: Mutex<Vec<String>>,
}

impl Server {
    fn call(&self, call: ReferenceToolCall) {
        let text = |key: &str| call.arguments.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let result = match call.name.as_str() {
            "write_file" => {
                fs::write(self.workspace.join(text("path")), text("content")).unwrap();
                json!("written")
            }
            _ => {
                let mut memory = self.memory.lock().unwrap();
                memory.push(text("word"));
                json!(memory.join(" "))
            }
        };
        let value = ToolCall {
            server: self.name.clone(),
            tool: call.name,
            args: Value::Object(call.arguments),
            result,
            error: None,
            ms: 0.0,
            witness: Witness::Recorder,
            extra: None,
        };
        self.calls.lock().unwrap().push(Stamped { stamp: Stamp::next(), at_ms: 0.0, value });
    }
}

#[async_trait]
impl ToolHandle for Server {
    fn server(&self) -> &str {
        &self.name
    }

    async fn url(&self) -> Result<String, ToolError> {
        Err(ToolError::new(&self.name, "it has no address"))
    }

    async fn connect(&self) -> Result<DuplexStream, ToolError> {
        Err(ToolError::new(&self.name, "it takes no connections"))
    }

    async fn served_tools(&self) -> Result<Vec<ServedTool>, ToolError> {
        self.platform.step("list tools").await.map_err(|text| ToolError::new(&self.name, text))?;
        let tool = |name: &str| ServedTool {
            name: name.to_owned(),
            definition: json!({ "name": name, "inputSchema": { "type": "object" } }),
            effect: None,
        };
        Ok(vec![tool("write_file"), tool("remember")])
    }

    fn call_log(&self) -> Result<Vec<Stamped<ToolCall>>, EvidenceUnavailable> {
        self.platform.step_now("drain log").map_err(|text| EvidenceUnavailable::new(&self.name, text))?;
        Ok(self.calls.lock().unwrap().clone())
    }

    fn reset_call_log(&self) {
        self.platform.note("reset log");
        self.calls.lock().unwrap().clear();
    }

    async fn refresh(&self) -> Result<(), ToolError> {
        self.memory.lock().unwrap().clear();
        self.platform.step("refresh").await.map_err(|text| ToolError::new(&self.name, text))
    }

    fn inject_failure(&self, _tool: &str, _failure: InjectedFailure) {}

    fn output(&self) -> Vec<CapturedOutput> {
        let source = format!("{} stderr", self.name);
        vec![CapturedOutput { source, text: "a line of the server".to_owned(), omitted_bytes: 0 }]
    }
}

#[async_trait]
impl AgentRuntime for Platform {
    async fn provision(
        &self,
        config: AgentConfig,
        _tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        self.agent(config, None).await
    }

    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        self.reference_capable.then_some(self)
    }
}

#[async_trait]
impl ReferenceCapableAgentRuntime for Platform {
    async fn provision_reference(
        &self,
        config: AgentConfig,
        case: &ReferenceCase,
        _tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        self.agent(config, Some(case.clone())).await
    }
}

impl Platform {
    async fn agent(
        &self,
        config: AgentConfig,
        case: Option<ReferenceCase>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        self.step("provision").await.map_err(|text| RuntimeError::new(RuntimeErrorKind::Start, text))?;
        let server = self.servers.lock().unwrap().get(&config.world.case_id).cloned();
        Ok(Box::new(Agent { platform: self.clone(), server, case, turn: 0, consumed: 0 }))
    }
}

struct Agent {
    platform: Platform,
    server: Option<Arc<Server>>,
    case: Option<ReferenceCase>,
    turn: usize,
    consumed: usize,
}

#[async_trait]
impl AgentHandle for Agent {
    async fn send(&mut self, messages: &[Message], _session: &SessionId) -> Result<AgentReply, RuntimeError> {
        let failed = |text| RuntimeError::new(RuntimeErrorKind::Turn, text);
        self.platform.step(&format!("send {}", messages[0].content)).await.map_err(failed)?;
        let mut decisions = match &self.case {
            None => self.platform.live.clone(),
            Some(case) if case.turns.is_empty() => case.decisions.clone(),
            Some(case) => case.turns[self.turn].clone(),
        };
        self.turn += 1;
        decisions.truncate(decisions.len() - self.platform.stops_before.min(decisions.len()));
        let mut answer = String::new();
        for decision in decisions {
            self.consumed += 1;
            for call in decision.tool_calls {
                self.server.as_ref().expect("a server to call").call(call);
            }
            answer = decision.content.unwrap_or_default();
        }
        Ok(AgentReply::says(answer))
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        (self.turn, self.consumed) = (0, 0);
        let failed = |text| RuntimeError::new(RuntimeErrorKind::Reset, text);
        self.platform.step("reset agent").await.map_err(failed)
    }

    async fn teardown(&mut self) {
        let _ = self.platform.step("teardown").await;
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        let decisions = self.case.as_ref()?.all_decisions().count();
        Some(ScriptProgress { decisions, consumed: self.consumed, ..ScriptProgress::default() })
    }

    fn output(&self) -> Vec<CapturedOutput> {
        let text = "a line of the agent".to_owned();
        vec![CapturedOutput { source: "agent stderr".to_owned(), text, omitted_bytes: 0 }]
    }
}

impl ProbeFactory for Platform {
    fn probe(&self, world: &CaseWorld) -> Result<Box<dyn StateProbe>, ProbeError> {
        self.step_now("make probe").map_err(|text| ProbeError::new("workspace", text))?;
        Ok(Box::new(Probe { platform: self.clone(), workspace: world.workspace.clone() }))
    }
}

/// Observes the names of the files in the workspace.
struct Probe {
    platform: Platform,
    workspace: Utf8PathBuf,
}

#[async_trait]
impl StateProbe for Probe {
    async fn reset(&self) -> Result<(), ProbeError> {
        self.platform.step("reset probe").await.map_err(|text| ProbeError::new("workspace", text))
    }

    async fn capture(&self) -> Result<Map<String, Value>, ProbeError> {
        self.platform.step("capture").await.map_err(|text| ProbeError::new("workspace", text))?;
        let mut files: Vec<String> = self
            .workspace
            .read_dir_utf8()
            .unwrap()
            .map(|file| file.unwrap().file_name().to_owned())
            .collect();
        files.sort();
        Ok(Map::from_iter([("workspace".to_owned(), json!({ "files": files }))]))
    }
}

#[async_trait]
impl RuntimePlugin for Platform {
    fn name(&self) -> &str {
        "staged"
    }

    async fn build(&self) -> Result<Arc<dyn AgentRuntime>, RuntimeError> {
        let kind = RuntimeErrorKind::Start;
        self.step("build").await.map_err(|text| RuntimeError::new(kind, text))?;
        Ok(Arc::new(self.clone()))
    }

    fn max_concurrency(&self) -> usize {
        self.max_concurrency
    }

    async fn pre_run(
        &self,
        _runtime: &dyn AgentRuntime,
        packs: &mut [PackBinding],
        _runtime_name: &str,
    ) -> Result<(), RuntimeError> {
        let kind = RuntimeErrorKind::Start;
        self.step("pre_run").await.map_err(|text| RuntimeError::new(kind, text))?;
        if self.pre_run_installs_probe {
            packs.iter_mut().for_each(|pack| pack.probe_factory = Some(Arc::new(self.clone())));
        }
        Ok(())
    }

    async fn post_run(&self, _runtime: &dyn AgentRuntime, _packs: &[PackBinding]) {
        let _ = self.step("post_run").await;
    }
}

impl Hook for Platform {
    fn name(&self) -> &str {
        "staged"
    }

    fn observe(&self, point: HookPoint<'_>) -> Vec<HookArtifact> {
        let (step, kept) = match point {
            HookPoint::Provisioned { .. } => ("hook provisioned".to_owned(), false),
            HookPoint::RunStart { run, .. } => (format!("hook run_start {run}"), false),
            HookPoint::RunScored { score, .. } => (format!("hook run_scored {}", score.verdict), true),
            HookPoint::RunEnd { run, .. } => (format!("hook run_end {run}"), false),
            HookPoint::ScenarioEnd { .. } => ("hook scenario_end".to_owned(), false),
            HookPoint::PackEnd { pack } => (format!("hook pack_end {pack}"), false),
        };
        let _ = self.step_now(&step);
        if kept { vec![HookArtifact { label: None, value: json!({ "point": step }) }] } else { Vec::new() }
    }
}

/// Everything a test works with.
pub(crate) struct Stage {
    pub(crate) folder: TempDir,
    pub(crate) platform: Platform,
    pub(crate) bench: Bench,
    pub(crate) pack: Arc<Pack>,
}

impl Stage {
    /// A bench over the platform, with a pack that has one server, one probe and one seeded file.
    pub(crate) fn new(platform: Platform) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        fs::create_dir(root.join("files")).unwrap();
        fs::write(root.join("files/seed.md"), "seed").unwrap();
        let pack = pack("quickstart", &root);
        let store = Arc::new(RunStore::open(root.join("runs")).unwrap());
        let probes = platform.clone();
        let bench = Bench::new(Arc::new(platform.clone()), store)
            .with_probes(move |_| {
                probes.note("ask for probes");
                Some(Arc::new(probes.clone()))
            })
            .with_seam(Seam::fixed("2026-11-30T08:58:54.387116Z".parse().unwrap()));
        Self { folder, platform, bench, pack }
    }

    /// The same with a hook.
    pub(crate) fn hooked(mut self) -> Self {
        self.bench = self.bench.with_hook(Arc::new(self.platform.clone()));
        self
    }

    pub(crate) fn root(&self) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(self.folder.path().canonicalize().unwrap()).unwrap()
    }

    pub(crate) fn runs_dir(&self) -> Utf8PathBuf {
        self.root().join("runs")
    }

    pub(crate) fn found(&self, scenario: Scenario) -> Found {
        let gate = Gate::compile(Arc::new(scenario), Checks::default()).unwrap();
        Found { gate: Arc::new(gate), pack: Arc::clone(&self.pack), file: None, preconditions: Vec::new() }
    }

    pub(crate) fn runtimes(&self) -> Runtimes {
        Runtimes::new().with(Arc::new(self.platform.clone()))
    }
}

/// A pack with one server that is seeded from `files`.
pub(crate) fn pack(name: &str, dir: &Utf8Path) -> Arc<Pack> {
    let tools = [("files".to_owned(), ToolSpec::Workspace(WorkspaceTools::default()))];
    let manifest = PackManifest {
        name: name.to_owned(),
        owner: Some("docs".to_owned()),
        tools: tools.into_iter().collect(),
        workspace: Some(WorkspaceSpec { files: Some("files".into()) }),
        ..PackManifest::default()
    };
    Arc::new(Pack { manifest, dir: dir.to_owned() })
}

pub(crate) fn write(content: &str) -> ReferenceDecision {
    let arguments = [("path", Value::from("out.md")), ("content", Value::from(content))];
    ReferenceDecision::calls([ReferenceToolCall::new("write_file", arguments)])
}

pub(crate) fn remember(word: &str) -> ReferenceDecision {
    ReferenceDecision::calls([ReferenceToolCall::new("remember", [("word", Value::from(word))])])
}

pub(crate) fn says(text: &str) -> ReferenceDecision {
    ReferenceDecision::says(text)
}

/// The scenario of the seed: the artifact has to be complete, and nothing unsafe may be written.
pub(crate) fn artifact_guard() -> Scenario {
    let never = json!({ "kind": "tool_call", "tool": "write_file", "args": { "content": "(?i)unsafe" } });
    Scenario {
        target_facts: vec![vec!["artifact complete".into()]],
        requires_tool_use: true,
        must_call: vec![CallRequirement::Tool("write_file".into())],
        policies: vec![Policy {
            name: "nothing unsafe is written".into(),
            never: Some(never),
            ..Policy::default()
        }],
        reference_cases: vec![
            ReferenceCase::new(
                "known-good",
                ReferenceKind::Golden,
                [write("safe"), says("artifact complete")],
            ),
            ReferenceCase {
                caught_by: Some(Layer::Constraint),
                ..ReferenceCase::new(
                    "unsafe-write",
                    ReferenceKind::Poison,
                    [write("UNSAFE"), says("artifact complete")],
                )
            },
        ],
        ..Scenario::new("artifact_guard", "Create the safe artifact.")
    }
}

pub(crate) fn suite_options(jobs: usize) -> SuiteOptions {
    SuiteOptions {
        jobs,
        fail_fast: false,
        runtime: RuntimeChoice { asked: None, default: "staged".to_owned() },
    }
}

pub(crate) fn channel() -> (mpsc::UnboundedSender<SuiteEvent>, mpsc::UnboundedReceiver<SuiteEvent>) {
    mpsc::unbounded_channel()
}

/// All files below a folder, relative to it, sorted.
pub(crate) fn files_below(folder: &Utf8Path) -> Vec<String> {
    fn walk(root: &Utf8Path, folder: &Utf8Path, files: &mut Vec<String>) {
        let Ok(entries) = folder.read_dir_utf8() else { return };
        for entry in entries {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                walk(root, entry.path(), files);
            } else {
                files.push(entry.path().strip_prefix(root).unwrap().to_string());
            }
        }
    }
    let mut files = Vec::new();
    walk(folder, folder, &mut files);
    files.sort();
    files
}
