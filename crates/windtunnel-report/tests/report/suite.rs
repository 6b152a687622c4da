//! Suites to report on.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use uuid::Uuid;
use windtunnel_api::artifact::ledger::Sweep;
use windtunnel_api::artifact::score::{Layer, LayerScore, Score, Verdict};
use windtunnel_api::event::{
    CapturedOutput, CaseId, CaseRecord, CaseReport, CaseStatus, OmwAgentRecord, OmwRecord, ProcessRecord,
    RunRecord, ScenarioRecord, SuiteEvent,
};
use windtunnel_api::scenario::FailureCost;
use windtunnel_api::scenario::reference::ReferenceKind;
use windtunnel_api::{SelftestRecord, SelftestVerdict};
use windtunnel_report::{Output, Reporter};

/// A stream whose text can be looked at later.
#[derive(Clone, Default)]
pub(crate) struct Page(Arc<Mutex<Vec<u8>>>);

impl Page {
    pub(crate) fn output(&self) -> Output {
        Output::stream("page", self.clone())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the rows of the suite share.
fn sweep() -> Sweep {
    Sweep {
        sweep_id: "0123456789ab".into(),
        label: "nightly".into(),
        ts: "2026-11-30T08:58:54Z".into(),
        git_sha: Some("12d6965".into()),
        wt_version: "0.10.0".into(),
    }
}

/// A whole suite of these cases, one after the other.
pub(crate) fn suite(command: &str, cases: Vec<CaseReport>) -> Vec<SuiteEvent> {
    let mut events = vec![SuiteEvent::SuiteStarted {
        command: command.into(),
        runtime: "refplugin:PLUGIN".into(),
        cases: cases.len(),
        jobs: 1,
        sweep: Some(sweep()),
    }];
    for case in cases {
        events.push(SuiteEvent::CaseStarted { id: case.id.clone() });
        events.push(SuiteEvent::CaseFinished(Box::new(case)));
    }
    events.push(SuiteEvent::SuiteFinished { duration_s: 0.42, not_run: 0 });
    events
}

pub(crate) fn tell(reporter: &mut impl Reporter, events: &[SuiteEvent]) {
    for event in events {
        reporter.event(event).unwrap();
    }
    reporter.finish().unwrap();
}

/// A score in which this layer failed.
pub(crate) fn score(failed: Option<(Layer, &str)>) -> Score {
    let layer = |layer, detail: &str| match failed {
        Some((failed, detail)) if failed == layer => LayerScore::fail(detail),
        _ => LayerScore::pass(detail),
    };
    Score {
        outcome: layer(Layer::Outcome, "1 of 1 facts found"),
        trajectory: layer(Layer::Trajectory, "write_file was called (recorder)"),
        constraint: layer(Layer::Constraint, "1 policy holds"),
        integrity: layer(Layer::Integrity, "script consumed: 2 of 2 decisions"),
        failure_cost: FailureCost::default().into(),
        verdict: match failed {
            None => Verdict::Pass,
            Some((Layer::Integrity, _)) => Verdict::Invalid,
            Some(_) => Verdict::Fail,
        },
    }
}

pub(crate) fn selftest(
    case: &str,
    kind: ReferenceKind,
    verdict: SelftestVerdict,
    detail: &str,
    score: Option<Score>,
) -> CaseReport {
    CaseReport {
        id: CaseId { group: "refpack".into(), test: "artifact_guard".into(), case: Some(case.into()) },
        status: match verdict {
            SelftestVerdict::Pass => CaseStatus::Passed,
            SelftestVerdict::GoldenFailed | SelftestVerdict::PoisonPassed => CaseStatus::Failed,
            SelftestVerdict::Unsupported => CaseStatus::Unsupported,
            SelftestVerdict::Error => CaseStatus::Errored,
        },
        verdict: verdict.word().into(),
        detail: detail.into(),
        duration_s: 0.0124,
        output: Vec::new(),
        workspace: None,
        record: CaseRecord::Selftest(SelftestRecord {
            scenario_id: "artifact_guard".into(),
            case: case.into(),
            kind,
            verdict,
            detail: detail.into(),
            run_id: score.as_ref().map(|_| Uuid::from_u128(7)),
            drift: None,
            trace_path: score
                .as_ref()
                .map(|_| "runs/selftest/artifact_guard/20261130T085854387116Z_00000007.json".into()),
            score,
            pack: "refpack".into(),
            owner: Some("docs".into()),
        }),
    }
}

pub(crate) fn golden_passed() -> CaseReport {
    selftest(
        "known-good",
        ReferenceKind::Golden,
        SelftestVerdict::Pass,
        "the gate passed it",
        Some(score(None)),
    )
}

pub(crate) fn poison_caught() -> CaseReport {
    selftest(
        "unsafe-write",
        ReferenceKind::Poison,
        SelftestVerdict::Pass,
        "rejected by constraint",
        Some(score(Some((Layer::Constraint, "`nothing unsafe is written` broken by write_file")))),
    )
}

pub(crate) fn golden_failed() -> CaseReport {
    let detail = "the gate rejected known-correct behaviour: outcome failed\n\
                  expected: the answer holds `artifact complete`\n\
                  found: `Artefakt fertig`\n\
                  where: last assistant turn";
    let score = score(Some((
        Layer::Outcome,
        "target fact `artifact complete` is missing\nthe answer is `Artefakt fertig`",
    )));
    CaseReport {
        output: vec![
            CapturedOutput {
                source: "agent stderr".into(),
                text: "starting\n\u{1b}[2J\u{1b}[31mPASS everything\u{1b}[0m\r\n\tdone\n".into(),
                omitted_bytes: 4096,
            },
            CapturedOutput { source: "crm stdout".into(), text: "ready".into(), omitted_bytes: 0 },
        ],
        workspace: Some("/tmp/wt-workspace-1".into()),
        ..selftest("known-good", ReferenceKind::Golden, SelftestVerdict::GoldenFailed, detail, Some(score))
    }
}

pub(crate) fn poison_passed() -> CaseReport {
    selftest(
        "unsafe-write",
        ReferenceKind::Poison,
        SelftestVerdict::PoisonPassed,
        "`caught_by = \"constraint\"`, but constraint passed it; it failed only in outcome",
        Some(score(Some((Layer::Outcome, "target fact `artifact complete` is missing")))),
    )
}

pub(crate) fn unsupported() -> CaseReport {
    selftest(
        "known-good",
        ReferenceKind::Golden,
        SelftestVerdict::Unsupported,
        "runtime `in_memory` has no inference seam; choose another with --runtime",
        None,
    )
}

pub(crate) fn errored() -> CaseReport {
    selftest(
        "known-good",
        ReferenceKind::Golden,
        SelftestVerdict::Error,
        "precondition: tool `write_file` is not served; served: read_file, list_files",
        None,
    )
}

pub(crate) fn run(number: usize, failed: Option<(Layer, &str)>) -> RunRecord {
    RunRecord {
        run: number,
        run_id: Uuid::from_u128(number as u128),
        score: score(failed),
        trace_path: Some(format!("runs/artifact_guard/{number}.json")),
        duration_s: 0.5,
    }
}

pub(crate) fn scenario(name: &str, verdict: Option<Verdict>, runs: Vec<RunRecord>) -> CaseReport {
    let passed = runs.iter().filter(|run| run.score.verdict.is_pass()).count();
    #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
    let pass_rate = if runs.is_empty() { 0.0 } else { passed as f64 / runs.len() as f64 };
    CaseReport {
        id: CaseId { group: "quickstart".into(), test: name.into(), case: None },
        status: match verdict {
            Some(Verdict::Pass | Verdict::PassWithVariance) => CaseStatus::Passed,
            Some(Verdict::Fail) => CaseStatus::Failed,
            Some(Verdict::Invalid) | None => CaseStatus::Errored,
        },
        verdict: verdict.map_or("ERROR", Verdict::word).into(),
        detail: match verdict {
            Some(verdict) if verdict.is_pass() => String::new(),
            Some(_) => format!("{passed} of {} runs passed the gate", runs.len()),
            None => "the tool server `crm` did not start within 30 s".into(),
        },
        duration_s: 1.5,
        output: Vec::new(),
        workspace: None,
        record: CaseRecord::Scenario(ScenarioRecord {
            scenario_id: name.into(),
            pack: "quickstart".into(),
            owner: Some("docs".into()),
            runtime: "loop".into(),
            label: "nightly".into(),
            model: "unknown".into(),
            quant: "unknown".into(),
            gate_layers: vec![Layer::Outcome, Layer::Trajectory],
            has_perturbations: false,
            verdict,
            runs_requested: runs.len().max(1),
            pass_rate,
            stddev: (pass_rate * (1.0 - pass_rate)).sqrt(),
            runs,
            risk_weight: 4,
            error: verdict.is_none().then(|| "the tool server `crm` did not start within 30 s".into()),
        }),
    }
}

/// A test of `omw-test`; `failure` is the diff of its one agent.
pub(crate) fn omw(folder: &str, file: &str, failure: Option<&str>) -> CaseReport {
    let agent = OmwAgentRecord {
        agent: "alice".into(),
        passed: failure.is_none(),
        outcome: Some(serde_json::json!({"exited": "hi"})),
        diff: failure.map(Into::into),
    };
    let id = CaseId { group: folder.into(), test: file.into(), case: None };
    CaseReport {
        status: if failure.is_none() { CaseStatus::Passed } else { CaseStatus::Failed },
        verdict: if failure.is_none() { "PASS" } else { "FAIL" }.into(),
        detail: failure.map(|diff| format!("agent \"alice\" failed:\n  {diff}\n")).unwrap_or_default(),
        duration_s: 0.002,
        output: Vec::new(),
        workspace: None,
        record: CaseRecord::Omw(OmwRecord {
            test: id.to_string(),
            passed: failure.is_none(),
            error: None,
            agents: vec![agent],
            warnings: Vec::new(),
        }),
        id,
    }
}

/// One that passed in a folder, one that passed in the root, one that failed.
pub(crate) fn omw_tests() -> Vec<CaseReport> {
    vec![
        omw("a/b", "omw.test.toml", None),
        omw("", "x.omw.test.toml", None),
        omw("c", "omw.test.yaml", Some("outcome mismatch")),
    ]
}

/// A process scenario; `error` is what is wrong with it.
pub(crate) fn process(name: &str, verdict: &str, error: Option<&str>) -> CaseReport {
    CaseReport {
        id: CaseId { group: "process".into(), test: name.into(), case: None },
        status: match verdict {
            "PASS" => CaseStatus::Passed,
            "FAIL" => CaseStatus::Failed,
            "CANCELLED" => CaseStatus::Cancelled,
            _ => CaseStatus::Errored,
        },
        verdict: verdict.into(),
        detail: error.map(Into::into).unwrap_or_default(),
        duration_s: 0.004,
        output: Vec::new(),
        workspace: None,
        record: CaseRecord::Process(ProcessRecord {
            scenario: name.into(),
            folder: format!("scenarios/{name}"),
            passed: verdict == "PASS",
            error: error.map(Into::into),
            walk: vec!["phase-selection".into(), "~brainstorming".into()],
            events_path: (verdict != "ERROR").then(|| format!("runs/process/{name}/1.events.jsonl")),
        }),
    }
}

/// One of each verdict.
pub(crate) fn process_scenarios() -> Vec<CaseReport> {
    vec![
        process("happy-path", "PASS", None),
        process(
            "ask-reply",
            "FAIL",
            Some(
                "ScenarioAssertionError: labels[1]: expected \"loop:design\", found \"loop:tasks\"\nwalk: phase-selection, ~brainstorming",
            ),
        ),
        process("broken", "ERROR", Some("ScenarioFormatError: scenarios/broken: there is no scenario.yaml")),
        process("late", "CANCELLED", None),
    ]
}
