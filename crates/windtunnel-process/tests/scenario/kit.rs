//! A small process, and scenarios of it that are written where a test wants them.

use std::fs;
use std::sync::Arc;

use async_trait::async_trait;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use serde_json::json;
use tempfile::TempDir;
use windtunnel_process::Graph;
use windtunnel_process::hook::{Effort, Hook, HookContext, HookError, HookRegistry, Outcome};
use windtunnel_process::scenario::{Played, Scenario, ScenarioError, Setup, play};
use windtunnel_spi::Seam;

/// An errand: planned, approved, done, and over.
const ERRAND: &str = "
graph: errand
nodes:
  - id: plan
    phase: plan
    actor: agent
    required: true
    produces: [plan.md]
    entry: [set-phase-label, log-entry]
    exit:
      - validate-artifacts: { locked: true, sections: [Plan] }
  - id: sketch
    phase: sketch
    actor: agent
    skippable: true
    optIn: true
    entry: [set-phase-label, log-entry]
  - id: approval
    actor: human
    required: true
    entry: [log-entry, request-review]
    exit: [classify-feedback]
  - id: implementation
    phase: implementation
    actor: agent
    required: true
    entry: [set-phase-label, log-entry, deliver-assignment]
    exit: [await-inner-loops]
  - id: complete
    phase: complete
    actor: agent
    terminal: true
    entry: [set-phase-label, log-entry]
  - id: escalated
    actor: human
    terminal: true
edges:
  - { from: plan, to: sketch, on: pass }
  - { from: sketch, to: approval, on: [pass, skipped] }
  - { from: approval, to: implementation, on: [approved, approved-with-comments] }
  - { from: approval, to: plan, on: changes-requested }
  - { from: implementation, to: complete, on: pass }
";

/// The steps of an errand without incidents.
pub(crate) const STEPS: &str = "
steps:
  - emit: {artifact: execution-log.md, fixture: log.md}
  - emit: {artifact: plan.md, fixture: plan.md}
  - complete: {node: plan}
  - comment: {author: owner, body: approved}
  - complete: {node: implementation}
  - complete: {node: complete}
";

pub(crate) fn graph() -> Arc<Graph> {
    Arc::new(Graph::compile("errand.yaml", ERRAND, &HookRegistry::shipped()).unwrap())
}

/// The errand, in which this hook of one's own runs as the implementation is entered.
pub(crate) fn graph_with<H: Hook + for<'de> Deserialize<'de> + 'static>(name: &str) -> Arc<Graph> {
    let yaml = ERRAND.replace("[set-phase-label, log-entry, deliver-assignment]", &format!("[{name}]"));
    Arc::new(Graph::compile("errand.yaml", &yaml, &HookRegistry::shipped().with::<H>(name)).unwrap())
}

/// Asks for an operation that there is not, and makes nothing of the refusal.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Escape {}

#[async_trait]
impl Hook for Escape {
    fn effort(&self) -> Effort {
        Effort::BestEffort
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let refused = context.control.call(&context.item.reference, "close-issue", json!({})).await;
        assert!(refused.is_err());
        Ok(Outcome::Skip)
    }
}

/// Puts a folder where the state is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Vandal {}

#[async_trait]
impl Hook for Vandal {
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let state = context.folder.join("graph-state.json");
        fs::remove_file(&state).and_then(|()| fs::create_dir(&state)).unwrap();
        Ok(Outcome::pass())
    }
}

/// A scenario folder in a temporary one.
pub(crate) struct Folder {
    root: TempDir,
    name: &'static str,
}

impl Folder {
    /// A folder `errand` with a plan, a log and what the manifest says.
    pub(crate) fn with(manifest: &str) -> Self {
        let folder = Self::bare("errand");
        folder.write("scenario.yaml", manifest);
        folder.write("artifacts/plan.md", "---\nstatus: approved\n---\n# Plan\n\nFetch it.\n");
        folder.write("artifacts/draft.md", "---\nstatus: draft\n---\n# Plan\n\nFetch it.\n");
        folder.write("artifacts/log.md", "# Log\n\n## Pull requests\n\nNone.\n\n## Entries\n");
        folder
    }

    /// The manifest of an errand with these steps and expectations.
    pub(crate) fn of(rest: &str) -> Self {
        Self::with(&format!("name: errand\nworkItem: issue-42\n{rest}"))
    }

    /// A folder without anything in it.
    pub(crate) fn bare(name: &'static str) -> Self {
        let folder = Self { root: tempfile::tempdir().unwrap(), name };
        fs::create_dir(folder.path()).unwrap();
        folder
    }

    pub(crate) fn path(&self) -> Utf8PathBuf {
        self.above().join(self.name)
    }

    /// The folder that it is in.
    pub(crate) fn above(&self) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(self.root.path().canonicalize().unwrap()).unwrap()
    }

    pub(crate) fn write(&self, name: impl AsRef<Utf8Path>, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn load(&self) -> Result<Scenario, ScenarioError> {
        Scenario::load(&self.path(), &graph())
    }

    /// What loading says, without the place of the folder.
    pub(crate) fn refusal(&self) -> String {
        let error = self.load().expect_err("a fault was expected");
        self.told(&error)
    }

    pub(crate) fn told(&self, error: &ScenarioError) -> String {
        error.to_string().replace(self.above().as_str(), "[dir]")
    }

    pub(crate) fn play(&self) -> Played {
        self.play_in(&setup())
    }

    pub(crate) fn play_in(&self, setup: &Setup) -> Played {
        let scenario = Scenario::load(&self.path(), setup.graph()).unwrap();
        block_on(play(&scenario, setup))
    }

    /// What is said of a play that fails.
    pub(crate) fn failure(&self) -> String {
        self.told(&self.play().outcome.expect_err("a failure was expected"))
    }
}

pub(crate) fn setup() -> Setup {
    Setup::new(graph()).seam(Seam::fixed("2026-03-01T12:00:00Z".parse().unwrap()))
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(1)
        .build()
        .unwrap()
        .block_on(future)
}

/// The names in a folder.
pub(crate) fn names_in(folder: &Utf8Path) -> Vec<String> {
    let mut names: Vec<String> =
        folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
    names.sort();
    names
}
