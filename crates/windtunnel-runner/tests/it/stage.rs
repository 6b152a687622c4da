//! A bench over the platform, a pack, and the scenario of the seed.

use std::fs;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc;
use windtunnel_api::event::SuiteEvent;
use windtunnel_api::pack::{ToolSpec, WorkspaceSpec, WorkspaceTools};
use windtunnel_api::scenario::{CallRequirement, Policy};
use windtunnel_api::{
    Layer, Pack, PackManifest, ReferenceCase, ReferenceDecision, ReferenceKind, ReferenceToolCall, Scenario,
};
use windtunnel_discovery::Found;
use windtunnel_gate::{Checks, Gate};
use windtunnel_runner::{Bench, RuntimeChoice, Runtimes, SuiteOptions};
use windtunnel_spi::Seam;
use windtunnel_store::RunStore;

use crate::platform::Platform;

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

/// The artifact guard: the artifact has to be complete, and nothing unsafe may be written.
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
