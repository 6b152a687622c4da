//! Runs to store, and folders to store them in.

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;
use serde_json::{Map, json};
use tempfile::TempDir;
use uuid::Uuid;
use windtunnel_api::Scenario;
use windtunnel_api::artifact::event::{EventRow, SweepEvent};
use windtunnel_api::artifact::evidence::Role;
use windtunnel_api::artifact::ledger::{LEDGER_VERSION, LedgerRow};
use windtunnel_api::artifact::score::{LayerScore, Origin, Score, ScoreSidecar, Verdict};
use windtunnel_api::artifact::trace::{TRACE_VERSION, Trace, Turn};
use windtunnel_api::scenario::FailureCost;
use windtunnel_store::RunStore;

/// A runs folder that does not exist yet.
pub(crate) struct Fixture {
    _parent: TempDir,
    pub(crate) runs_dir: Utf8PathBuf,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let parent = tempfile::tempdir().unwrap();
        let runs_dir = Utf8Path::from_path(parent.path()).unwrap().join("runs");
        Self { _parent: parent, runs_dir }
    }

    pub(crate) fn store(&self) -> RunStore {
        RunStore::open(&self.runs_dir).unwrap()
    }

    /// Every file below the runs folder, relative to it and sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        fn collect(folder: &Utf8Path, files: &mut Vec<Utf8PathBuf>) {
            for entry in folder.read_dir_utf8().unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    collect(entry.path(), files);
                } else {
                    files.push(entry.path().to_owned());
                }
            }
        }
        let mut files = Vec::new();
        collect(&self.runs_dir, &mut files);
        files.sort();
        files.iter().map(|file| file.strip_prefix(&self.runs_dir).unwrap().to_string()).collect()
    }
}

pub(crate) fn scenario() -> Scenario {
    Scenario {
        target_facts: vec![vec!["artifact complete".into(), "abgeschlossen ✓".into()]],
        requires_tool_use: true,
        tags: vec!["dim:side_effect_safety".into()],
        ..Scenario::new("artifact_guard", "Create the safe artifact – now 😀.")
    }
}

pub(crate) fn trace(id: u128) -> Trace {
    Trace {
        windtunnel_trace: TRACE_VERSION,
        run_id: Uuid::from_u128(id << 96),
        scenario_id: "artifact_guard".into(),
        agent_id: "wt-cli".into(),
        variant_id: "l1".into(),
        model: "unknown".into(),
        quant: "unknown".into(),
        sampler: Map::new(),
        started_at: "2026-11-30T08:58:54.387116+00:00".into(),
        finished_at: "2026-11-30T08:58:54.391203+00:00".into(),
        turns: vec![
            Turn::new(Role::User, "Create the safe artifact – now 😀."),
            Turn { latency_ms: 0.004, ..Turn::new(Role::Assistant, "artifact complete") },
        ],
        tool_schema_hash: Some("sha256:4f53cda1".into()),
        worker_warnings: Vec::new(),
        mcp_calls: Vec::new(),
        observations: Map::new(),
        surface: Some(json!({"status": "unavailable"})),
        usage: None,
        model_calls: None,
        events: Vec::new(),
        served_tools: IndexMap::new(),
        script: None,
    }
}

pub(crate) fn sidecar(origin: Option<Origin>) -> ScoreSidecar {
    let score = Score {
        outcome: LayerScore::fail("no tool was called; the answer says “artifact complete”"),
        trajectory: LayerScore::pass("nothing declared"),
        constraint: LayerScore::pass("nothing declared"),
        integrity: LayerScore {
            metrics: [("events".to_owned(), json!(2))].into(),
            ..LayerScore::pass("evidence readable")
        },
        failure_cost: FailureCost::default().into(),
        verdict: Verdict::Fail,
    };
    ScoreSidecar::new(&scenario(), &scenario().gate(), score, origin)
}

pub(crate) fn event(number: usize, padding: usize) -> EventRow {
    let event = SweepEvent::ScenarioError {
        scenario_id: "x".repeat(padding),
        kind: "setup".into(),
        error: number.to_string(),
    };
    EventRow::new("2026-11-30T08:58:54.387116Z", "0123456789ab", "l1", event)
}

pub(crate) fn number(row: &EventRow) -> usize {
    match &row.event {
        SweepEvent::ScenarioError { error, .. } => error.parse().unwrap(),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn ledger_row() -> LedgerRow {
    LedgerRow {
        error: None,
        experiment: None,
        failure_cost: Some(FailureCost::default().into()),
        failure_risk: 4,
        gate_layers: Vec::new(),
        git_sha: None,
        label: "l1 – ü".into(),
        layer_pass_rates: IndexMap::new(),
        model: "unknown".into(),
        origin: None,
        owner: None,
        pack: Some("quickstart".into()),
        pass_rate: 0.0,
        passed: 0,
        quant: "unknown".into(),
        robustness_pass_rate: None,
        run_ids: vec![Uuid::from_u128(7)],
        runs: 1,
        scenario_id: "artifact_guard".into(),
        stddev: 0.0,
        sweep_id: "0123456789ab".into(),
        ts: "2026-11-30T08:58:54Z".into(),
        verdict: Verdict::Fail,
        windtunnel_ledger: LEDGER_VERSION,
        wt_version: Some("0.10.0".into()),
    }
}
