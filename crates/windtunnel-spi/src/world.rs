//! The world of one case: its folders, limits and secrets.

use std::time::Duration;

use camino::Utf8PathBuf;
use tokio_util::sync::CancellationToken;
use windtunnel_api::config::Timeouts;
use windtunnel_api::secret::Redactor;

/// The world of one case. Cheap to clone; nothing in it is shared with another case.
#[derive(Debug, Clone)]
pub struct CaseWorld {
    /// Unique in this process, safe in a URL path and a file name.
    pub case_id: String,
    /// The owning pack's folder: relative paths and commands of the pack resolve against it.
    pub pack_dir: Utf8PathBuf,
    /// The fresh folder that the agent and its tools work in.
    pub workspace: Utf8PathBuf,
    /// Time limits.
    pub limits: Limits,
    /// Cancelled when the case has to end.
    pub cancel: CancellationToken,
    /// Takes known secrets out of everything that is kept or shown.
    pub redactor: Redactor,
}

impl CaseWorld {
    /// A world in the given workspace, with the default limits.
    pub fn new(case_id: impl Into<String>, workspace: impl Into<Utf8PathBuf>) -> Self {
        let workspace = workspace.into();
        Self {
            case_id: case_id.into(),
            pack_dir: workspace.clone(),
            workspace,
            limits: Limits::default(),
            cancel: CancellationToken::new(),
            redactor: Redactor::default(),
        }
    }
}

/// Time limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Starting a tool server or an agent.
    pub start: Duration,
    /// One turn of the agent.
    pub turn: Duration,
    /// One case, everything included.
    pub case: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self::from(Timeouts::default())
    }
}

impl From<Timeouts> for Limits {
    /// Values that are no length of time (negative, not finite, beyond a day) become a day.
    fn from(timeouts: Timeouts) -> Self {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        let seconds = |s| Duration::try_from_secs_f64(s).map_or(DAY, |limit| limit.min(DAY));
        Self {
            start: seconds(timeouts.start_s),
            turn: seconds(timeouts.turn_s),
            case: seconds(timeouts.case_s),
        }
    }
}
