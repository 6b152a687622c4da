//! The report that CI systems read.

use std::time::Duration;

use indexmap::IndexMap;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use windtunnel_api::artifact::ascii::escape_json;
use windtunnel_api::artifact::score::{Layer, Verdict};
use windtunnel_api::event::{
    CaseRecord, CaseReport, CaseStatus, OmwRecord, ProcessRecord, ScenarioRecord, SuiteEvent,
};
use windtunnel_api::selftest::{SelftestRecord, SelftestVerdict};

use crate::cases::Cases;
use crate::text::{line, xml};
use crate::{Output, ReportError, Reporter};

/// `JUnit` XML, written when the suite is over.
///
/// | | suite | class | name | failure type |
/// |---|---|---|---|---|
/// | `wt selftest` | `windtunnel.selftest.<runtime>` | `<pack>.<scenario>` | the reference case | `GOLDEN_FAILED`, `POISON_PASSED`, `ERROR` |
/// | `wt run` | the pack | the pack | the scenario | `windtunnel.FAIL`, `windtunnel.INVALID`, `windtunnel.ERROR` |
/// | `wt run`, process scenarios | `process` | `process` | the scenario | `windtunnel.FAIL`, `windtunnel.ERROR` |
/// | `omw-test` | `omw-test` | the folder | the test's path | `FAIL` |
///
/// The record of a reference case is the `system-out` of its test case, as JSON. What agent and servers wrote during a case
/// that did not pass is its `system-err`.
pub struct Junit {
    runtime: String,
    duration_s: Option<f64>,
    cases: Cases,
    output: Output,
}

impl Junit {
    /// The report, to be written there.
    pub fn new(output: Output) -> Self {
        Self { runtime: String::new(), duration_s: None, cases: Cases::default(), output }
    }

    fn report(&self) -> Result<Report, ReportError> {
        let mut suites: IndexMap<String, TestSuite> = IndexMap::new();
        for case in self.cases.finished() {
            let (name, mut test) = match &case.record {
                CaseRecord::Selftest(record) => {
                    (format!("windtunnel.selftest.{}", self.runtime), selftest(record)?)
                }
                CaseRecord::Scenario(record) => (record.pack.clone(), scenario(record, &case.detail)),
                CaseRecord::Omw(record) => ("omw-test".to_owned(), omw(record, case)),
                CaseRecord::Process(record) => (case.id.group.clone(), process(record, case)),
            };
            test.set_time(seconds(case.duration_s));
            if !matches!(test.status, TestCaseStatus::Success { .. }) && !case.output.is_empty() {
                test.set_system_err(xml(&outputs(case)));
            }
            let suite = suites.entry(name).or_insert_with_key(|name| TestSuite::new(xml(name)));
            let time = suite.time.unwrap_or_default().saturating_add(seconds(case.duration_s));
            suite.set_time(time);
            suite.add_test_case(test);
        }
        let mut report = Report::unnamed();
        report.add_test_suites(suites.into_values());
        if let Some(duration_s) = self.duration_s {
            report.set_time(seconds(duration_s));
        }
        Ok(report)
    }
}

impl Reporter for Junit {
    fn event(&mut self, event: &SuiteEvent) -> Result<(), ReportError> {
        match event {
            SuiteEvent::SuiteStarted { runtime, .. } => self.runtime.clone_from(runtime),
            SuiteEvent::SuiteFinished { duration_s, .. } => self.duration_s = Some(*duration_s),
            SuiteEvent::CaseStarted { .. }
            | SuiteEvent::CaseFinished(_)
            | SuiteEvent::Notice { .. }
            | SuiteEvent::Cancelled => {}
        }
        self.cases.event(event);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        let text = self.report()?.to_string()?;
        self.output.deliver(&text)
    }
}

fn selftest(record: &SelftestRecord) -> Result<TestCase, ReportError> {
    let first_line = record.detail.lines().next().unwrap_or_default();
    let status = match record.verdict {
        SelftestVerdict::Pass => TestCaseStatus::success(),
        SelftestVerdict::Unsupported => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(attribute(first_line));
            status
        }
        SelftestVerdict::GoldenFailed | SelftestVerdict::PoisonPassed | SelftestVerdict::Error => {
            failure(NonSuccessKind::Failure, first_line, record.verdict.word(), &record.detail)
        }
    };
    let mut test = TestCase::new(attribute(&record.case), status);
    test.set_classname(attribute(&format!("{}.{}", record.pack, record.scenario_id)));
    test.set_system_out(escape_json(serde_json::to_string(record)?));
    Ok(test)
}

fn scenario(record: &ScenarioRecord, detail: &str) -> TestCase {
    let status = match record.verdict {
        Some(Verdict::Pass | Verdict::PassWithVariance) => TestCaseStatus::success(),
        Some(verdict @ (Verdict::Fail | Verdict::Invalid)) => {
            let message = format!("{verdict}: {}/{} gate pass", passed(record), record.runs.len());
            let kind = format!("windtunnel.{verdict}");
            failure(NonSuccessKind::Failure, &message, &kind, &scenario_text(record))
        }
        None => {
            let error = record.error.as_deref().unwrap_or(detail);
            let message = format!("ERROR: {}", error.lines().next().unwrap_or_default());
            failure(NonSuccessKind::Error, &message, "windtunnel.ERROR", error)
        }
    };
    let mut test = TestCase::new(attribute(&record.scenario_id), status);
    test.set_classname(attribute(&record.pack));
    test
}

fn process(record: &ProcessRecord, case: &CaseReport) -> TestCase {
    let first_line = case.detail.lines().next().unwrap_or_default();
    let events = record.events_path.as_ref().map(|path| format!("\nevents: {path}"));
    let told = case.detail.clone() + events.as_deref().unwrap_or_default();
    let failed = |kind| failure(kind, first_line, &format!("windtunnel.{}", case.verdict), &told);
    let status = match case.status {
        CaseStatus::Passed => TestCaseStatus::success(),
        CaseStatus::Cancelled => stopped(),
        CaseStatus::Failed => failed(NonSuccessKind::Failure),
        CaseStatus::Errored | CaseStatus::Unsupported => failed(NonSuccessKind::Error),
    };
    let mut test = TestCase::new(attribute(&record.scenario), status);
    test.set_classname(attribute(&case.id.group));
    test
}

fn omw(record: &OmwRecord, case: &CaseReport) -> TestCase {
    let status = match case.status {
        CaseStatus::Passed => TestCaseStatus::success(),
        CaseStatus::Cancelled => stopped(),
        CaseStatus::Failed | CaseStatus::Errored | CaseStatus::Unsupported => {
            let first_line = case.detail.lines().next().unwrap_or_default();
            failure(NonSuccessKind::Failure, first_line, "FAIL", &case.detail)
        }
    };
    let mut test = TestCase::new(attribute(&record.test), status);
    // Some readers drop a test case without a class.
    let class = if case.id.group.is_empty() { "." } else { &case.id.group };
    test.set_classname(attribute(class));
    test
}

fn stopped() -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message("stopped before its end");
    status
}

fn failure(kind: NonSuccessKind, message: &str, name: &str, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(attribute(message)).set_type(name).set_description(xml(text));
    status
}

fn passed(record: &ScenarioRecord) -> usize {
    record.runs.iter().filter(|run| run.score.verdict.is_pass()).count()
}

/// Nine lines about the scenario, then for every run its id and its layers.
fn scenario_text(record: &ScenarioRecord) -> String {
    let gate: Vec<_> = record.gate_layers.iter().map(|layer| layer.name()).collect();
    let mut lines = vec![
        format!("scenario_id: {}", record.scenario_id),
        format!("pack: {}", record.pack),
        format!("owner: {}", record.owner.as_deref().unwrap_or("-")),
        format!("runtime: {}", record.runtime),
        format!("label: {}", record.label),
        format!("gate_layers: {}", gate.join(", ")),
        format!("passed: {} of {} runs", passed(record), record.runs.len()),
        format!("pass_rate: {:.2} ± {:.2}", record.pass_rate, record.stddev),
        format!("risk_weight: {}", record.risk_weight),
    ];
    for run in &record.runs {
        lines.push(format!("run {}: {}", run.run, run.run_id));
        lines.extend(Layer::ALL.into_iter().map(|layer| {
            let score = run.score.layer(layer);
            format!("{layer}: {} {}", if score.passed { "pass" } else { "FAIL" }, score.detail)
        }));
    }
    lines.join("\n")
}

fn outputs(case: &CaseReport) -> String {
    let parts = case.output.iter().map(|output| {
        let omitted = match output.omitted_bytes {
            0 => String::new(),
            bytes => format!(" ({bytes} bytes before it left out)"),
        };
        format!("--- {}{omitted}\n{}", output.source, output.text)
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// XML readers turn line breaks in attributes into spaces, so they are written out.
fn attribute(text: &str) -> String {
    xml(&line(text))
}

fn seconds(duration_s: f64) -> Duration {
    Duration::try_from_secs_f64(duration_s).unwrap_or_default()
}
