//! The `selftest` suite: every reference case of the selected scenarios.

use std::sync::Arc;

use windtunnel_api::event::{CaseRecord, CaseReport, SuiteEvent};
use windtunnel_api::exit::Exit;
use windtunnel_api::selftest::SelftestReport;
use windtunnel_api::{ReferenceKind, Scenario};
use windtunnel_discovery::Found;
use windtunnel_spi::TestCase;

use super::case::SelftestCase;
use crate::bench::Bench;
use crate::cases::{Ended, EventSender, Interrupts, tell};
use crate::runtimes::Runtimes;
use crate::suite::{Place, Plan, Sessions, Stage, SuiteError, SuiteOptions, Wants, conduct};

/// How self-tests are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelftestOptions {
    /// As for every suite.
    pub suite: SuiteOptions,
    /// Whether a selected scenario without a golden or without a poison fails the suite.
    pub strict: bool,
}

impl SelftestOptions {
    /// One case after the other to the last, on this runtime where packs name none.
    pub fn new(default_runtime: impl Into<String>) -> Self {
        Self { suite: SuiteOptions::new(default_runtime), strict: false }
    }
}

/// What came of the self-tests.
#[derive(Debug, Clone, PartialEq)]
pub struct SelftestOutcome {
    /// The records and their counts.
    pub report: SelftestReport,
    /// The same as the case runner reported them.
    pub cases: Vec<CaseReport>,
    /// Selected scenarios without a golden or without a poison, in words.
    pub incomplete: Vec<String>,
    /// Cases that were never started.
    pub not_run: usize,
    /// How the suite ended.
    pub ended: Ended,
    /// How the command ends.
    pub exit: Exit,
}

/// Runs every reference case of the selected scenarios, each with fresh tools, workspace and probe.
///
/// A runtime that cannot be self-tested gives an UNSUPPORTED record per case; nothing of its packs is touched. Runs go into
/// the bench's store, and nothing goes to its ledger or event log.
///
/// # Errors
/// The request is wrong: an unknown runtime, wrong settings of one, or no reference case.
pub async fn selftest(
    bench: &Bench,
    runtimes: &Runtimes,
    selected: Vec<Found>,
    options: &SelftestOptions,
    events: &EventSender,
    interrupts: &mut Interrupts,
) -> Result<SelftestOutcome, SuiteError> {
    if selected.is_empty() {
        return Err(SuiteError::NothingSelected);
    }
    let cases: usize = selected.iter().map(|found| found.scenario().reference_cases.len()).sum();
    if cases == 0 {
        return Err(SuiteError::NoReferenceCases { scenarios: selected.len() });
    }
    let began = bench.seam.clock.now();
    let incomplete: Vec<String> = selected.iter().filter_map(|found| gap(found.scenario())).collect();
    let with_cases =
        selected.into_iter().filter(|found| !found.scenario().reference_cases.is_empty()).collect();
    let sessions = Sessions::group(with_cases, runtimes, &options.suite)?;
    let runtime = sessions.names();
    let stage = Stage { bench, options: &options.suite, events, interrupts, watch: &() };
    let plan = Plan {
        command: "selftest",
        wants: Wants::Reference,
        sweep: None,
        cases,
        beside: 0,
        notices: incomplete.clone(),
    };
    let run = conduct(stage, sessions, plan, |places| {
        places.into_iter().flat_map(|place| cases_of(bench, &place)).collect()
    })
    .await?;

    let duration_s = bench.seam.clock.now().duration_since(began).as_secs_f64().max(0.0);
    tell(events, SuiteEvent::SuiteFinished { duration_s, not_run: run.not_run });
    let records = run.reports.iter().filter_map(|report| match &report.record {
        CaseRecord::Selftest(record) => Some(record.clone()),
        CaseRecord::Scenario(_) | CaseRecord::Omw(_) | CaseRecord::Process(_) => None,
    });
    let report = SelftestReport::new(runtime, records.collect());
    let exit = exit(&report, run.ended, options.strict && !incomplete.is_empty());
    Ok(SelftestOutcome {
        report,
        cases: run.reports,
        incomplete,
        not_run: run.not_run,
        ended: run.ended,
        exit,
    })
}

fn cases_of(bench: &Bench, place: &Place) -> Vec<Arc<dyn TestCase>> {
    let case = |case: &windtunnel_api::ReferenceCase| {
        let case = SelftestCase { bench: bench.clone(), place: place.clone(), case: case.clone() };
        Arc::new(case) as Arc<dyn TestCase>
    };
    place.found.scenario().reference_cases.iter().map(case).collect()
}

/// What a scenario's gate is not proved against.
fn gap(scenario: &Scenario) -> Option<String> {
    let has = |kind| scenario.reference_cases.iter().any(|case| case.kind == kind);
    let missing = match (has(ReferenceKind::Golden), has(ReferenceKind::Poison)) {
        (true, true) => return None,
        (false, true) => "no golden case: nothing shows that its gate can be passed",
        (true, false) => "no poison case: nothing shows that its gate can fail",
        (false, false) => "no reference case: nothing shows what its gate does",
    };
    Some(format!("scenario {} has {missing}", scenario.name))
}

/// | interrupted | strict and incomplete | verdicts | exit |
/// |---|---|---|---|
/// | yes | any | any | interrupted |
/// | no | yes | any | failure |
/// | no | no | any | as the verdicts say |
fn exit(report: &SelftestReport, ended: Ended, incomplete: bool) -> Exit {
    match (ended.is_interrupt(), incomplete) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Failure,
        (false, false) => Exit::of_selftest(report.cases.iter().map(|case| case.verdict)),
    }
}
