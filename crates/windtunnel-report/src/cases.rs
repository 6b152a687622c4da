//! The cases of a suite, collected in an order that does not depend on how many run side by side.

use indexmap::IndexMap;
use windtunnel_api::event::{CaseId, CaseReport, SuiteEvent};

/// Cases in the order they were started in, which is the order of the files.
#[derive(Debug, Default)]
pub(crate) struct Cases {
    by_id: IndexMap<CaseId, Option<CaseReport>>,
}

impl Cases {
    pub(crate) fn event(&mut self, event: &SuiteEvent) {
        match event {
            SuiteEvent::CaseStarted { id } => {
                self.by_id.entry(id.clone()).or_default();
            }
            SuiteEvent::CaseFinished(report) => {
                self.by_id.insert(report.id.clone(), Some(report.as_ref().clone()));
            }
            SuiteEvent::SuiteStarted { .. }
            | SuiteEvent::Notice { .. }
            | SuiteEvent::Cancelled
            | SuiteEvent::SuiteFinished { .. } => {}
        }
    }

    /// The cases that ended.
    pub(crate) fn finished(&self) -> impl Iterator<Item = &CaseReport> {
        self.by_id.values().flatten()
    }
}
