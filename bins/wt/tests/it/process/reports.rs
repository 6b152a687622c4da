use quick_junit::{NonSuccessKind, Report, TestCaseStatus};
use serde::Deserialize;
use serde_json::Value;
use windtunnel_api::artifact::ledger::LedgerRow;
use windtunnel_testkit::Folder;

use super::WithScenarios as _;
use crate::harness::CallWt;

/// A process scenario in the JSON report: no key more, no key less.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    kind: String,
    scenario: String,
    folder: String,
    passed: bool,
    error: Option<String>,
    #[serde(default)]
    walk: Vec<String>,
    events_path: Option<String>,
    verdict: String,
    duration_s: f64,
}

/// The verdict beside an event log.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    windtunnel_process_verdict: u32,
    verdict: String,
    graph: String,
    finished_at: String,
    duration_s: f64,
    labels: Vec<String>,
    scenario: String,
    folder: String,
    passed: bool,
    error: Option<String>,
    walk: Vec<String>,
    events_path: String,
}

fn everything() -> Folder {
    Folder::new()
        .with_pack()
        .with_failing("bad")
        .file("s/broken/scenario.yaml", "steps: 1")
        .with_passing("good")
}

#[test]
fn the_json_report_lists_process_scenarios_behind_the_ledger_rows() {
    let folder = everything();
    let mut rows: Vec<Value> = folder.wt("run --format json --jobs 1").exits(1).json();
    let ledger: LedgerRow = serde_json::from_value(rows.remove(0)).unwrap();
    assert_eq!(ledger.scenario_id, "greet");
    let rows: Vec<Row> = rows.into_iter().map(|row| serde_json::from_value(row).unwrap()).collect();
    let told: Vec<_> =
        rows.iter().map(|row| (row.scenario.as_str(), row.verdict.as_str(), row.passed)).collect();
    assert_eq!(told, [("bad", "FAIL", false), ("broken", "ERROR", false), ("good", "PASS", true)]);
    assert!(rows.iter().all(|row| row.kind == "process" && row.duration_s >= 0.0), "{rows:?}");
    let [bad, broken, good] = rows.as_slice() else { unreachable!() };
    assert_eq!((bad.folder.as_str(), good.folder.as_str()), ("s/bad", "s/good"));
    assert!(bad.error.as_deref().unwrap().starts_with("ScenarioAssertionError: expect.nodes[1]"), "{bad:?}");
    assert!(broken.error.as_deref().unwrap().starts_with("ScenarioFormatError: 3 faults"), "{broken:?}");
    assert!(broken.events_path.is_none() && broken.walk.is_empty(), "{broken:?}");
    assert_eq!((&good.error, good.walk.join(" ").as_str()), (&None, "phase-selection brainstorming"));

    for row in [bad, good] {
        let events = row.events_path.as_deref().unwrap();
        let verdict = events.replace(".events.jsonl", ".verdict.json");
        let stored: Stored = serde_json::from_str(&std::fs::read_to_string(verdict).unwrap()).unwrap();
        assert_eq!((stored.windtunnel_process_verdict, stored.verdict), (1, row.verdict.clone()));
        assert_eq!((stored.scenario, stored.folder), (row.scenario.clone(), row.folder.clone()));
        assert_eq!(
            (stored.passed, stored.error, stored.walk),
            (row.passed, row.error.clone(), row.walk.clone())
        );
        assert_eq!(stored.labels, ["loop:phase-selection", "loop:brainstorming"]);
        assert_eq!((stored.graph.as_str(), stored.events_path.as_str()), ("pdlc-work-item-loop", events));
        assert!(stored.finished_at.ends_with('Z') && stored.duration_s > 0.0);
        let events = std::fs::read_to_string(events).unwrap();
        assert!(events.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{events}");
    }
}

#[test]
fn the_json_report_of_process_scenarios_alone_is_a_list_as_well() {
    let rows: Vec<Row> = Folder::new().with_passing("one").wt("run --format json").succeeds().json();
    assert_eq!(rows.len(), 1);
}

#[test]
fn the_junit_report_has_them_in_a_suite_of_their_own() {
    let finished = everything().wt("run --format junit --jobs 1").exits(1);
    let report = Report::deserialize_from_str(&finished.stdout).unwrap();
    let suites: Vec<_> = report.test_suites.iter().map(|suite| (suite.name.as_str(), suite.tests)).collect();
    assert_eq!(suites, [("desk", 1), ("process", 3)]);
    let suite = &report.test_suites[1];
    assert_eq!((suite.failures, suite.errors), (1, 1));
    let [bad, broken, good] = suite.test_cases.as_slice() else { panic!("{finished}") };
    let kind = |status: &TestCaseStatus| match status {
        TestCaseStatus::NonSuccess { kind, message, description, .. } => {
            let (message, text) =
                (message.as_ref().unwrap().as_str(), description.as_ref().unwrap().as_str());
            (*kind, message.to_owned(), text.to_owned())
        }
        other => panic!("{other:?}"),
    };
    let (failure, message, text) = kind(&bad.status);
    assert_eq!(failure, NonSuccessKind::Failure);
    assert!(
        message.starts_with(
            "ScenarioAssertionError: expect.nodes[1]: expected \"design\", found \"brainstorming\""
        ),
        "{message}"
    );
    assert!(text.contains("walk (2): phase-selection, brainstorming"), "{text}");
    assert_eq!(kind(&broken.status).0, NonSuccessKind::Error);
    assert!(matches!(good.status, TestCaseStatus::Success { .. }));
}
