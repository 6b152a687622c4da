//! What a verb answers.

use serde::{Deserialize, Serialize};

/// What came of a verb.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// The node that it was about.
    pub node: String,
    /// What came of it.
    pub status: Verdict,
    /// The outcome that the edge was chosen by; none if the pointer did not move along one.
    pub outcome: Option<String>,
    /// Whether the pointer moved.
    pub moved: bool,
    /// Where the item stands now.
    pub current_node: String,
    /// What there is to know: findings, what is waited for, why it was refused.
    pub messages: Vec<String>,
}

/// What came of a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The gate let it through.
    Pass,
    /// The gate said no.
    Block,
    /// Somebody else has to do something first.
    Wait,
    /// The node was given up.
    Escalated,
    /// There was nothing to do.
    Noop,
    /// It was not for this node, or not for this item.
    Refused,
}

impl Verdict {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Block => "block",
            Self::Wait => "wait",
            Self::Escalated => "escalated",
            Self::Noop => "noop",
            Self::Refused => "refused",
        }
    }
}
