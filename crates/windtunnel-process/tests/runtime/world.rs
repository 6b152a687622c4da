//! A checkout in a temporary folder, with a graph whose hooks say what a file says.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use serde_json::Value;
use windtunnel_process::event::{EventSink, MemoryLog};
use windtunnel_process::hook::{
    Effort, Hook, HookContext, HookError, HookRegistry, ItemEvent, Outcome, Selection,
};
use windtunnel_process::scenario::doubles::{FakeControlPlane, FakeSession};
use windtunnel_process::state::{ItemState, STATE_FILE};
use windtunnel_process::transport::{Comment, ControlPlane, is_marked};
use windtunnel_process::{Envelope, Graph, ProcessConfig, ProcessError, ProcessRuntime, WorkItem};

/// A way with every kind of node on it.
pub(crate) const ERRAND: &str = "
graph: errand
nodes:
  - { id: choose, actor: human, required: true, entry: [note: { file: greet }], exit: [gate: { file: choose }] }
  - { id: draft, actor: agent, skippable: true, exit: [gate: { file: lint }, gate: { file: draft }] }
  - { id: sketch, actor: agent, skippable: true, optIn: true, exit: [gate: { file: sketch }] }
  - { id: approval, actor: human, skippable: true, exit: [gate: { file: approval }] }
  - { id: build, actor: agent, skippable: true, entry: [note: { file: assign }], exit: [gate: { file: build }] }
  - { id: check, actor: code, exit: [gate: { file: check }] }
  - { id: done, actor: agent, terminal: true, exit: [gate: { file: done }] }
  - { id: escalated, actor: human, terminal: true, entry: [note: { file: alarm }] }
skipSets:
  paper: [draft, approval]
edges:
  - { from: choose, to: draft, on: [pass, selected] }
  - { from: draft, to: sketch, on: [pass, skipped] }
  - { from: sketch, to: approval, on: [pass, skipped] }
  - { from: approval, to: build, on: [approved, skipped] }
  - { from: approval, to: draft, on: changes-requested }
  - { from: build, to: check, on: [pass, skipped] }
  - { from: check, to: done, on: pass }
  - { from: check, to: build, on: again }
";

/// What a gate leaves in an item's folder before it sleeps.
const ASLEEP: &str = "asleep";

/// A checkout with one item.
pub(crate) struct World {
    pub(crate) root: Utf8PathBuf,
    pub(crate) runtime: ProcessRuntime,
    pub(crate) item: WorkItem,
    pub(crate) log: Arc<MemoryLog>,
    pub(crate) control: Arc<FakeControlPlane>,
    pub(crate) session: Arc<FakeSession>,
    seen: Mutex<usize>,
    _folder: tempfile::TempDir,
}

impl World {
    /// With the errand's graph.
    pub(crate) fn new() -> Self {
        Self::of(ERRAND)
    }

    /// With a graph of one's own.
    pub(crate) fn of(yaml: &str) -> Self {
        Self::of_graph(graph(yaml))
    }

    /// With a graph that was compiled.
    pub(crate) fn of_graph(graph: Arc<Graph>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        let log = Arc::new(MemoryLog::default());
        let (control, session) = (Arc::new(FakeControlPlane::new("bot")), Arc::new(FakeSession::new()));
        let runtime = runtime(&root, graph, Arc::clone(&control) as _, Arc::clone(&log) as _)
            .with_session(Arc::clone(&session) as _);
        let item = runtime.item("issue-42").unwrap();
        Self { root, runtime, item, log, control, session, seen: Mutex::new(0), _folder: folder }
    }

    /// A started item that was brought to a node by the claims on the way.
    pub(crate) async fn at(node: &str) -> Self {
        let world = Self::new();
        world.runtime.start(&world.item).await.unwrap();
        while world.state().current_node != node {
            let current = world.state().current_node;
            if current == "approval" {
                world.says("approval", "pass approved");
            }
            let envelope = world.runtime.complete(&world.item, &current, "tester").await.unwrap();
            assert!(envelope.moved, "stuck at {current}: {envelope:?}");
        }
        world.told();
        world
    }

    /// The same world with another runtime, which knows only what is on disk.
    pub(crate) fn resumed(self) -> Self {
        Self { runtime: self.another_runtime(), ..self }
    }

    pub(crate) fn another_runtime(&self) -> ProcessRuntime {
        let graph = Arc::clone(self.runtime.graph());
        runtime(&self.root, graph, Arc::clone(&self.control) as _, Arc::clone(&self.log) as _)
            .with_session(Arc::clone(&self.session) as _)
    }

    /// Lets the hooks of a file say this from now on.
    pub(crate) fn says(&self, file: &str, line: &str) {
        std::fs::create_dir_all(self.folder()).unwrap();
        std::fs::write(self.folder().join(file), line).unwrap();
    }

    pub(crate) fn folder(&self) -> Utf8PathBuf {
        self.runtime.folder(&self.item)
    }

    pub(crate) fn state(&self) -> ItemState {
        self.runtime.state(&self.item).unwrap().expect("it was started")
    }

    pub(crate) fn state_file(&self) -> String {
        std::fs::read_to_string(self.folder().join(STATE_FILE)).unwrap()
    }

    /// Waits until a gate of this world sleeps.
    pub(crate) async fn gate_sleeps(&self) {
        while !self.folder().join(ASLEEP).exists() {
            tokio::task::yield_now().await;
        }
    }

    /// The comments that the process posted.
    pub(crate) fn posted(&self) -> Vec<String> {
        let calls = self.control.calls().into_iter().filter(|call| call.succeeded);
        let bodies = calls.filter_map(|call| call.arguments["body"].as_str().map(str::to_owned));
        bodies.inspect(|body| assert!(is_marked(body), "{body}")).collect()
    }

    /// What was delivered to the agent's session.
    pub(crate) fn delivered(&self) -> Vec<String> {
        self.session.deliveries().into_iter().map(|delivery| delivery.text).collect()
    }

    pub(crate) async fn start(&self) -> String {
        line(&self.runtime.start(&self.item).await.unwrap())
    }

    pub(crate) async fn advance(&self) -> String {
        line(&self.runtime.advance(&self.item, None).await.unwrap())
    }

    pub(crate) async fn comment(&self, body: &str) -> String {
        self.hear(Comment { author: "owner".to_owned(), body: body.to_owned() }).await
    }

    pub(crate) async fn hear(&self, comment: Comment) -> String {
        let event = ItemEvent { comments: vec![comment] };
        line(&self.runtime.advance(&self.item, Some(&event)).await.unwrap())
    }

    pub(crate) async fn complete(&self, node: &str) -> String {
        line(&self.runtime.complete(&self.item, node, "tester").await.unwrap())
    }

    pub(crate) async fn skip(&self, names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        line(&self.runtime.skip(&self.item, &names, "@owner", "no need").await.unwrap())
    }

    pub(crate) async fn force(&self, to: &str) -> String {
        line(&self.runtime.force(&self.item, to, "@owner", "it is stuck").await.unwrap())
    }

    pub(crate) async fn ask(&self, question: &str) -> String {
        line(&self.runtime.ask(&self.item, question).await.unwrap())
    }

    pub(crate) async fn reply(&self, text: &str) -> Result<String, ProcessError> {
        Ok(line(&self.runtime.reply(&self.item, text, "owner").await?))
    }

    /// What was told since the last look, an event per line.
    pub(crate) fn told(&self) -> Vec<String> {
        let mut seen = self.seen.lock().unwrap();
        let records = self.log.records();
        let fresh = records.iter().skip(*seen).map(|record| {
            assert_eq!(
                (record.work_item.as_str(), record.reference.as_str()),
                ("issue-42", "github:e2e/e2e#42")
            );
            event_line(&serde_json::to_value(&record.event).unwrap())
        });
        let told = fresh.collect();
        *seen = records.len();
        told
    }
}

/// A graph of the hooks of this file.
pub(crate) fn graph(yaml: &str) -> Arc<Graph> {
    let hooks = HookRegistry::empty().with::<Gate>("gate").with::<Note>("note");
    Arc::new(Graph::compile("test.yaml", yaml, &hooks).unwrap_or_else(|faults| panic!("{faults}")))
}

pub(crate) fn runtime(
    root: &Utf8Path,
    graph: Arc<Graph>,
    control: Arc<dyn ControlPlane>,
    log: Arc<dyn EventSink>,
) -> ProcessRuntime {
    let config = ProcessConfig {
        origin_repo: Some("e2e/e2e".parse().unwrap()),
        authorized_users: vec!["owner".to_owned()],
        ..ProcessConfig::default()
    };
    ProcessRuntime::new(root, config, control, log).unwrap().with_graph(graph)
}

/// An answer on a line: what came of which node, on which outcome, and where the item stands now.
pub(crate) fn line(envelope: &Envelope) -> String {
    let Envelope { node, status, outcome, moved, current_node, messages } = envelope;
    let on = outcome.as_ref().map_or_else(String::new, |outcome| format!(" on {outcome}"));
    let at = if *moved { format!(", to {current_node}") } else { format!(", at {current_node}") };
    let why = if messages.is_empty() { String::new() } else { format!(": {}", messages.join("; ")) };
    format!("{} {node}{on}{at}{why}", status.name())
}

fn event_line(event: &Value) -> String {
    let fields = event.as_object().unwrap().iter();
    let texts = fields.map(|(name, value)| match (name.as_str(), value) {
        ("event", Value::String(name)) => name.clone(),
        (name, Value::String(text)) => format!("{name}={text}"),
        (name, value) => format!("{name}={value}"),
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// A gate that does what its file in the item's folder says; without one it passes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Gate {
    file: String,
    #[serde(default)]
    limit_ms: Option<u64>,
}

/// The same, as something that decides nothing.
#[derive(Deserialize)]
#[serde(transparent)]
struct Note(Gate);

#[async_trait]
impl Hook for Gate {
    fn limit(&self) -> Duration {
        self.limit_ms.map_or(Duration::from_secs(60), Duration::from_millis)
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let said = std::fs::read_to_string(context.folder.join(&self.file)).unwrap_or_default();
        let (word, rest) = said.split_once(' ').unwrap_or((&said, ""));
        let list = || rest.split("; ").map(str::to_owned).collect();
        match word {
            "" => Ok(Outcome::pass()),
            "pass" => Ok(Outcome::Pass { on: Some(rest.to_owned()) }),
            "skip" => Ok(Outcome::Skip),
            "wait" => Ok(Outcome::Wait { messages: list() }),
            "block" => Ok(Outcome::Block { findings: list() }),
            "fail" => Err(HookError(rest.to_owned())),
            "panic" => panic!("{rest}"),
            "sleep" => {
                std::fs::write(context.folder.join(ASLEEP), "").unwrap();
                tokio::time::sleep(Duration::from_secs(3600)).await;
                Ok(Outcome::pass())
            }
            "slow" => {
                tokio::time::sleep(Duration::from_millis(30)).await;
                Ok(Outcome::pass())
            }
            "degrade" => {
                for error in rest.split("; ") {
                    context.degrade(error);
                }
                Ok(Outcome::pass())
            }
            "select" => {
                context.effects.selection = Some(selection(rest));
                Ok(Outcome::Pass { on: Some("selected".to_owned()) })
            }
            "echo" => {
                let comments = context.authorized_comments();
                match comments.last() {
                    Some(comment) => Ok(Outcome::Pass { on: Some(comment.body.clone()) }),
                    None => Ok(Outcome::Wait { messages: vec!["a comment".to_owned()] }),
                }
            }
            "context" => Ok(Outcome::Block {
                findings: vec![format!(
                    "{} of {} at {} by {:?}, declared {:?}",
                    context.item.id,
                    context.graph.id(),
                    context.node.id,
                    context.claimant,
                    context.declared
                )],
            }),
            _ => panic!("{} says {said:?}", self.file),
        }
    }
}

#[async_trait]
impl Hook for Note {
    fn effort(&self) -> Effort {
        Effort::BestEffort
    }

    fn limit(&self) -> Duration {
        self.0.limit()
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        self.0.run(context).await
    }
}

/// `-node` was unticked, `+node` is opted in, `!node` cannot be skipped.
fn selection(words: &str) -> Selection {
    let mut selection = Selection { by: "@owner".to_owned(), ..Selection::default() };
    for word in words.split_whitespace() {
        let (kind, node) = word.split_at(1);
        match kind {
            "-" => drop(selection.unticked.insert(node.to_owned())),
            "+" => drop(selection.opted_in.insert(node.to_owned())),
            "!" => selection.rejected.push(node.to_owned()),
            _ => panic!("{word:?}"),
        }
    }
    selection
}
