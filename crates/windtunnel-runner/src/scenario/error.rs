//! Why a scenario could not be run.

use std::fmt;
use std::time::Duration;

use thiserror::Error;
use windtunnel_spi::{ProbeError, RuntimeError, ToolError, with_causes};
use windtunnel_store::StoreError;

use crate::world::WorkspaceError;

/// Why runs of a scenario could not be made, or not be kept.
#[derive(Debug, Error)]
pub enum ScenarioError {
    /// The workspace could not be made or seeded.
    #[error("workspace: {0}")]
    Workspace(#[from] WorkspaceError),
    /// Tool servers could not be made, started or refreshed.
    #[error("{}", list(.0))]
    Tools(Vec<ToolError>),
    /// The probe could not be made, or not bring its system to its first state.
    #[error("{0}")]
    Probe(#[from] ProbeError),
    /// The agent could not be provisioned.
    #[error("the agent could not be provisioned: {}", with_causes(.0))]
    Provision(RuntimeError),
    /// The agent could not be brought back to its first state.
    #[error("the agent could not be reset before run {run}: {}", with_causes(.source))]
    Reset {
        /// Before which run, from 1.
        run: usize,
        /// What it said.
        source: RuntimeError,
    },
    /// Something did not end within its limit.
    #[error("{what} passed the {limit} limit of {} s (timeouts.{limit}_s)", .after.as_secs_f64())]
    Limit {
        /// What took too long.
        what: String,
        /// The limit's name: `start` or `turn`.
        limit: &'static str,
        /// The limit.
        after: Duration,
    },
    /// Preconditions that do not hold, all of them.
    #[error("{}", preconditions(.0))]
    Preconditions(Vec<String>),
    /// Perturbations that cannot be applied here, all of them.
    #[error("{}", .0.join("\n"))]
    Perturbations(Vec<String>),
    /// The scenario asks a model to judge, and there is none.
    #[error(
        "the scenario's outcome asks a model to judge (llm_judge), but no judge is configured; \
         set OPENAI_BASE_URL and OPENAI_MODEL, or give a reference case `judge = \"PASS\"` or `\"FAIL\"`"
    )]
    NoJudge,
    /// A run could not be stored.
    #[error("the run could not be stored: {0}")]
    Store(#[from] StoreError),
    /// A secret cannot be taken out of the trace.
    #[error(
        "a secret cannot be taken out of the trace, so it is not stored: {0}; is its value a word of the format?"
    )]
    Redaction(serde_json::Error),
    /// The case was cancelled.
    #[error("it was interrupted")]
    Cancelled,
}

/// What kind of failure kept a scenario from being run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScenarioErrorKind {
    /// Workspace, tool servers, agent or probe could not be made ready.
    Setup,
    /// A precondition does not hold.
    Precondition,
    /// The agent could not be reset.
    Reset,
    /// A model had to judge, and there is none.
    Judge,
    /// The run store could not be written.
    Store,
    /// Cancelled.
    Cancelled,
}

impl ScenarioErrorKind {
    /// The word as it is written in the event log.
    pub fn word(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Precondition => "precondition",
            Self::Reset => "reset",
            Self::Judge => "judge",
            Self::Store => "store",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for ScenarioErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl ScenarioError {
    /// What kind of failure it is.
    pub fn kind(&self) -> ScenarioErrorKind {
        match self {
            Self::Workspace(_)
            | Self::Tools(_)
            | Self::Probe(_)
            | Self::Provision(_)
            | Self::Perturbations(_)
            | Self::Limit { .. } => ScenarioErrorKind::Setup,
            Self::Preconditions(_) => ScenarioErrorKind::Precondition,
            Self::Reset { .. } => ScenarioErrorKind::Reset,
            Self::NoJudge => ScenarioErrorKind::Judge,
            Self::Store(_) | Self::Redaction(_) => ScenarioErrorKind::Store,
            Self::Cancelled => ScenarioErrorKind::Cancelled,
        }
    }
}

fn list(errors: &[ToolError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn preconditions(failures: &[String]) -> String {
    match failures {
        [only] => format!("a precondition does not hold: {only}"),
        several => format!("{} preconditions do not hold:\n  {}", several.len(), several.join("\n  ")),
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_spi::RuntimeErrorKind;

    use super::*;

    #[test]
    fn causes_are_told_once() {
        let inner = std::io::Error::other("no such program");
        let error = RuntimeError::new(RuntimeErrorKind::Start, "cannot start `bot`").with_source(inner);
        assert_eq!(
            ScenarioError::Provision(error).to_string(),
            "the agent could not be provisioned: cannot start `bot`: no such program"
        );
        let inner = std::io::Error::other("no such program");
        let error = RuntimeError::new(RuntimeErrorKind::Start, "`bot`: no such program").with_source(inner);
        assert_eq!(with_causes(&error), "`bot`: no such program");
    }

    #[test]
    fn a_limit_says_which() {
        let error = ScenarioError::Limit {
            what: "provisioning the agent".into(),
            limit: "start",
            after: Duration::from_secs(30),
        };
        assert_eq!(
            error.to_string(),
            "provisioning the agent passed the start limit of 30 s (timeouts.start_s)"
        );
    }
}
