//! Nodes and edges.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::artifact::ArtifactName;
use crate::event::Via;
use crate::hook::Hook;
use crate::state::{ItemState, Skip};

/// The terminal of a walk that came to its end, in the shipped graphs.
pub const COMPLETE: &str = "complete";

/// The terminal that a walk is in when a node was given up. Only the runtime enters it.
pub const ESCALATED: &str = "escalated";

/// The terminal of a walk that is tidied up after. No edge needs to lead there: it is entered by hand.
pub const CLEANUP: &str = "cleanup";

/// The outcome by which a node is passed over that is skipped.
pub const SKIPPED: &str = "skipped";

/// A compiled process: its faults were found when it was compiled, and nothing changes it any more.
#[derive(Debug)]
pub struct Graph {
    pub(super) id: String,
    /// The node where a walk begins: the first.
    pub(super) start: Arc<Node>,
    /// In the order they were written in.
    pub(super) nodes: IndexMap<String, Arc<Node>>,
    pub(super) edges: Vec<Edge>,
    pub(super) skip_sets: IndexMap<String, Vec<String>>,
}

/// A node: somebody's work, and the gate behind it.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the file")]
pub struct Node {
    /// Its name, unique in the graph.
    pub id: String,
    /// The phase whose label the item gets; a node without one changes no label.
    pub phase: Option<String>,
    /// Whose work it is.
    pub actor: Actor,
    /// Whether it may produce nothing: its artifact gate is then a skip.
    pub optional: bool,
    /// Whether it must be walked.
    pub required: bool,
    /// Whether it may be skipped.
    pub skippable: bool,
    /// Whether it is skipped unless somebody asks for it.
    pub opt_in: bool,
    /// Whether a walk ends here.
    pub terminal: bool,
    /// After so many refused claims it is given up.
    pub max_attempts: u32,
    /// The artifacts that it leaves behind.
    pub produces: Vec<ArtifactName>,
    /// What runs when the pointer comes here.
    pub entry: Vec<BoundHook>,
    /// The gate: what runs when somebody claims that the work is done.
    pub exit: Vec<BoundHook>,
}

/// Whose work a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Actor {
    /// An agent's.
    Agent,
    /// A person's.
    Human,
    /// The runtime's own.
    Code,
}

/// Where the pointer goes on an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// From which node.
    pub from: String,
    /// To which node.
    pub to: String,
    /// On which outcome.
    pub on: String,
}

/// A hook of a chain, with its parameters.
#[derive(Clone)]
pub struct BoundHook {
    /// Its name in the registry.
    pub name: String,
    /// The hook.
    pub hook: Arc<dyn Hook>,
}

impl fmt::Debug for BoundHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BoundHook").field(&self.name).finish()
    }
}

impl Node {
    /// Why it is not walked, as an item stands; none if it is. One to be opted in is not, unless it was.
    pub fn skip_of(&self, state: &ItemState) -> Option<Skip> {
        let not_selected = || Skip { via: Via::NotSelected, by: None, reason: None };
        let lacking = self.opt_in && !state.opted_in.contains(&self.id);
        state.skips.get(&self.id).cloned().or_else(|| lacking.then(not_selected))
    }
}

impl Graph {
    /// Its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The node where a walk begins.
    pub fn start(&self) -> &Node {
        &self.start
    }

    /// Its nodes, in the order they were written in.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &Node> {
        self.nodes.values().map(Arc::as_ref)
    }

    /// The node of this name.
    pub fn node(&self, id: &str) -> Option<&Node> {
        self.nodes.get(id).map(Arc::as_ref)
    }

    /// The place of a node in the order of the graph.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.nodes.get_index_of(id)
    }

    /// Its edges, in the order they were written in.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Where the pointer goes from a node on an outcome.
    pub fn next(&self, from: &str, on: &str) -> Option<&Node> {
        let edge = self.edges.iter().find(|edge| edge.from == from && edge.on == on)?;
        self.node(&edge.to)
    }

    /// The sets of nodes that are skipped by one name.
    pub fn skip_sets(&self) -> impl ExactSizeIterator<Item = (&str, &[String])> {
        self.skip_sets.iter().map(|(name, nodes)| (name.as_str(), nodes.as_slice()))
    }

    /// The first node that leaves this artifact behind: the one that wrote it.
    pub fn author(&self, artifact: &ArtifactName) -> Option<&Node> {
        self.nodes().find(|node| node.produces.iter().any(|produced| produced.shares_a_name(artifact)))
    }
}
