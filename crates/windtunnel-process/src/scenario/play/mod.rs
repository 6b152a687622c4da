//! Playing a scenario.

mod act;
mod judge;
mod locks;
mod observer;
mod player;

pub use player::{Player, Suspended};

use camino::Utf8PathBuf;
use windtunnel_doc::Path;

use super::error::ScenarioError;
use super::manifest::Scenario;
use super::setup::Setup;
use super::trace::Trace;
use crate::runtime::ProcessError;

/// What came of a play.
#[derive(Debug)]
pub struct Played {
    /// Whether everything was as expected, or the first thing that was not.
    pub outcome: Result<(), ScenarioError>,
    /// What was observed until then.
    pub trace: Trace,
    /// The event log, where it is kept.
    pub events_path: Option<Utf8PathBuf>,
    /// The world, where it is kept.
    pub world: Option<Utf8PathBuf>,
}

/// A play that never began.
impl From<ScenarioError> for Played {
    fn from(error: ScenarioError) -> Self {
        Self { outcome: Err(error), trace: Trace::default(), events_path: None, world: None }
    }
}

/// Plays a scenario in a world of its own, which ends with the play.
///
/// Has to be called in a tokio runtime with I/O and time. Files are read and written where it is polled, as the runtime does.
pub async fn play(scenario: &Scenario, setup: &Setup) -> Played {
    match Player::new(scenario, setup).await {
        Ok(player) => player.finish().await,
        Err(error) => error.into(),
    }
}

/// Why a step or an expectation ends a play.
enum Stop {
    /// Something is not as expected.
    Miss(Miss),
    /// The runtime could not do it.
    Runtime(ProcessError),
    /// It could not be done in the world.
    World(ScenarioError),
}

/// Something that is not as expected.
struct Miss {
    /// What says what is expected, from the step's or the expectations' own value on.
    path: Path,
    expected: String,
    found: String,
    /// What whoever expected it may not know.
    hint: Option<&'static str>,
}

impl Miss {
    fn new(path: Path, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { path, expected: expected.into(), found: found.into(), hint: None }
    }
}

impl From<Miss> for Stop {
    fn from(miss: Miss) -> Self {
        Self::Miss(miss)
    }
}

impl From<ProcessError> for Stop {
    fn from(error: ProcessError) -> Self {
        Self::Runtime(error)
    }
}
