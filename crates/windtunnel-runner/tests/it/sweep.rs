//! The suite of ordinary runs: aggregate, ledger, event log.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::platform::{Platform, Wrong};
use crate::stage::{Stage, artifact_guard, channel, files_below, says, suite_options, write};
use windtunnel_api::event::{CaseId, CaseRecord, CaseReport, CaseStatus, ProcessRecord, SuiteEvent};
use windtunnel_api::exit::Exit;
use windtunnel_api::{Scenario, Verdict};
use windtunnel_runner::{Interrupts, Runtimes, SweepCases, SweepOptions, SweepOutcome, sweep};
use windtunnel_spi::world::Limits;
use windtunnel_spi::{CaseContext, TestCase};

fn options(runs: usize) -> SweepOptions {
    SweepOptions { suite: suite_options(1), runs, label: "nightly".to_owned(), git_sha: None }
}

fn live() -> Platform {
    Platform { live: vec![write("safe"), says("artifact complete")], ..Platform::new() }
}

fn two(stage: &Stage) -> Vec<windtunnel_discovery::Found> {
    let other = Scenario {
        name: "impossible".into(),
        target_facts: vec![vec!["a fact nobody states".into()]],
        ..artifact_guard()
    };
    vec![stage.found(artifact_guard()), stage.found(other)]
}

async fn run(stage: &Stage, runs: usize) -> SweepOutcome {
    let (events, _receiver) = channel();
    let mut interrupts = Interrupts::never();
    sweep(&stage.bench, &stage.runtimes(), two(stage), &options(runs), &events, &mut interrupts)
        .await
        .unwrap()
}

/// The rows of a file without what differs between machines.
fn rows(stage: &Stage, file: &str) -> String {
    let text = std::fs::read_to_string(stage.runs_dir().join(file)).unwrap();
    let text = text.replace(stage.root().as_str(), "");
    let rows = text.lines().map(|line| {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        for key in ["pid", "host", "wt_version"] {
            if let Some(value) = row.get_mut(key) {
                *value = "-".into();
            }
        }
        row.to_string()
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_sweep_leaves_runs_ledger_rows_and_events() {
    let stage = Stage::new(live()).hooked();
    let outcome = run(&stage, 2).await;
    assert_eq!(outcome.exit, Exit::Failure);
    let said: Vec<_> = outcome.cases.iter().map(|case| (case.status, case.verdict.as_str())).collect();
    assert_eq!(said, [(CaseStatus::Passed, "PASS"), (CaseStatus::Failed, "FAIL")]);
    insta::assert_snapshot!("ledger", rows(&stage, "ledger.ndjsonl"));
    insta::assert_snapshot!("events", rows(&stage, "events.ndjsonl"));
    let written: Vec<serde_json::Value> = outcome.rows().iter().map(|row| row.sorted().unwrap()).collect();
    let ledger = std::fs::read_to_string(stage.runs_dir().join("ledger.ndjsonl")).unwrap();
    let read: Vec<serde_json::Value> =
        ledger.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(written, read);
    assert_eq!(files_below(&stage.runs_dir()).iter().filter(|file| file.ends_with(".score.json")).count(), 4);
}

#[tokio::test]
async fn the_failure_of_a_scenario_says_which_layer_and_why() {
    let stage = Stage::new(live());
    let outcome = run(&stage, 1).await;
    insta::assert_snapshot!(outcome.cases[1].detail, @r#"
    0 of 1 runs passed
    run 1: FAIL
      outcome: fact 1 of 1 is missing: expected "a fact nobody states"
        the answer: "artifact complete"
    "#);
}

#[tokio::test]
async fn a_scenario_that_cannot_be_run_is_a_row_that_says_why() {
    let stage = Stage::new(live().wrong("provision", Wrong::Fails));
    let outcome = run(&stage, 1).await;
    assert_eq!(outcome.exit, Exit::Failure);
    assert_eq!(outcome.cases[0].verdict, "ERROR");
    let record = outcome.records().next().unwrap();
    assert_eq!(record.verdict, None);
    assert_eq!(
        record.error.as_deref(),
        Some("the agent could not be provisioned: provision failed as scripted")
    );
    let events = rows(&stage, "events.ndjsonl");
    assert_eq!(
        events.lines().filter(|line| line.contains(r#""event":"scenario_error""#)).count(),
        2,
        "{events}"
    );
    assert_eq!(rows(&stage, "ledger.ndjsonl").lines().count(), 2);
}

#[tokio::test]
async fn a_run_that_breaks_off_is_invalid_and_so_is_its_scenario() {
    let stage = Stage::new(live().wrong("send Create the safe artifact.", Wrong::Fails));
    let outcome = run(&stage, 2).await;
    let record = outcome.records().next().unwrap();
    assert_eq!((record.verdict, record.runs.len()), (Some(Verdict::Invalid), 2));
    assert_eq!(outcome.cases[0].status, CaseStatus::Errored);
    assert!(outcome.cases[0].detail.contains("turn 1 failed"), "{}", outcome.cases[0].detail);
}

#[tokio::test]
async fn runs_before_a_fatal_error_are_kept() {
    let stage = Stage::new(live().wrong("refresh", Wrong::Fails));
    let outcome = run(&stage, 3).await;
    let record = outcome.records().next().unwrap();
    assert_eq!((record.verdict, record.runs.len()), (None, 1));
    assert!(record.error.as_deref().unwrap().contains("refresh failed as scripted"));
}

#[tokio::test]
async fn a_scenario_over_its_limit_is_in_ledger_and_events() {
    let mut stage = Stage::new(live().wrong("send Create the safe artifact.", Wrong::Hangs));
    stage.bench = stage.bench.with_limits(Limits { case: Duration::from_millis(50), ..Limits::default() });
    let outcome = run(&stage, 1).await;
    assert_eq!(outcome.cases[0].detail, "it passed the case limit of 0.05 s (timeouts.case_s)");
    let events = rows(&stage, "events.ndjsonl");
    assert!(events.contains(r#""error":"it passed the case limit of 0.05 s (timeouts.case_s)""#), "{events}");
    assert_eq!(rows(&stage, "ledger.ndjsonl").lines().count(), 2);
}

#[tokio::test]
async fn an_interrupted_sweep_keeps_its_runs_and_says_so() {
    let stage = Stage::new(live().wrong("hook run_start 2", Wrong::Fails));
    let (events, _receiver) = channel();
    let (interrupter, mut interrupts) = Interrupts::channel();
    let runtimes = stage.runtimes();
    let platform = stage.platform.clone();
    let options = options(1000);
    let suite = sweep(&stage.bench, &runtimes, two(&stage), &options, &events, &mut interrupts);
    let (outcome, ()) = tokio::join!(suite, async {
        while platform.log().iter().filter(|line| *line == "capture").count() < 3 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        interrupter.interrupt();
    });
    let outcome = outcome.unwrap();
    assert_eq!((outcome.exit, outcome.not_run), (Exit::Interrupted, 1));
    let record = outcome.records().next().unwrap();
    assert_eq!(outcome.cases[0].status, CaseStatus::Cancelled);
    assert!(record.runs.len() >= 2);
    let stored = files_below(&stage.runs_dir()).iter().filter(|file| file.ends_with(".score.json")).count();
    assert!(stored >= record.runs.len());
    let events = rows(&stage, "events.ndjsonl");
    assert!(events.lines().last().unwrap().contains(r#""status":"interrupted""#), "{events}");
    assert!(!stage.runs_dir().join("ledger.ndjsonl").exists(), "an interrupted scenario is no aggregate");
}

#[tokio::test]
async fn two_runtimes_are_each_built_once() {
    let stage = Stage::new(live());
    let mut other = (*crate::stage::pack("other", &stage.root())).clone();
    other.manifest.runtime = Some("canned".to_owned());
    let mut found = two(&stage);
    found[1].pack = std::sync::Arc::new(other);
    let canned = windtunnel_spi::doubles::CannedRuntime::new(["artifact complete"]);
    let canned = windtunnel_spi::ReadyPlugin::new("canned", std::sync::Arc::new(canned));
    let runtimes = stage.runtimes().with(std::sync::Arc::new(canned));
    let (events, _receiver) = channel();
    let outcome =
        sweep(&stage.bench, &runtimes, found, &options(1), &events, &mut Interrupts::never()).await.unwrap();
    let by_runtime: Vec<_> = outcome.records().map(|record| record.runtime.as_str()).collect();
    assert_eq!(by_runtime, ["staged", "canned"]);
    for once in ["build", "pre_run", "post_run"] {
        assert_eq!(stage.platform.log().iter().filter(|line| *line == once).count(), 1, "{once}");
    }
}

#[tokio::test]
async fn a_runtime_without_a_model_refuses_live_runs_before_anything_is_built() {
    let stage = Stage::new(Platform { not_live: Some("no model; set OPENAI_MODEL".into()), ..live() });
    let (events, mut receiver) = channel();
    let mut interrupts = Interrupts::never();
    let swept =
        sweep(&stage.bench, &stage.runtimes(), two(&stage), &options(1), &events, &mut interrupts).await;
    assert_eq!(swept.unwrap_err().to_string(), "runtime staged: no model; set OPENAI_MODEL");
    assert!(stage.platform.log().is_empty() && receiver.try_recv().is_err());
    assert!(!stage.runs_dir().exists());
}

/// A case that needs no runtime, and passes or not.
struct Beside(bool);

#[async_trait]
impl TestCase for Beside {
    fn id(&self) -> CaseId {
        CaseId { group: "beside".to_owned(), test: self.0.to_string(), case: None }
    }

    fn resource(&self) -> &'static str {
        ""
    }

    async fn run(&self, _context: CaseContext) -> CaseReport {
        self.failed_to_run("")
    }

    fn failed_to_run(&self, _reason: &str) -> CaseReport {
        let (status, verdict) =
            if self.0 { (CaseStatus::Passed, "PASS") } else { (CaseStatus::Failed, "FAIL") };
        let scenario = self.0.to_string();
        CaseReport {
            id: self.id(),
            status,
            verdict: verdict.to_owned(),
            detail: String::new(),
            duration_s: 0.0,
            output: Vec::new(),
            workspace: None,
            record: CaseRecord::Process(ProcessRecord {
                folder: scenario.clone(),
                scenario,
                passed: self.0,
                error: None,
                walk: Vec::new(),
                events_path: None,
            }),
        }
    }
}

#[tokio::test]
async fn cases_beside_scenarios_are_told_and_counted_and_not_in_the_ledger() {
    let stage = Stage::new(live());
    let (events, mut receiver) = channel();
    let scenarios = vec![stage.found(artifact_guard())];
    for (passes, exit) in [(true, Exit::Success), (false, Exit::Failure)] {
        let cases = SweepCases { scenarios: scenarios.clone(), beside: vec![Arc::new(Beside(passes))] };
        let mut interrupts = Interrupts::never();
        let swept =
            sweep(&stage.bench, &stage.runtimes(), cases, &options(1), &events, &mut interrupts).await;
        let outcome = swept.unwrap();
        assert_eq!((outcome.cases.len(), outcome.records().count(), outcome.exit), (2, 1, exit));
    }
    let started = receiver.try_recv().unwrap();
    assert!(matches!(started, SuiteEvent::SuiteStarted { cases: 2, sweep: Some(_), .. }), "{started:?}");
    assert_eq!(rows(&stage, "ledger.ndjsonl").lines().count(), 2);
    let events = rows(&stage, "events.ndjsonl");
    assert_eq!(events.matches(r#""scenarios":1,"completed":1,"errors":0"#).count(), 2, "{events}");
}

#[tokio::test]
async fn without_a_scenario_no_runtime_is_asked_for_and_nothing_is_written() {
    let stage = Stage::new(live());
    let (events, mut receiver) = channel();
    let cases = SweepCases { beside: vec![Arc::new(Beside(true))], ..SweepCases::default() };
    let mut interrupts = Interrupts::never();
    let swept = sweep(&stage.bench, &Runtimes::new(), cases, &options(1), &events, &mut interrupts).await;
    assert_eq!(swept.unwrap().exit, Exit::Success);
    let started = receiver.try_recv().unwrap();
    let SuiteEvent::SuiteStarted { runtime, cases: 1, sweep: None, .. } = started else {
        panic!("{started:?}")
    };
    assert_eq!(runtime, "");
    assert!(!stage.runs_dir().exists());
}
