//! What a run came to.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::host::trace::RunOutcome;

use super::{RunError, Whereabouts};

/// What a run came to: how each agent ended, and what the back ends have left.
#[derive(Debug, Clone, Default)]
pub struct RunReport {
    /// The agents, in the order of the config.
    pub agents: Vec<AgentEnd>,
    /// The back ends' last state.
    pub snapshots: Snapshots,
}

/// How one agent ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentEnd {
    /// The agent.
    pub name: String,
    /// How it ended: for an agent that was restarted, its last run.
    pub outcome: RunOutcome,
    /// Whether a brain of it did not end when it was interrupted. Its thread goes on, without a host.
    pub abandoned: bool,
    /// What it was doing last.
    pub last: Whereabouts,
}

/// The last state of the back ends that tell: those that answer from a script.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Snapshots {
    /// By the provider's name.
    pub providers: BTreeMap<String, Value>,
    /// By the tooling's name.
    pub tooling: BTreeMap<String, Value>,
    /// The endpoint's.
    pub endpoint: Option<Value>,
}

impl RunReport {
    /// The report, unless an agent failed.
    ///
    /// # Errors
    /// [`RunError::Agents`] with the agents that failed.
    pub fn into_result(self) -> Result<Self, RunError> {
        let failed = |end: &AgentEnd| match &end.outcome {
            RunOutcome::Failed(error) => Some((end.name.clone(), error.clone())),
            RunOutcome::Completed | RunOutcome::Exited(_) | RunOutcome::Stopped => None,
        };
        let failed: Vec<_> = self.agents.iter().filter_map(failed).collect();
        if failed.is_empty() { Ok(self) } else { Err(RunError::Agents(failed)) }
    }
}
