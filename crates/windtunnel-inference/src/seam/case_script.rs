//! What the seam of a case plays.

use windtunnel_api::secret::Redactor;
use windtunnel_api::{ReferenceCase, ReferenceDecision};

use crate::script::{Asides, ServedNames};

/// What the seam of a case plays.
#[derive(Debug, Clone, Default)]
pub struct CaseScript {
    /// Decisions, one list per user turn.
    pub turns: Vec<Vec<ReferenceDecision>>,
    /// The names under which the case's tool servers serve; calls of other tools are the agent's own.
    pub served: ServedNames,
    /// Answers to requests that are not part of the script.
    pub asides: Asides,
    /// Takes secrets out of the evidence.
    pub redactor: Redactor,
}

impl CaseScript {
    /// The script of a reference case.
    pub fn of(case: &ReferenceCase) -> Self {
        let turns = if case.turns.is_empty() { vec![case.decisions.clone()] } else { case.turns.clone() };
        Self { turns, ..Self::default() }
    }
}
