//! A test as a case of the case runner.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use async_trait::async_trait;
use camino::{Utf8Path, Utf8PathBuf};
use tokio::sync::mpsc::UnboundedSender;
use windtunnel_api::event::{
    CaseId, CaseRecord, CaseReport, CaseStatus, OmwAgentRecord, OmwRecord, SuiteEvent,
};
use windtunnel_doc::{Diagnostic, Diagnostics};
use windtunnel_spi::{CaseContext, TestCase};

use crate::config::Source;
use crate::host::trace::to_value;
use crate::testing::{AgentReport, Harness, Test, TestReport};

/// What the cases of a suite share.
pub(super) struct Shared {
    pub(super) harness: Harness,
    /// Where notices go.
    pub(super) events: UnboundedSender<SuiteEvent>,
    /// Whether whole reports are kept, for a dump.
    pub(super) keeps_reports: bool,
    /// What is left of each case, by its index.
    pub(super) results: Mutex<Vec<Option<CaseResult>>>,
}

/// What is left of a case besides its report to the case runner.
#[derive(Default)]
pub(super) struct CaseResult {
    /// The scripts of its agents; none if it could not be read.
    pub(super) scripts: Option<Vec<Utf8PathBuf>>,
    /// Where whole reports are kept.
    pub(super) report: Option<TestReport>,
}

/// A test of a suite. Its config is read when it runs, so that a malformed one fails alone.
pub(super) struct Case {
    pub(super) index: usize,
    pub(super) label: String,
    pub(super) source: Source,
    pub(super) shared: Arc<Shared>,
}

#[async_trait]
impl TestCase for Case {
    fn id(&self) -> CaseId {
        let label = Utf8Path::new(&self.label);
        let folder = label.parent().map(Utf8Path::as_str).unwrap_or_default();
        CaseId {
            group: folder.to_owned(),
            test: label.file_name().unwrap_or(&self.label).to_owned(),
            case: None,
        }
    }

    fn resource(&self) -> &'static str {
        // Tests share nothing.
        ""
    }

    async fn run(&self, context: CaseContext) -> CaseReport {
        let began = Instant::now();
        let mut result = CaseResult::default();
        let report = match Test::load(self.source.clone()) {
            Ok(test) => {
                result.scripts =
                    Some(test.config.agents.values().map(|agent| agent.script.clone()).collect());
                self.warn_of_config(&test.warnings);
                self.shared.harness.run_until(&test, &context.cancel).await
            }
            // Without the lines around: they may be secret, and reports are passed on.
            Err(problems) => TestReport::of_error(windtunnel_report::diagnostic_without_context(
                &problems.into_report(),
                false,
            )),
        };
        if report.passed() {
            report.warnings.iter().for_each(|warning| self.notice(warning));
        }
        let concluded = self.report(&report, began.elapsed().as_secs_f64());
        if self.shared.keeps_reports {
            result.report = Some(report);
        }
        self.keep(result);
        concluded
    }

    fn failed_to_run(&self, reason: &str) -> CaseReport {
        let report = TestReport::of_error(reason);
        let concluded = self.report(&report, 0.0);
        self.keep(CaseResult { scripts: None, report: Some(report).filter(|_| self.shared.keeps_reports) });
        concluded
    }
}

impl Case {
    fn report(&self, report: &TestReport, duration_s: f64) -> CaseReport {
        let (status, verdict) = match (report.cancelled, report.passed()) {
            (true, _) => (CaseStatus::Cancelled, "CANCELLED"),
            (false, true) => (CaseStatus::Passed, "PASS"),
            (false, false) => (CaseStatus::Failed, "FAIL"),
        };
        CaseReport {
            id: self.id(),
            status,
            verdict: verdict.to_owned(),
            detail: if status == CaseStatus::Failed { report.to_string() } else { String::new() },
            duration_s,
            output: Vec::new(),
            workspace: None,
            record: CaseRecord::Omw(OmwRecord {
                test: self.label.clone(),
                passed: report.passed(),
                error: report.error.clone(),
                agents: report.agents.iter().map(record).collect(),
                warnings: report.warnings.clone(),
            }),
        }
    }

    fn warn_of_config(&self, warnings: &[Diagnostic]) {
        for warning in warnings {
            self.notice(&Diagnostics::from(warning.clone()).to_string());
        }
    }

    fn notice(&self, text: &str) {
        // Nobody listens any more: then nobody misses it.
        let _ = self.shared.events.send(SuiteEvent::Notice { text: format!("{}: {text}", self.label) });
    }

    fn keep(&self, result: CaseResult) {
        let mut results = self.shared.results.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = results.get_mut(self.index) {
            *slot = Some(result);
        }
    }
}

fn record(agent: &AgentReport) -> OmwAgentRecord {
    OmwAgentRecord {
        agent: agent.agent.clone(),
        passed: agent.passed(),
        outcome: agent.outcome.as_ref().map(to_value),
        diff: agent.diff(),
    }
}
