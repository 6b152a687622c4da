//! What the tests of a scenario built in Rust share.

use std::sync::Arc;

use windtunnel_core::api::config::LoopRuntime;
use windtunnel_core::api::pack::{ToolSpec, WorkspaceTools};
use windtunnel_core::mcp::BenchTools;
use windtunnel_core::prelude::*;
use windtunnel_core::runtimes::agent_loop;

/// The scenario: the agent is to leave a greeting in a file, and nothing else.
pub(crate) fn greeting() -> Scenario {
    let writes = |path: &str| {
        let arguments = [("path", path.into()), ("content", "hello".into())];
        ReferenceDecision::calls([ReferenceToolCall::new("write_file", arguments)])
    };
    let says = |text: &str| ReferenceDecision::says(text);
    Scenario {
        target_facts: vec![vec!["written".into()]],
        must_call: vec!["write_file".into()],
        reference_cases: vec![
            ReferenceCase::golden("writes-one-file", [writes("hi.txt"), says("It is written.")]),
            ReferenceCase::poison(
                "writes-a-second-file",
                [writes("hi.txt"), writes("more.txt"), says("It is written.")],
            )
            .caught_by(Layer::Constraint),
            ReferenceCase::poison("only-says-so", [says("It is written.")]).caught_by(Layer::Trajectory),
        ],
        ..Scenario::new("greeting", "Write a greeting into hi.txt.")
    }
}

/// At most so many files are written.
pub(crate) fn at_most(files: usize) -> Checks {
    Checks::new().policy("few files are written", move |trace| {
        let written = trace.mcp_calls.iter().filter(|call| call.tool_name == "write_file").count();
        Judgement::of(written <= files, format!("expected at most {files} written files, found {written}"))
            .with("written", written)
    })
}

/// A bench in a folder of its own, and the `loop` runtime.
pub(crate) struct Lab {
    folder: tempfile::TempDir,
    bench: Bench,
    runtime: Arc<dyn AgentRuntime>,
}

// ANCHOR: lab
impl Lab {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runs = Utf8Path::from_path(folder.path()).unwrap().join("runs");
        let bench = Bench::new(Arc::new(BenchTools::new()), Arc::new(RunStore::open(runs).unwrap()));
        let runtime = agent_loop::plugin("loop", LoopRuntime::default()).build().await.unwrap();
        Self { folder, bench, runtime }
    }

    /// The scenario in a pack whose only tools are files.
    pub(crate) fn found(&self, checks: Checks) -> Found {
        let files = ToolSpec::Workspace(WorkspaceTools::default());
        let manifest = PackManifest {
            name: "lab".into(),
            tools: [("files".into(), files)].into(),
            ..PackManifest::default()
        };
        let dir = Utf8Path::from_path(self.folder.path()).unwrap().to_owned();
        Found::new(&Arc::new(Pack { manifest, dir }), greeting(), checks).unwrap()
    }

    /// Runs one of the scenario's reference cases.
    pub(crate) async fn run(&self, found: &Found, case: &ReferenceCase) -> SelftestRecord {
        let site = self.bench.site(&found.pack, &case.name, CancellationToken::new()).await.unwrap();
        let request = ReferenceRequest::new(found, case, &*self.runtime, site);
        run_reference_case(&self.bench, request, None).await.record
    }
}
// ANCHOR_END: lab
