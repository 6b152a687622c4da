//! What came of a scenario's runs.

use std::sync::Arc;

use camino::Utf8PathBuf;
use windtunnel_api::event::{CapturedOutput, RunRecord};
use windtunnel_api::{Score, Trace};

use super::error::ScenarioError;

/// What came of a scenario's runs.
#[derive(Debug)]
pub struct ScenarioOutcome {
    /// The runs that were scored and stored, in order; also those before an error.
    pub runs: Vec<ScoredRun>,
    /// Why further runs could not be made.
    pub error: Option<ScenarioError>,
    /// What the agent and the tool servers wrote to their outputs.
    pub output: Vec<CapturedOutput>,
    /// The workspace, where it is kept.
    pub workspace: Option<Utf8PathBuf>,
}

/// A run that was scored and stored.
#[derive(Debug, Clone)]
pub struct ScoredRun {
    /// From 1.
    pub run: usize,
    /// What was seen.
    pub trace: Arc<Trace>,
    /// What the gate says of it.
    pub score: Score,
    /// Where the trace is.
    pub trace_path: Utf8PathBuf,
    /// How long it took, in seconds.
    pub duration_s: f64,
}

impl ScoredRun {
    /// The run as reports and ledger rows know it.
    pub fn record(&self) -> RunRecord {
        RunRecord {
            run: self.run,
            run_id: self.trace.run_id,
            score: self.score.clone(),
            trace_path: Some(self.trace_path.to_string()),
            duration_s: self.duration_s,
        }
    }
}

/// Is told of runs as they happen.
pub trait RunObserver: Send {
    /// A run begins; from 1.
    fn run_started(&mut self, _run: usize) {}

    /// A run was scored and is on disk.
    fn run_stored(&mut self, _run: &ScoredRun) {}
}

/// Nobody watches.
impl RunObserver for () {}
