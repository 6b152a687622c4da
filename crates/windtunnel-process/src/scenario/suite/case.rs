//! A scenario folder as the case runner sees it.

use std::io;

use async_trait::async_trait;
use camino::Utf8Path;
use jiff::Timestamp;
use windtunnel_api::event::{CaseId, CaseRecord, CaseReport, CaseStatus, ProcessRecord};
use windtunnel_spi::{CaseContext, TestCase};

use super::verdict::{StoredVerdict, VERDICT_VERSION};
use super::{TestFolder, load, room};
use crate::scenario::error::ScenarioError;
use crate::scenario::manifest::Scenario;
use crate::scenario::play::{Played, Player};
use crate::scenario::setup::Setup;
use crate::scenario::world;

/// The group that process scenarios are listed under.
const GROUP: &str = "process";

/// What is said of a case that was interrupted.
const STOPPED: &str = "stopped before its end";

/// A scenario folder as a case. It is read when it runs, so that a malformed one fails alone.
pub struct ScenarioCase {
    folder: TestFolder,
    setup: Setup,
}

#[async_trait]
impl TestCase for ScenarioCase {
    fn id(&self) -> CaseId {
        CaseId { group: GROUP.to_owned(), test: self.folder.name.clone(), case: None }
    }

    fn resource(&self) -> &'static str {
        // They share nothing.
        ""
    }

    async fn run(&self, context: CaseContext) -> CaseReport {
        let clock = &self.setup.seam.clock;
        let began = clock.now();
        let ready = self.prepare().await;
        let played = tokio::select! {
            biased;
            () = context.cancel.cancelled() => None,
            played = self.play(ready) => Some(played),
        };
        let ended = clock.now();
        let duration_s = ended.duration_since(began).as_secs_f64().max(0.0);
        let Some(played) = played else {
            return self.report(CaseStatus::Cancelled, Some(STOPPED.to_owned()), duration_s);
        };
        let report = self.report_of(&played, duration_s);
        match self.store(&played, &report, ended) {
            Ok(()) => report,
            Err(error) => self.report(CaseStatus::Errored, Some(error.to_string()), duration_s),
        }
    }

    fn failed_to_run(&self, reason: &str) -> CaseReport {
        self.report(CaseStatus::Errored, Some(reason.to_owned()), 0.0)
    }
}

impl ScenarioCase {
    /// The case of a folder.
    pub fn new(folder: TestFolder, setup: Setup) -> Self {
        Self { folder, setup }
    }

    /// Reads the scenario, and sees to what all worlds are copied from.
    async fn prepare(&self) -> Result<Scenario, ScenarioError> {
        let scenario = load(&self.folder, self.setup.graph())?;
        world::prepare().await?;
        Ok(scenario)
    }

    async fn play(&self, ready: Result<Scenario, ScenarioError>) -> Played {
        let scenario = match ready {
            Ok(scenario) => scenario,
            Err(error) => return error.into(),
        };
        // Given back when the world is gone.
        let _room = room::enter().await;
        let mut player = match Player::new(&scenario, &self.setup).await {
            Ok(player) => player,
            Err(error) => return error.into(),
        };
        while player.step().await {
            // Most steps wait for nothing: here it is seen that the case has to end, and others get to run.
            tokio::task::yield_now().await;
        }
        player.finish().await
    }

    fn report_of(&self, played: &Played, duration_s: f64) -> CaseReport {
        let error = played.outcome.as_ref().err();
        let mut report = self.report(status(error), error.map(ToString::to_string), duration_s);
        report.workspace = played.world.as_ref().map(ToString::to_string);
        if let CaseRecord::Process(record) = &mut report.record {
            record.walk.clone_from(&played.trace.walk);
            record.events_path = played.events_path.as_ref().map(ToString::to_string);
        }
        report
    }

    fn report(&self, status: CaseStatus, error: Option<String>, duration_s: f64) -> CaseReport {
        CaseReport {
            id: self.id(),
            status,
            verdict: verdict(status).to_owned(),
            detail: error.clone().unwrap_or_default(),
            duration_s,
            output: Vec::new(),
            workspace: None,
            record: CaseRecord::Process(ProcessRecord {
                scenario: self.folder.name.clone(),
                folder: self.folder.path.to_string(),
                passed: status == CaseStatus::Passed,
                error,
                walk: Vec::new(),
                events_path: None,
            }),
        }
    }

    /// Writes the verdict beside the event log, where that is kept. A play that was never begun has none.
    fn store(
        &self,
        played: &Played,
        report: &CaseReport,
        finished_at: Timestamp,
    ) -> Result<(), ScenarioError> {
        let (Some(events), CaseRecord::Process(record)) = (&played.events_path, &report.record) else {
            return Ok(());
        };
        let verdict = StoredVerdict {
            windtunnel_process_verdict: VERDICT_VERSION,
            verdict: report.verdict.clone(),
            graph: self.setup.graph().id().to_owned(),
            finished_at,
            duration_s: report.duration_s,
            labels: played.trace.labels.clone(),
            record: record.clone(),
        };
        verdict.write_beside(events).map_err(|error| unwritten(events, error))
    }
}

fn unwritten(events: &Utf8Path, error: io::Error) -> ScenarioError {
    ScenarioError::io(format!("cannot write {}", StoredVerdict::path_beside(events)))(error)
}

/// A scenario says no where something diverged. Anything else that goes wrong keeps it from saying anything.
fn status(error: Option<&ScenarioError>) -> CaseStatus {
    match error {
        None => CaseStatus::Passed,
        Some(ScenarioError::Assertion(_)) => CaseStatus::Failed,
        Some(
            ScenarioError::Format(_)
            | ScenarioError::Hermeticity { .. }
            | ScenarioError::Runtime { .. }
            | ScenarioError::Io { .. },
        ) => CaseStatus::Errored,
    }
}

fn verdict(status: CaseStatus) -> &'static str {
    match status {
        CaseStatus::Passed => "PASS",
        CaseStatus::Failed => "FAIL",
        CaseStatus::Errored | CaseStatus::Unsupported => "ERROR",
        CaseStatus::Cancelled => "CANCELLED",
    }
}
