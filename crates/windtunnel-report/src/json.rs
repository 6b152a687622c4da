//! The machine-readable report.

use serde::Serialize;
use serde_json::Value;
use windtunnel_api::artifact::ledger::{LedgerRow, Sweep};
use windtunnel_api::event::{CaseRecord, SuiteEvent};
use windtunnel_api::selftest::SelftestReport;

use crate::cases::Cases;
use crate::{Output, ReportError, Reporter};

/// JSON, written when the suite is over: for `wt selftest` a [`SelftestReport`], for `wt run` the list of its ledger rows.
/// Cases are in the order they were started in.
pub struct JsonReport {
    shape: Shape,
    cases: Cases,
    output: Output,
}

enum Shape {
    Selftest { runtime: String },
    Ledger { sweep: Option<Sweep> },
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

    fn text(&self) -> serde_json::Result<String> {
        let records = self.cases.finished().map(|case| &case.record);
        match &self.shape {
            Shape::Selftest { runtime } => {
                let records = records.filter_map(|record| match record {
                    CaseRecord::Selftest(record) => Some(record.clone()),
                    CaseRecord::Scenario(_) => None,
                });
                pretty(&SelftestReport::new(runtime, records.collect()))
            }
            Shape::Ledger { sweep } => {
                let rows = records.filter_map(|record| match (record, sweep) {
                    (CaseRecord::Scenario(record), Some(sweep)) => {
                        Some(LedgerRow::new(record, sweep).sorted())
                    }
                    (CaseRecord::Scenario(_) | CaseRecord::Selftest(_), _) => None,
                });
                pretty(&rows.collect::<serde_json::Result<Vec<Value>>>()?)
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
