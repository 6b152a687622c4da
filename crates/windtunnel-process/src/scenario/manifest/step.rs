//! What a scenario does.

use std::sync::Arc;

use super::Expectations;
use crate::item::RepoName;
use crate::runtime::Verdict;
use crate::transport::Operation;

/// A step of a scenario.
#[derive(Debug, Clone)]
pub struct Step {
    pub(in crate::scenario) action: Action,
}

impl Step {
    /// Its kind, as manifests write it.
    pub fn kind(&self) -> &'static str {
        match self.action {
            Action::Comment { .. } => "comment",
            Action::Emit { .. } => "emit",
            Action::Complete { .. } => "complete",
            Action::Advance => "advance",
            Action::Ask { .. } => "ask",
            Action::Reply { .. } => "reply",
            Action::InnerLoop { .. } => "inner-loop",
            Action::FailGithub { .. } => "fail-github",
            Action::RestoreGithub => "restore-github",
            Action::Expect(_) => "expect",
        }
    }
}

/// What a step does. There is nothing else that one could do.
#[derive(Debug, Clone)]
pub(in crate::scenario) enum Action {
    /// Somebody comments; the current gate looks at it.
    Comment { author: String, body: String },
    /// The agent leaves an artifact behind.
    Emit { artifact: String, content: Arc<[u8]> },
    /// The agent claims a node.
    Complete { node: String, status: Verdict },
    /// The current gate looks again.
    Advance,
    /// The agent asks.
    Ask { question: String },
    /// Somebody answers.
    Reply { text: String, actor: String, session_missing: bool },
    /// An inner loop stands at a node.
    InnerLoop { pr: u64, node: String, repo: Option<RepoName> },
    /// Operations of the control plane fail.
    FailGithub { operations: Vec<Operation> },
    /// No operation fails any more.
    RestoreGithub,
    /// Something is expected by now.
    Expect(Box<Expectations>),
}
