//! Hooks observe a suite and may leave artifacts beside its runs. They never score.

use serde_json::Value;
use windtunnel_api::artifact::trace::Trace;
use windtunnel_api::{Scenario, Score};

/// Observes a suite at its fixed points.
pub trait Hook: Send + Sync {
    /// Names the hook in artifacts' file names.
    fn name(&self) -> &str;

    /// Called at every point; returns what is to be kept.
    fn observe(&self, point: HookPoint<'_>) -> Vec<HookArtifact>;
}

/// Where in a suite a hook is called.
#[derive(Debug, Clone, Copy)]
pub enum HookPoint<'a> {
    /// The agent stands, the preconditions are not yet checked.
    Provisioned {
        /// Of which scenario.
        scenario: &'a Scenario,
    },
    /// A run begins.
    RunStart {
        /// Of which scenario.
        scenario: &'a Scenario,
        /// From 1.
        run: usize,
    },
    /// A run was scored.
    RunScored {
        /// Of which scenario.
        scenario: &'a Scenario,
        /// Its trace.
        trace: &'a Trace,
        /// Its score.
        score: &'a Score,
    },
    /// A run was stored.
    RunEnd {
        /// Of which scenario.
        scenario: &'a Scenario,
        /// From 1.
        run: usize,
    },
    /// All runs of a scenario are over.
    ScenarioEnd {
        /// Which one.
        scenario: &'a Scenario,
    },
    /// All scenarios of a pack are over.
    PackEnd {
        /// The pack's name.
        pack: &'a str,
    },
}

/// Something a hook wants kept.
#[derive(Debug, Clone, PartialEq)]
pub struct HookArtifact {
    /// Tells several artifacts of one hook apart.
    pub label: Option<String>,
    /// The content.
    pub value: Value,
}
