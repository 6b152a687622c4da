//! What comes of a hook.

use thiserror::Error;

/// Whether a hook decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effort {
    /// It decides, and where it fails the chain is blocked.
    Gate,
    /// It tells somebody something. Where that fails it is degraded, and nothing else changes.
    BestEffort,
}

/// What comes of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It has nothing against going on.
    Pass {
        /// The outcome that edges are chosen by, where it declares one.
        on: Option<String>,
    },
    /// There was nothing to do: no decision.
    Skip,
    /// Somebody else has to do something first.
    Wait {
        /// What is waited for.
        messages: Vec<String>,
    },
    /// Going on is refused.
    Block {
        /// Everything that is in the way.
        findings: Vec<String>,
    },
}

impl Outcome {
    /// A pass that declares nothing.
    pub fn pass() -> Self {
        Self::Pass { on: None }
    }

    /// A pass, or a block if there are findings.
    pub fn of_findings(findings: Vec<String>) -> Self {
        if findings.is_empty() { Self::pass() } else { Self::Block { findings } }
    }
}

/// A hook that could not do its work.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct HookError(pub String);
