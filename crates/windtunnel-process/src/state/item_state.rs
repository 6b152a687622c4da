//! What is known of an item.

use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

use crate::event::Via;

/// The file in an item's folder.
pub const STATE_FILE: &str = "graph-state.json";

/// The version of the file.
pub const STATE_VERSION: u32 = 1;

/// Where an item stands. Fields that are not known here are passed over as it is read, and gone when it is written again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemState {
    /// The version of this shape.
    pub version: u32,
    /// The graph it walks.
    pub graph: String,
    /// The item's folder.
    pub work_item: String,
    /// The node it stands at.
    pub current_node: String,
    /// How it stands there.
    pub status: Status,
    /// The nodes that were left by an edge or passed over, in the order they first were.
    #[serde(default)]
    pub behind: IndexSet<String>,
    /// The nodes that are not to be walked.
    #[serde(default)]
    pub skips: IndexMap<String, Skip>,
    /// The nodes to be opted in that were.
    #[serde(default)]
    pub opted_in: IndexSet<String>,
    /// The account that the process posted its checklist with; none if it could not be posted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// How often the current node was claimed in vain.
    #[serde(default)]
    pub attempts: Attempts,
    /// Whether the current node's entry chain has not let it in yet: the next claim or event asks it again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub entry_refused: bool,
    /// What the agent waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
}

impl ItemState {
    /// An item that stands at a node of a graph, with nothing behind it.
    pub fn at(graph: impl Into<String>, work_item: impl Into<String>, node: impl Into<String>) -> Self {
        Self {
            version: STATE_VERSION,
            graph: graph.into(),
            work_item: work_item.into(),
            current_node: node.into(),
            status: Status::Running,
            behind: IndexSet::new(),
            skips: IndexMap::new(),
            opted_in: IndexSet::new(),
            account: None,
            attempts: Attempts::default(),
            entry_refused: false,
            question: None,
        }
    }
}

/// How an item stands at its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Somebody is at work.
    Running,
    /// Somebody is waited for.
    Waiting,
    /// Its gate said no.
    Blocked,
    /// It was given up.
    Escalated,
    /// The walk is over.
    Complete,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Running, Self::Waiting, Self::Blocked, Self::Escalated, Self::Complete];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Blocked => "blocked",
            Self::Escalated => "escalated",
            Self::Complete => "complete",
        }
    }
}

/// Why a node is not to be walked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skip {
    /// How that was decided.
    pub via: Via,
    /// Who decided it, as in `@owner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Claims of the current node that its gate refused.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Attempts {
    /// How many.
    pub count: u32,
    /// What the last one was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
}

/// A question that an agent asked and nobody has answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The question.
    pub text: String,
    /// How the item stood before.
    pub status: Status,
}
