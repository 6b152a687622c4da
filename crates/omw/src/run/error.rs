//! What a run can fail with.

use std::fmt;

use windtunnel_doc::Diagnostics;

use crate::brain::BrainError;

/// A run that could not start, or whose agents failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RunError {
    /// The config is wrong: an unknown kind, an agent's runtime that is not there, parameters that do not decode.
    #[error(transparent)]
    Config(#[from] Diagnostics),
    /// A back end that cannot be made or made ready.
    #[error("cannot set up {what}: {error}")]
    Backend {
        /// `providers.<name>`, `tooling.<name>`, `endpoint`.
        what: String,
        /// Why.
        error: String,
    },
    /// Brains that cannot be loaded; no agent was started.
    #[error("{}", lines(.0))]
    Brains(Vec<BrainFault>),
    /// The scripts cannot be watched for changes.
    #[error("cannot watch the scripts: {0}")]
    Watch(String),
    /// Agents that failed while they ran.
    #[error("{} agent run(s) failed: {}", .0.len(), list(.0))]
    Agents(Vec<(String, String)>),
}

/// An agent whose brain cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("agent \"{agent}\": {error}")]
pub struct BrainFault {
    /// The agent.
    pub agent: String,
    /// Why.
    pub error: BrainError,
}

fn lines(faults: &[BrainFault]) -> impl fmt::Display {
    let texts: Vec<_> = faults.iter().map(BrainFault::to_string).collect();
    texts.join("\n")
}

fn list(failed: &[(String, String)]) -> String {
    let texts: Vec<_> = failed.iter().map(|(agent, error)| format!("{agent}: {error}")).collect();
    texts.join("; ")
}
