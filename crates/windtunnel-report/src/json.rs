//! The machine-readable report.

use serde::Serialize;
use serde_json::Value;
use windtunnel_api::artifact::ledger::{LedgerRow, Sweep};
use windtunnel_api::event::{CaseRecord, CaseReport, CaseStatus, OmwRecord, ProcessRecord, SuiteEvent};
use windtunnel_api::selftest::SelftestReport;

use crate::cases::Cases;
use crate::{Output, ReportError, Reporter};

/// JSON, written when the suite is over: for `wt selftest` a [`SelftestReport`], for `wt run` the list of its ledger rows and of
/// its process scenarios, for `omw-test` its tests and their counts. Cases are in the order they were started in.
pub struct JsonReport {
    shape: Shape,
    cases: Cases,
    output: Output,
}

enum Shape {
    Selftest { runtime: String },
    Ledger { sweep: Option<Sweep> },
    Omw,
}

/// The version of the report of `omw-test`.
const OMW_VERSION: u32 = 1;

/// The report of `omw-test`.
#[derive(Serialize)]
struct OmwReport<'a> {
    omw_test: u32,
    summary: OmwSummary,
    tests: Vec<OmwTest<'a>>,
}

#[derive(Serialize)]
struct OmwSummary {
    tests: usize,
    passed: usize,
    failed: usize,
    /// Stopped before they had a verdict.
    cancelled: usize,
}

#[derive(Serialize)]
struct OmwTest<'a> {
    #[serde(flatten)]
    record: &'a OmwRecord,
    duration_s: f64,
    #[serde(skip)]
    status: CaseStatus,
}

impl<'a> OmwReport<'a> {
    fn new(tests: Vec<OmwTest<'a>>) -> Self {
        let count = |status| tests.iter().filter(|test| test.status == status).count();
        let (passed, cancelled) = (count(CaseStatus::Passed), count(CaseStatus::Cancelled));
        let failed = tests.len() - passed - cancelled;
        let summary = OmwSummary { tests: tests.len(), passed, failed, cancelled };
        Self { omw_test: OMW_VERSION, summary, tests }
    }
}

/// A process scenario between the ledger rows of `wt run`, told from them by its `kind`.
#[derive(Serialize)]
struct ProcessRow<'a> {
    kind: &'static str,
    #[serde(flatten)]
    record: &'a ProcessRecord,
    verdict: &'a str,
    duration_s: f64,
}

impl<'a> ProcessRow<'a> {
    fn new(record: &'a ProcessRecord, case: &'a CaseReport) -> Self {
        Self { kind: "process", record, verdict: &case.verdict, duration_s: case.duration_s }
    }
}

impl JsonReport {
    /// The report of `wt selftest`.
    pub fn selftest(output: Output) -> Self {
        Self { shape: Shape::Selftest { runtime: String::new() }, cases: Cases::default(), output }
    }

    /// The report of `wt run`.
    pub fn run(output: Output) -> Self {
        Self { shape: Shape::Ledger { sweep: None }, cases: Cases::default(), output }
    }

    /// The report of `omw-test`.
    pub fn omw(output: Output) -> Self {
        Self { shape: Shape::Omw, cases: Cases::default(), output }
    }

    fn text(&self) -> serde_json::Result<String> {
        match &self.shape {
            Shape::Selftest { runtime } => {
                let records = self.cases.finished().filter_map(|case| match &case.record {
                    CaseRecord::Selftest(record) => Some(record.clone()),
                    CaseRecord::Scenario(_) | CaseRecord::Omw(_) | CaseRecord::Process(_) => None,
                });
                pretty(&SelftestReport::new(runtime, records.collect()))
            }
            Shape::Ledger { sweep } => {
                let rows = self.cases.finished().filter_map(|case| match (&case.record, sweep) {
                    (CaseRecord::Scenario(record), Some(sweep)) => {
                        Some(LedgerRow::new(record, sweep).sorted())
                    }
                    (CaseRecord::Process(record), _) => {
                        Some(serde_json::to_value(ProcessRow::new(record, case)))
                    }
                    (CaseRecord::Scenario(_) | CaseRecord::Selftest(_) | CaseRecord::Omw(_), _) => None,
                });
                pretty(&rows.collect::<serde_json::Result<Vec<Value>>>()?)
            }
            Shape::Omw => {
                let tests = self.cases.finished().filter_map(|case| match &case.record {
                    CaseRecord::Omw(record) => {
                        Some(OmwTest { record, duration_s: case.duration_s, status: case.status })
                    }
                    CaseRecord::Scenario(_) | CaseRecord::Selftest(_) | CaseRecord::Process(_) => None,
                });
                pretty(&OmwReport::new(tests.collect()))
            }
        }
    }
}

fn pretty(report: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(report)? + "\n")
}

impl Reporter for JsonReport {
    fn event(&mut self, event: &SuiteEvent) -> Result<(), ReportError> {
        if let SuiteEvent::SuiteStarted { runtime: name, sweep: started, .. } = event {
            match &mut self.shape {
                Shape::Selftest { runtime } => runtime.clone_from(name),
                Shape::Ledger { sweep } => sweep.clone_from(started),
                Shape::Omw => {}
            }
        }
        self.cases.event(event);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        let text = self.text()?;
        self.output.deliver(&text)
    }
}
