//! How an agent's run is expected to end.

use std::fmt;

use crate::host::trace::RunOutcome;

/// How an agent's run is expected to end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Expected {
    /// However it ends, as long as its brain does not fail.
    #[default]
    AnyEnd,
    /// The brain ends without a value.
    Completed,
    /// The brain ends with a value whose text is this one.
    Exited(String),
    /// Not at all: its events decide, and the agent is stopped as soon as they have.
    Asserted,
}

impl Expected {
    /// Whether the agent is stopped as soon as its events decide.
    pub fn stops(&self) -> bool {
        *self == Self::Asserted
    }

    /// Whether an end that is no failure is the expected one.
    pub(super) fn admits(&self, outcome: &RunOutcome) -> bool {
        match self {
            Self::AnyEnd | Self::Asserted => true,
            Self::Completed => *outcome == RunOutcome::Completed,
            Self::Exited(text) => matches!(outcome, RunOutcome::Exited(found) if found == text),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyEnd => f.write_str("any end without a failure"),
            Self::Completed => f.write_str("completed"),
            Self::Exited(text) => write!(f, "exited with {text:?}"),
            Self::Asserted => f.write_str("asserted"),
        }
    }
}

/// An outcome in the words of [`Expected`].
pub(super) fn outcome_text(outcome: &RunOutcome) -> String {
    match outcome {
        RunOutcome::Completed => "completed".to_owned(),
        RunOutcome::Exited(text) => format!("exited with {text:?}"),
        RunOutcome::Stopped => "stopped from outside".to_owned(),
        RunOutcome::Failed(error) => format!("failed: {error}"),
    }
}
