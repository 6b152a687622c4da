//! What is reported of a case that is over, however it got there.

use std::time::Duration;

use windtunnel_api::event::{CaseReport, CaseStatus};
use windtunnel_spi::TestCase;

use super::dispatcher::Cut;

/// What is left of a case that is over.
#[derive(Debug)]
pub(super) enum Remains {
    /// The report it returned.
    Report(Box<CaseReport>),
    /// The message of its panic.
    Panic(String),
    /// Nothing: it was aborted.
    Nothing,
}

/// The report of a case.
///
/// | asked to leave because of | left | report |
/// |---|---|---|
/// | nothing | a report | that one |
/// | its time limit | a report of anything but a cancellation | that one: it was done in time after all |
/// | its time limit | a report of its cancellation | ERROR that names the limit, with its output and workspace |
/// | an interrupt | a report | that one |
/// | nothing | a panic | ERROR with the panic's message |
/// | its time limit | a panic, or nothing | ERROR that names the limit and what became of the teardown |
/// | an interrupt | a panic, or nothing | cancelled |
pub(super) fn conclude(
    case: &dyn TestCase,
    cut: Option<Cut>,
    remains: Remains,
    limits: &Limits,
    took: Duration,
) -> CaseReport {
    let Limits { case_timeout, grace } = limits;
    let failed =
        |reason: String| CaseReport { duration_s: took.as_secs_f64(), ..case.failed_to_run(&reason) };
    let limit = format!("it passed the case limit of {} (timeouts.case_s)", seconds(*case_timeout));
    match (cut, remains) {
        (Some(Cut::TimeLimit), Remains::Report(report)) if report.status == CaseStatus::Cancelled => {
            CaseReport { output: report.output, workspace: report.workspace, ..failed(limit) }
        }
        (_, Remains::Report(report)) => *report,
        (None, Remains::Panic(message)) => failed(format!("it panicked: {message}")),
        (None, Remains::Nothing) => failed("it ended without a report".to_owned()),
        (Some(Cut::TimeLimit), Remains::Panic(message)) => {
            failed(format!("{limit}, and panicked while it tore down: {message}"))
        }
        (Some(Cut::TimeLimit), Remains::Nothing) => {
            failed(format!("{limit}, and had not torn down {} later", seconds(*grace)))
        }
        (Some(Cut::Interrupt), Remains::Panic(message)) => {
            cancelled(failed(format!("it was interrupted, and panicked while it tore down: {message}")))
        }
        (Some(Cut::Interrupt), Remains::Nothing) => {
            cancelled(failed("it was interrupted, and its teardown was not waited for".to_owned()))
        }
    }
}

/// The time limits that a report may name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Of the whole case.
    pub(super) case_timeout: Duration,
    /// Of the teardown after it.
    pub(super) grace: Duration,
}

fn cancelled(report: CaseReport) -> CaseReport {
    CaseReport { status: CaseStatus::Cancelled, ..report }
}

fn seconds(limit: Duration) -> String {
    format!("{} s", limit.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ScriptedCase, report};

    #[test]
    fn every_row_of_the_table() {
        let case = ScriptedCase::passing("c", "r");
        let limits = Limits { case_timeout: Duration::from_secs(300), grace: Duration::from_millis(2500) };
        let passed = || Remains::Report(Box::new(report("c", CaseStatus::Passed)));
        let left = || Remains::Report(Box::new(report("c", CaseStatus::Cancelled)));
        let panic = || Remains::Panic("boom".to_owned());
        for (cut, remains, status, detail) in [
            (None, passed(), CaseStatus::Passed, "reported"),
            (Some(Cut::TimeLimit), passed(), CaseStatus::Passed, "reported"),
            (
                Some(Cut::TimeLimit),
                left(),
                CaseStatus::Errored,
                "it passed the case limit of 300 s (timeouts.case_s)",
            ),
            (Some(Cut::Interrupt), left(), CaseStatus::Cancelled, "reported"),
            (None, panic(), CaseStatus::Errored, "it panicked: boom"),
            (None, Remains::Nothing, CaseStatus::Errored, "it ended without a report"),
            (
                Some(Cut::TimeLimit),
                panic(),
                CaseStatus::Errored,
                "it passed the case limit of 300 s (timeouts.case_s), and panicked while it tore down: boom",
            ),
            (
                Some(Cut::TimeLimit),
                Remains::Nothing,
                CaseStatus::Errored,
                "it passed the case limit of 300 s (timeouts.case_s), and had not torn down 2.5 s later",
            ),
            (
                Some(Cut::Interrupt),
                panic(),
                CaseStatus::Cancelled,
                "it was interrupted, and panicked while it tore down: boom",
            ),
            (
                Some(Cut::Interrupt),
                Remains::Nothing,
                CaseStatus::Cancelled,
                "it was interrupted, and its teardown was not waited for",
            ),
        ] {
            let report = conclude(&case, cut, remains, &limits, Duration::from_secs(1));
            assert_eq!((report.status, report.detail.as_str()), (status, detail), "{cut:?}");
        }
    }

    #[test]
    fn output_and_workspace_outlive_the_time_limit() {
        let case = ScriptedCase::passing("c", "r");
        let limits = Limits { case_timeout: Duration::from_secs(1), grace: Duration::from_secs(1) };
        let left = CaseReport { workspace: Some("/w".to_owned()), ..report("c", CaseStatus::Cancelled) };
        let report = conclude(
            &case,
            Some(Cut::TimeLimit),
            Remains::Report(Box::new(left)),
            &limits,
            Duration::from_secs(2),
        );
        assert_eq!(report.workspace.as_deref(), Some("/w"));
        assert!((report.duration_s - 2.0).abs() < f64::EPSILON);
    }
}
