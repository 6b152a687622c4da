//! Lines that another program can read: a word and a name.

use windtunnel_api::event::{CaseReport, CaseStatus};

use super::colour::Palette;
use crate::text::{block, line};

/// What is written about one thing, by stream.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) out: String,
    pub(super) err: String,
}

/// The counts of a suite in plain style.
#[derive(Debug, Default)]
pub(super) struct Plain {
    passed: usize,
    failed: Vec<String>,
    stopped: usize,
}

impl Plain {
    /// `PASS path`, and the details of one that failed beside it.
    pub(super) fn case(&mut self, report: &CaseReport, palette: Palette) -> Shown {
        let label = report.id.to_string();
        let label = line(&label);
        let word = match report.status {
            CaseStatus::Passed => {
                self.passed += 1;
                "PASS"
            }
            CaseStatus::Failed | CaseStatus::Errored | CaseStatus::Unsupported => {
                self.failed.push(label.clone().into_owned());
                "FAIL"
            }
            CaseStatus::Cancelled => {
                self.stopped += 1;
                return Shown { out: String::new(), err: format!("{label}: stopped before its end\n") };
            }
        };
        let out = format!("{} {label}\n", palette.paint(report.status.into(), word));
        let err = if report.status == CaseStatus::Passed { String::new() } else { details(&label, report) };
        Shown { out, err }
    }

    /// `3 passed, 1 failed`, and beside it the names of those that failed.
    pub(super) fn end(&self, command: &str, not_run: usize) -> Shown {
        let out = format!("{} passed, {} failed\n", self.passed, self.failed.len());
        let without_verdict = not_run + self.stopped;
        let not_run = (without_verdict > 0)
            .then(|| format!("{command}: {without_verdict} test(s) were not run to their end\n"));
        let failed = (!self.failed.is_empty()).then(|| {
            format!("{command}: {} test(s) failed: {}\n", self.failed.len(), self.failed.join(", "))
        });
        let err = not_run.into_iter().chain(failed).collect();
        Shown { out, err }
    }
}

fn details(label: &str, report: &CaseReport) -> String {
    let mut text = format!("{label}:\n");
    for line in block(&report.detail).lines() {
        let line = line.trim_end();
        if !line.is_empty() {
            text += "    ";
            text += line;
        }
        text.push('\n');
    }
    text
}
