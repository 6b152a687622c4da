//! The frame of a suite: build, `pre_run`, the cases, `post_run`, in this order and each once.

use std::sync::Arc;

use serde_json::Value;
use windtunnel_api::artifact::ledger::Sweep;
use windtunnel_api::event::SuiteEvent;
use windtunnel_spi::{HookPoint, TestCase};

use super::SuiteOptions;
use super::error::SuiteError;
use super::session::Interrupted;
use super::sessions::{Place, Sessions};
use crate::bench::Bench;
use crate::cases::{CasesRun, Ended, EventSender, Interrupts, Options, run_cases, tell};
use crate::scenario::hooks::observe;

/// What a suite is run with.
pub(crate) struct Stage<'a> {
    pub(crate) bench: &'a Bench,
    pub(crate) options: &'a SuiteOptions,
    pub(crate) events: &'a EventSender,
    pub(crate) interrupts: &'a mut Interrupts,
    pub(crate) watch: &'a dyn SuiteWatch,
}

/// What a suite is about to do.
pub(crate) struct Plan {
    /// The command's name.
    pub(crate) command: &'static str,
    pub(crate) wants: Wants,
    /// What the ledger rows share, where there are any.
    pub(crate) sweep: Option<Sweep>,
    /// How many cases there will be.
    pub(crate) cases: usize,
    /// How many of them need no runtime.
    pub(crate) beside: usize,
    /// What is worth telling before the first of them.
    pub(crate) notices: Vec<String>,
}

/// What a suite needs of its runtimes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wants {
    /// Live agents.
    Live,
    /// Agents that follow a script.
    Reference,
}

/// Is told what happens around the cases.
pub(crate) trait SuiteWatch: Sync {
    /// The runtimes stand; so many cases may run side by side.
    fn started(&self, _runtime: &str, _jobs: usize) {}

    /// Another suite holds a lock.
    fn lock_waiting(&self, _lock: &str, _holder: Option<Value>) {}

    /// A lock is held.
    fn lock_acquired(&self, _lock: &str, _waited_s: f64) {}
}

/// Nobody watches.
impl SuiteWatch for () {}

/// Runs the cases that `cases` makes of the scenarios, between the `pre_run` and the `post_run` of their runtimes.
pub(crate) async fn conduct(
    mut stage: Stage<'_>,
    mut sessions: Sessions,
    plan: Plan,
    cases: impl FnOnce(Vec<Place>) -> Vec<Arc<dyn TestCase>>,
) -> Result<CasesRun, SuiteError> {
    let limits = sessions.limits();
    let opened = open(&mut stage, &mut sessions, plan).await?;
    let (sessions, places) = sessions.share();
    let cases = cases(places);
    let Stage { bench, options, events, interrupts, .. } = stage;
    let run = if opened.is_ok() {
        let options = Options {
            jobs: options.jobs,
            case_timeout: bench.limits.case,
            fail_fast: options.fail_fast,
            resources: limits,
            ..Options::default()
        };
        run_cases(cases, &options, events, interrupts).await
    } else {
        tell(events, SuiteEvent::Cancelled);
        CasesRun { reports: Vec::new(), not_run: cases.len(), ended: Ended::Interrupted }
    };
    for session in &sessions {
        session.close(run.ended, interrupts).await;
        pack_ends(bench, session.packs());
    }
    bench.close();
    Ok(run)
}

/// Builds every runtime before any is prepared, so that wrong settings are refused before anything of a pack is touched and
/// before anything is waited for.
async fn open(
    stage: &mut Stage<'_>,
    sessions: &mut Sessions,
    plan: Plan,
) -> Result<Result<(), Interrupted>, SuiteError> {
    let built = build(sessions, plan.wants, stage.interrupts).await?;
    let (runtime, jobs) = (sessions.names(), sessions.max_concurrency(stage.options.jobs, plan.beside));
    stage.watch.started(&runtime, jobs);
    let command = plan.command.to_owned();
    tell(
        stage.events,
        SuiteEvent::SuiteStarted { command, runtime, cases: plan.cases, jobs, sweep: plan.sweep },
    );
    for text in plan.notices {
        tell(stage.events, SuiteEvent::Notice { text });
    }
    if built.is_err() {
        return Ok(built);
    }
    for session in sessions.by_name.values_mut() {
        if let Err(interrupted) = session.open(stage).await {
            return Ok(Err(interrupted));
        }
    }
    Ok(Ok(()))
}

async fn build(
    sessions: &mut Sessions,
    wants: Wants,
    interrupts: &mut Interrupts,
) -> Result<Result<(), Interrupted>, SuiteError> {
    for session in sessions.by_name.values_mut() {
        if let Err(interrupted) = session.build(wants, interrupts).await? {
            return Ok(Err(interrupted));
        }
    }
    Ok(Ok(()))
}

fn pack_ends<'a>(bench: &Bench, packs: impl Iterator<Item = &'a str>) {
    for pack in packs {
        for kept in observe(&bench.hooks, HookPoint::PackEnd { pack }) {
            kept.in_runs_folder(bench.seam.clock.now(), None, &bench.store, &bench.redactor);
        }
    }
}
