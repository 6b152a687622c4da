//! The `run` suite.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
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

/// What came of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepOutcome {
    /// What the rows of the sweep have in common.
    pub sweep: Sweep,
    /// The scenarios that were started, in order.
    pub cases: Vec<CaseReport>,
    /// Scenarios that were never started.
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

/// Runs the selected scenarios so many times each. Every run is on disk the moment it is scored, every scenario is in the
/// ledger the moment its runs are over, and the event log tells how it goes.
///
/// # Errors
/// The request is wrong: nothing is selected, an unknown runtime, or wrong settings of one.
pub async fn sweep(
    bench: &Bench,
    runtimes: &Runtimes,
    selected: Vec<Found>,
    options: &SweepOptions,
    events: &EventSender,
    interrupts: &mut Interrupts,
) -> Result<SweepOutcome, SuiteError> {
    if selected.is_empty() {
        return Err(SuiteError::NothingSelected);
    }
    let (scenarios, runs) = (selected.len(), options.runs.max(1));
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
    let watch = SweepWatch { log: &log, scenarios, runs };
    let stage = Stage { bench, options: &options.suite, events, interrupts, watch: &watch };
    let plan = Plan {
        command: "run",
        wants: Wants::Live,
        sweep: Some(log.sweep.clone()),
        cases: scenarios,
        notices: Vec::new(),
    };

    let mut cases = Vec::new();
    let run = conduct(stage, sessions, plan, |places| {
        let case = |place| Arc::new(SweepCase::new(bench.clone(), place, runs, Arc::clone(&log)));
        cases = places.into_iter().map(case).collect();
        cases.iter().map(|case| Arc::clone(case) as Arc<dyn TestCase>).collect()
    })
    .await?;

    let cases: HashMap<CaseId, &Arc<SweepCase>> = cases.iter().map(|case| (case.id(), case)).collect();
    for report in &run.reports {
        if let Some(case) = cases.get(&report.id) {
            case.write_late(report);
        }
    }
    let exit = exit(&run.reports, run.ended);
    log.event(finished(exit, run.ended, scenarios, &run.reports));
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
    let verdicts = reports.iter().filter(|report| match &report.record {
        CaseRecord::Scenario(record) => record.verdict.is_some(),
        CaseRecord::Selftest(_) | CaseRecord::Omw(_) | CaseRecord::Process(_) => false,
    });
    let completed = verdicts.count();
    let cancelled = reports.iter().filter(|report| report.status == CaseStatus::Cancelled).count();
    SweepEvent::SweepFinished {
        exit_code: exit.code(),
        status: if ended.is_interrupt() { "interrupted" } else { "completed" }.to_owned(),
        scenarios,
        completed,
        errors: reports.len() - completed - cancelled,
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
        CaseRecord::Selftest(_) | CaseRecord::Omw(_) | CaseRecord::Process(_) => None,
    }))
}
