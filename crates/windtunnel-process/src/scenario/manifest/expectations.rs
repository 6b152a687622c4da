//! What a scenario expects.

use windtunnel_pattern::Sequence;

use crate::artifact::ArtifactName;
use crate::state::Status;

/// What is expected, at the end or halfway. What is not named is not looked at.
#[derive(Debug, Clone, Default)]
pub(in crate::scenario) struct Expectations {
    /// The whole walk; a skipped node has `~` before its id.
    pub(in crate::scenario) nodes: Option<Vec<String>>,
    /// All labels.
    pub(in crate::scenario) labels: Option<Vec<String>>,
    /// Events, in this order, others between them.
    pub(in crate::scenario) events: Option<Sequence>,
    pub(in crate::scenario) final_node: Option<String>,
    pub(in crate::scenario) current_node: Option<String>,
    pub(in crate::scenario) status: Option<Status>,
    pub(in crate::scenario) completed: Option<AtNode>,
    pub(in crate::scenario) parked: Option<AtNode>,
    /// Artifacts that were locked whenever the implementation was entered.
    pub(in crate::scenario) locked: Option<Vec<ArtifactName>>,
    /// Sections of the execution log, and the field that names them.
    pub(in crate::scenario) sections: Vec<(&'static [&'static str], Vec<String>)>,
    /// Nodes whose checkpoints are in the execution log, in this order, others between them.
    pub(in crate::scenario) entries: Option<Vec<String>>,
}

impl Expectations {
    /// Whether there is nothing that could be otherwise: of events, sections and entries, none at all are always there.
    pub(super) fn is_empty(&self) -> bool {
        let Self {
            nodes,
            labels,
            events,
            final_node,
            current_node,
            status,
            completed,
            parked,
            locked,
            sections,
            entries,
        } = self;
        let nothing_exact = nodes.is_none() && labels.is_none() && status.is_none() && locked.is_none();
        let nowhere =
            final_node.is_none() && current_node.is_none() && completed.is_none() && parked.is_none();
        let none_named = events.as_ref().is_none_or(Sequence::is_empty)
            && sections.iter().all(|(_, names)| names.is_empty())
            && entries.as_ref().is_none_or(Vec::is_empty);
        nothing_exact && nowhere && none_named
    }
}

/// Whether something is so, or that it is so at a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::scenario) enum AtNode {
    /// It is, or is not, wherever the item stands.
    Anywhere(bool),
    /// It is at this node.
    Node(String),
}
