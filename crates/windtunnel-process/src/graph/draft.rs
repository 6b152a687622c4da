//! A graph as it was written.

use std::fmt;

use indexmap::IndexMap;
use serde::de::{DeserializeOwned, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, de};
use windtunnel_doc::{Fault, Format, Node as Value, NodeValue, Path};

use super::{Actor, Node};
use crate::artifact::ArtifactName;

/// What could be read of a graph, element by element: a faulty one leaves the others as they are.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) id: Option<String>,
    /// Without their hooks.
    pub(super) nodes: Vec<Written<Node>>,
    pub(super) edges: Vec<Written<EdgeDraft>>,
    pub(super) skip_sets: Vec<Written<SkipSet>>,
    /// The ids of nodes of which nothing else is known.
    pub(super) unread: Vec<String>,
    /// Whether each node and edge could be read. If not, nothing is known of the graph as a whole.
    pub(super) whole: bool,
}

/// Something that was read, and where it stands.
#[derive(Debug)]
pub(super) struct Written<T> {
    pub(super) path: Path,
    pub(super) value: T,
}

/// An edge on each of its outcomes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EdgeDraft {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) on: Outcomes,
}

/// Nodes that are skipped by one name.
#[derive(Debug)]
pub(super) struct SkipSet {
    pub(super) name: String,
    pub(super) nodes: Vec<String>,
}

/// One outcome, or a list of them.
#[derive(Debug)]
pub(super) enum Outcomes {
    One(String),
    List(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RawGraph {
    graph: String,
    #[serde(rename = "nodes")]
    _nodes: Vec<IgnoredAny>,
    #[serde(default, rename = "skipSets")]
    _skip_sets: IndexMap<String, IgnoredAny>,
    #[serde(default, rename = "edges")]
    _edges: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the file")]
struct RawNode {
    id: String,
    phase: Option<String>,
    actor: Actor,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    skippable: bool,
    #[serde(default)]
    opt_in: bool,
    #[serde(default)]
    terminal: bool,
    #[serde(default = "max_attempts")]
    max_attempts: u32,
    #[serde(default)]
    produces: Vec<ArtifactName>,
    #[serde(default, rename = "entry")]
    _entry: Vec<IgnoredAny>,
    #[serde(default, rename = "exit")]
    _exit: Vec<IgnoredAny>,
}

fn max_attempts() -> u32 {
    3
}

impl Draft {
    /// Reads what can be read; the rest are faults.
    pub(super) fn read(root: &Value, faults: &mut Vec<Fault>) -> Self {
        let mut draft = Self {
            id: element::<RawGraph>(root, &Path::root(), faults).map(|raw| raw.graph),
            whole: is_list(root, "nodes") && (root.get("edges").is_none() || is_list(root, "edges")),
            ..Self::default()
        };
        for (path, value) in elements(root, "nodes") {
            let mut found = Vec::new();
            let node = element::<RawNode>(value, &path, &mut found);
            faults.extend(found.into_iter().map(|fault| about_node(value, fault)));
            if let Some(raw) = node {
                draft.nodes.push(Written { path, value: raw.into() });
            } else {
                draft.whole = false;
                draft.unread.extend(value.get("id").and_then(Value::as_str).map(str::to_owned));
            }
        }
        for (path, value) in elements(root, "edges") {
            match element(value, &path, faults) {
                Some(value) => draft.edges.push(Written { path, value }),
                None => draft.whole = false,
            }
        }
        for (path, name, value) in entries(root, "skipSets") {
            if let Some(nodes) = element(value, &path, faults) {
                draft.skip_sets.push(Written { path, value: SkipSet { name: name.to_owned(), nodes } });
            }
        }
        draft
    }

    /// The ids of all nodes that are there, in order; those that could not be read come last.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> + Clone {
        let read = self.nodes.iter().map(|node| node.value.id.as_str());
        read.chain(self.unread.iter().map(String::as_str))
    }

    /// The node of this id, unless it could not be read.
    pub(super) fn node(&self, id: &str) -> Option<&Node> {
        self.nodes.iter().map(|node| &node.value).find(|node| node.id == id)
    }
}

impl Outcomes {
    /// The outcomes, each with where it stands.
    pub(super) fn each(&self, edge: &Path) -> Vec<(Path, &str)> {
        let path = edge.clone().then("on");
        match self {
            Self::One(on) => vec![(path, on)],
            Self::List(list) => {
                list.iter().enumerate().map(|(index, on)| (path.clone().then(index), on.as_str())).collect()
            }
        }
    }
}

impl From<RawNode> for Node {
    fn from(raw: RawNode) -> Self {
        Self {
            id: raw.id,
            phase: raw.phase,
            actor: raw.actor,
            optional: raw.optional,
            required: raw.required,
            skippable: raw.skippable,
            opt_in: raw.opt_in,
            terminal: raw.terminal,
            max_attempts: raw.max_attempts,
            produces: raw.produces,
            entry: Vec::new(),
            exit: Vec::new(),
        }
    }
}

/// What a value says, unless it cannot be read. An unknown field is a fault that does no further harm.
fn element<T: DeserializeOwned>(value: &Value, path: &Path, faults: &mut Vec<Fault>) -> Option<T> {
    let (read, found) = match value.decode_known(Format::Yaml) {
        Ok((read, unknown)) => (Some(read), unknown),
        Err(found) => (None, found),
    };
    faults.extend(found.into_iter().map(|fault| Fault { path: path.join(&fault.path), ..fault }));
    read
}

/// The same fault, naming the node that it is about.
pub(super) fn about_node(node: &Value, fault: Fault) -> Fault {
    match node.get("id").and_then(Value::as_str) {
        Some(id) => Fault { message: format!("node {id:?}: {}", fault.message), ..fault },
        None => fault,
    }
}

fn is_list(map: &Value, key: &str) -> bool {
    map.get(key).is_some_and(|value| matches!(value.value, NodeValue::Seq(_)))
}

/// The elements of a list in a map.
pub(super) fn elements<'a>(map: &'a Value, key: &str) -> Vec<(Path, &'a Value)> {
    let path = Path::root().then(key);
    match map.get(key).map(|value| &value.value) {
        Some(NodeValue::Seq(elements)) => {
            elements.iter().enumerate().map(|(index, value)| (path.clone().then(index), value)).collect()
        }
        _ => Vec::new(),
    }
}

fn entries<'a>(map: &'a Value, key: &str) -> Vec<(Path, &'a str, &'a Value)> {
    let path = Path::root().then(key);
    match map.get(key).map(|value| &value.value) {
        Some(NodeValue::Map(entries)) => entries
            .iter()
            .map(|(key, value)| (path.clone().then(key.name.as_str()), key.name.as_str(), value))
            .collect(),
        _ => Vec::new(),
    }
}

impl<'de> Deserialize<'de> for Outcomes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OutcomesVisitor)
    }
}

struct OutcomesVisitor;

impl<'de> Visitor<'de> for OutcomesVisitor {
    type Value = Outcomes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an outcome, or a list of them")
    }

    fn visit_str<E: de::Error>(self, on: &str) -> Result<Outcomes, E> {
        Ok(Outcomes::One(on.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Outcomes, A::Error> {
        let mut list = Vec::new();
        while let Some(on) = seq.next_element()? {
            list.push(on);
        }
        Ok(Outcomes::List(list))
    }
}
