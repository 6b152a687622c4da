//! The `run` suite.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use windtunnel_api::Verdict;
use windtunnel_api::artifact::event::SweepEvent;
use windtunnel_api::artifact::ledger::{LedgerRow, Sweep};
use windtunnel_api::event::{CaseId, CaseRecord, CaseReport, CaseStatus, ScenarioRecord, SuiteEvent};
use windtunnel_api::exit::Exit;
use windtunnel_discovery::Found;
use windtunnel_spi::TestCase;

use super::case::SweepCase;
use super::host;
use super::log::{SweepLog, seconds};
use crate::bench::Bench;
use crate::cases::{Ended, EventSender, Interrupts, tell};
use crate::runtimes::Runtimes;
use crate::suite::{Plan, Sessions, Stage, SuiteError, SuiteOptions, SuiteWatch, Wants, conduct};

/// How scenarios are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepOptions {
    /// As for every suite.
    pub suite: SuiteOptions,
    /// Runs of each scenario; 0 counts as 1.
    pub runs: usize,
    /// What the sweep is called: the variant of its traces.
    pub label: String,
    /// The commit of the working folder, where there is one.
    pub git_sha: Option<String>,
}

/// What a sweep runs.
#[derive(Default)]
pub struct SweepCases {
    /// Scenarios, on the runtimes of their packs.
    pub scenarios: Vec<Found>,
    /// Cases beside them that need no runtime. They share jobs, limits and reports with the scenarios; ledger and event log, which
    /// are about scenarios, do not know them.
    pub beside: Vec<Arc<dyn TestCase>>,
}

impl From<Vec<Found>> for SweepCases {
    fn from(scenarios: Vec<Found>) -> Self {
        Self { scenarios, beside: Vec::new() }
    }
}

/// What came of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepOutcome {
    /// What the rows of the sweep have in common.
    pub sweep: Sweep,
    /// The scenarios that were started, in order, and then the cases beside them.
    pub cases: Vec<CaseReport>,
    /// Cases that were never started.
    pub not_run: usize,
    /// How the suite ended.
    pub ended: Ended,
    /// How the command ends.
    pub exit: Exit,
}

impl SweepOutcome {
    /// The records of the scenarios, in order.
    pub fn records(&self) -> impl Iterator<Item = &ScenarioRecord> {
        self.cases.iter().filter_map(|report| match &report.record {
            CaseRecord::Scenario(record) => Some(record),
            CaseRecord::Selftest(_) | CaseRecord::Omw(_) | CaseRecord::Process(_) => None,
        })
    }

    /// The ledger's rows of the scenarios, in order.
    pub fn rows(&self) -> Vec<LedgerRow> {
        self.records().map(|record| LedgerRow::new(record, &self.sweep)).collect()
    }
}

/// Runs the selected scenarios so many times each, and the cases beside them once. Every run is on disk the moment it is scored,
/// every scenario is in the ledger the moment its runs are over, and the event log tells how it goes. Without any scenario there is
/// neither.
///
/// # Errors
/// The request is wrong: nothing is selected, an unknown runtime, or wrong settings of one.
pub async fn sweep(
    bench: &Bench,
    runtimes: &Runtimes,
    selected: impl Into<SweepCases>,
    options: &SweepOptions,
    events: &EventSender,
    interrupts: &mut Interrupts,
) -> Result<SweepOutcome, SuiteError> {
    let SweepCases { scenarios: selected, beside } = selected.into();
    let (scenarios, runs) = (selected.len(), options.runs.max(1));
    if scenarios + beside.len() == 0 {
        return Err(SuiteError::NothingSelected);
    }
    let began = bench.seam.clock.now();
    let sessions = Sessions::group(selected, runtimes, &options.suite)?;
    let sweep = Sweep {
        sweep_id: format!("{:012x}", bench.seam.ids.id().as_u128() & 0xffff_ffff_ffff),
        label: options.label.clone(),
        ts: seconds(began),
        git_sha: options.git_sha.clone(),
        wt_version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let log = Arc::new(SweepLog::new(sweep, Arc::clone(&bench.store), bench.seam.clone(), events.clone()));
    let watch: &dyn SuiteWatch = if scenarios > 0 { &SweepWatch { log: &log, scenarios, runs } } else { &() };
    let stage = Stage { bench, options: &options.suite, events, interrupts, watch };
    let plan = Plan {
        command: "run",
        wants: Wants::Live,
        sweep: (scenarios > 0).then(|| log.sweep.clone()),
        cases: scenarios + beside.len(),
        beside: beside.len(),
        notices: Vec::new(),
    };

    let mut cases = Vec::new();
    let run = conduct(stage, sessions, plan, |places| {
        let case = |place| Arc::new(SweepCase::new(bench.clone(), place, runs, Arc::clone(&log)));
        cases = places.into_iter().map(case).collect();
        cases.iter().map(|case| Arc::clone(case) as Arc<dyn TestCase>).chain(beside).collect()
    })
    .await?;

    let cases: HashMap<CaseId, &Arc<SweepCase>> = cases.iter().map(|case| (case.id(), case)).collect();
    for report in &run.reports {
        if let Some(case) = cases.get(&report.id) {
            case.write_late(report);
        }
    }
    let exit = exit(&run.reports, run.ended);
    if scenarios > 0 {
        log.event(finished(exit, run.ended, scenarios, &run.reports));
    }
    let duration_s = bench.seam.clock.now().duration_since(began).as_secs_f64().max(0.0);
    tell(events, SuiteEvent::SuiteFinished { duration_s, not_run: run.not_run });
    let sweep = log.sweep.clone();
    Ok(SweepOutcome { sweep, cases: run.reports, not_run: run.not_run, ended: run.ended, exit })
}

/// Writes what happens around the cases into the event log.
struct SweepWatch<'a> {
    log: &'a SweepLog,
    scenarios: usize,
    runs: usize,
}

impl SuiteWatch for SweepWatch<'_> {
    fn started(&self, runtime: &str, jobs: usize) {
        self.log.event(SweepEvent::SweepStarted {
            pid: std::process::id(),
            host: host::name(),
            runtime: runtime.to_owned(),
            scenarios: self.scenarios,
            runs_per_scenario: self.runs,
            scheduler: if jobs > 1 { "parallel" } else { "serial" }.to_owned(),
            max_concurrency: jobs,
            tier: None,
            question: None,
            expect: None,
            budget_s: None,
        });
    }

    fn lock_waiting(&self, lock: &str, holder: Option<Value>) {
        self.log.event(SweepEvent::LockWaiting { lock: lock.to_owned(), holder });
    }

    fn lock_acquired(&self, lock: &str, waited_s: f64) {
        self.log.event(SweepEvent::LockAcquired { lock: lock.to_owned(), waited_s });
    }
}

fn finished(exit: Exit, ended: Ended, scenarios: usize, reports: &[CaseReport]) -> SweepEvent {
    let (mut completed, mut errors) = (0, 0);
    for report in reports {
        let CaseRecord::Scenario(record) = &report.record else { continue };
        match (record.verdict, report.status) {
            (Some(_), _) => completed += 1,
            (None, CaseStatus::Cancelled) => {}
            (None, _) => errors += 1,
        }
    }
    SweepEvent::SweepFinished {
        exit_code: exit.code(),
        status: if ended.is_interrupt() { "interrupted" } else { "completed" }.to_owned(),
        scenarios,
        completed,
        errors,
        budget_exhausted: false,
    }
}

/// | interrupted | verdicts | exit |
/// |---|---|---|
/// | yes | any | interrupted |
/// | no | any | as the verdicts say |
fn exit(reports: &[CaseReport], ended: Ended) -> Exit {
    if ended.is_interrupt() {
        return Exit::Interrupted;
    }
    Exit::of_run(reports.iter().map(|report| match &report.record {
        CaseRecord::Scenario(record) => record.verdict,
        CaseRecord::Process(record) => record.passed.then_some(Verdict::Pass),
        CaseRecord::Selftest(_) | CaseRecord::Omw(_) => None,
    }))
}
