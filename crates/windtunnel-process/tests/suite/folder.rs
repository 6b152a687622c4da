//! A folder of scenarios of a small process.

use std::fs;
use std::sync::Arc;

use async_trait::async_trait;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use tempfile::TempDir;
use windtunnel_api::event::CaseReport;
use windtunnel_process::Graph;
use windtunnel_process::hook::{Hook, HookContext, HookError, HookRegistry, Outcome};
use windtunnel_process::scenario::Setup;
use windtunnel_process::scenario::suite::{ScenarioCase, find};
use windtunnel_runner::cases::{CasesRun, Options};
use windtunnel_runner::{Interrupts, run_cases};
use windtunnel_spi::TestCase;

/// A walk whose second node has a gate that is filled in.
const ERRAND: &str = "
graph: errand
nodes:
  - { id: plan, phase: plan, actor: agent, required: true, produces: [plan.md], entry: [set-phase-label], exit: [validate-artifacts] }
  - { id: stuck, actor: agent, required: true, exit: [GATE] }
  - { id: complete, actor: agent, terminal: true }
edges:
  - { from: plan, to: stuck, on: pass }
  - { from: stuck, to: complete, on: pass }
";

/// Steps up to the second node, to be gone on with.
pub(crate) const PLANNED: &str =
    "steps: [{emit: {artifact: plan.md, fixture: plan.md}}, {complete: {node: plan}}";

/// Steps and expectations of a scenario that asks the gate of the second node.
pub(crate) const STUCK: &str = "steps: [{emit: {artifact: plan.md, fixture: plan.md}}, {complete: {node: plan}}, {complete: {node: stuck}}]
expect: {currentNode: stuck}";

/// A gate that never says anything.
#[derive(Deserialize)]
struct Pending {}

#[async_trait]
impl Hook for Pending {
    async fn run(&self, _context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        std::future::pending().await
    }
}

/// A gate with a bug.
#[derive(Deserialize)]
struct Panicking {}

#[async_trait]
#[expect(clippy::panic, reason = "that is what it is for")]
impl Hook for Panicking {
    async fn run(&self, _context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        panic!("a bug in a gate")
    }
}

/// A folder of scenarios, with a folder for runs and one for worlds beside it.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::create_dir(folder.at("worlds")).unwrap();
        folder
    }

    pub(crate) fn at(&self, path: &str) -> Utf8PathBuf {
        Utf8Path::from_path(self.0.path()).unwrap().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Adds a scenario.
    pub(crate) fn with(self, name: &str, rest: &str) -> Self {
        self.write(&format!("s/{name}/scenario.yaml"), &format!("name: {name}\nworkItem: issue-1\n{rest}\n"));
        self.write(&format!("s/{name}/artifacts/plan.md"), "# Plan\n\nFetch it.\n");
        self
    }

    /// Adds one that passes.
    pub(crate) fn with_passing(self, name: &str) -> Self {
        self.with(name, &format!("{PLANNED}]\nexpect: {{nodes: [plan, stuck], labels: ['loop:plan']}}"))
    }

    /// A setup in which nobody leaves the second node.
    pub(crate) fn setup(&self) -> Setup {
        self.setup_with("pending")
    }

    /// A setup with this gate at the second node.
    pub(crate) fn setup_with(&self, gate: &str) -> Setup {
        let yaml = ERRAND.replace("GATE", gate);
        let hooks = HookRegistry::shipped().with::<Pending>("pending").with::<Panicking>("panicking");
        let graph = Arc::new(Graph::compile("errand.yaml", &yaml, &hooks).unwrap());
        Setup::new(graph).temporary_dir(self.at("worlds"))
    }

    pub(crate) fn cases(&self, setup: &Setup) -> Vec<Arc<dyn TestCase>> {
        let folders = find(&[self.at("s")], None).unwrap();
        let case = |folder| Arc::new(ScenarioCase::new(folder, setup.clone())) as Arc<dyn TestCase>;
        folders.into_iter().map(case).collect()
    }

    /// Runs all of them.
    pub(crate) async fn run(
        &self,
        setup: &Setup,
        options: &Options,
        interrupts: &mut Interrupts,
    ) -> CasesRun {
        let (events, _told) = tokio::sync::mpsc::unbounded_channel();
        let run = run_cases(self.cases(setup), options, &events, interrupts).await;
        assert_eq!(self.files("worlds"), [""; 0], "no world is left");
        run
    }

    /// The files and folders right in a folder; none if it is not there.
    pub(crate) fn files(&self, path: &str) -> Vec<String> {
        let entries = self.at(path).read_dir_utf8().into_iter().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().to_owned()).collect();
        names.sort();
        names
    }

    /// What a report says, without the place of the folder.
    pub(crate) fn said(&self, report: &CaseReport) -> String {
        report.detail.replace(self.at("").as_str(), "")
    }
}
