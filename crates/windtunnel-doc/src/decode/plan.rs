//! What the passes so far have found, and so what the next one does differently.

use std::collections::HashMap;

use super::error::{DecodeError, Kind};
use crate::{Format, Node, nearest::meant};

/// The identity of a node: where it lies in memory, as the tree does not move between passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct NodeId(usize);

impl From<&Node> for NodeId {
    fn from(node: &Node) -> Self {
        Self(std::ptr::from_ref(node).addr())
    }
}

/// What is seen instead of a node at fault.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StandIn {
    /// A value that the type should like.
    Placeholder,
    /// Nothing, as the type did not like the placeholder.
    Nothing,
    /// Nothing, as the type has no use for the key.
    NoEntry,
}

/// The stand-ins for the next pass.
///
/// | error                       | its place | next pass                                         |
/// |-----------------------------|-----------|---------------------------------------------------|
/// | of a key                    | entry     | no entry; the nearest known name is supplied      |
/// | missing field               | map       | field supplied, answered by a placeholder         |
/// | missing field, explained    | map       | as any other error                                |
/// | any other                   | value     | placeholder                                       |
/// | of a placeholder            | value     | nothing                                           |
/// | in spite of nothing         | value     | as an error of the map or list around it          |
/// | any                         | root      | none: there is nothing more to learn              |
pub(super) struct Plan {
    format: Format,
    stand_ins: HashMap<NodeId, StandIn>,
    supplied: HashMap<NodeId, Vec<&'static str>>,
}

impl Plan {
    pub(super) fn new(format: Format) -> Self {
        Self { format, stand_ins: HashMap::new(), supplied: HashMap::new() }
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    pub(super) fn replaces(&self, node: &Node) -> bool {
        self.stand_in(node) == Some(StandIn::Placeholder)
    }

    pub(super) fn leaves_out(&self, node: &Node) -> bool {
        matches!(self.stand_in(node), Some(StandIn::Nothing | StandIn::NoEntry))
    }

    /// The fields that the map lacks and the pass should see in it.
    pub(super) fn supplied(&self, map: &Node) -> &[&'static str] {
        self.supplied.get(&map.into()).map_or(&[], Vec::as_slice)
    }

    /// Whether the error may come from a stand-in, so that it says nothing about the document.
    pub(super) fn explains(&self, root: &Node, error: &DecodeError) -> bool {
        let Some(node) = trail(root, error).pop() else { return false };
        error.is_hollow()
            || match error.kind() {
                Kind::MissingField(name) => {
                    self.supplied(node).contains(name)
                        || node.children().any(|child| self.stand_in(child) == Some(StandIn::Nothing))
                }
                Kind::Untagged { .. } | Kind::Other(_) => self.touches(node),
                Kind::Type { .. }
                | Kind::UnknownField { .. }
                | Kind::UnknownVariant { .. }
                | Kind::DuplicateField(_) => false,
            }
    }

    /// Takes the error into account; `false` if the next pass would end with the same one.
    pub(super) fn learn(&mut self, root: &Node, error: &DecodeError, explained: bool) -> bool {
        let trail = trail(root, error);
        match (error.kind(), trail.as_slice()) {
            (kind, [.., map, entry]) if error.is_of_key() => {
                if let Kind::UnknownField { name, known } = kind
                    && let Some(known) = meant(name, known)
                {
                    self.supply(map, known);
                }
                self.stand_ins.insert((*entry).into(), StandIn::NoEntry).is_none()
            }
            (Kind::MissingField(name), [.., map]) if !explained => self.supply(map, name),
            (_, nodes) => self.replace_innermost(nodes),
        }
    }

    /// Leaves out the entry that the error is about and supplies nothing for it; `false` if it is left out already.
    pub(super) fn leave_out(&mut self, root: &Node, error: &DecodeError) -> bool {
        match trail(root, error).as_slice() {
            [_, .., entry] => self.stand_ins.insert((*entry).into(), StandIn::NoEntry).is_none(),
            _ => false,
        }
    }

    fn stand_in(&self, node: &Node) -> Option<StandIn> {
        self.stand_ins.get(&node.into()).copied()
    }

    /// Whether this is news.
    fn supply(&mut self, map: &Node, name: &'static str) -> bool {
        let supplied = self.supplied.entry(map.into()).or_default();
        let news = !supplied.contains(&name);
        if news {
            supplied.push(name);
        }
        news
    }

    /// Goes from the end of the trail outwards to the first node that can still be replaced.
    fn replace_innermost(&mut self, trail: &[&Node]) -> bool {
        for node in trail.iter().skip(1).rev() {
            let next = match self.stand_in(node) {
                None => StandIn::Placeholder,
                Some(StandIn::Placeholder) => StandIn::Nothing,
                Some(StandIn::Nothing | StandIn::NoEntry) => continue,
            };
            self.stand_ins.insert((*node).into(), next);
            return true;
        }
        false
    }

    /// Whether anything inside of the node is not seen as it is.
    fn touches(&self, node: &Node) -> bool {
        !self.supplied(node).is_empty()
            || node.children().any(|child| self.stand_in(child).is_some() || self.touches(child))
    }
}

/// The nodes on the way to the error, from the root to the last one that is there.
fn trail<'a>(root: &'a Node, error: &DecodeError) -> Vec<&'a Node> {
    let mut trail = vec![root];
    let mut node = root;
    for segment in error.path().segments() {
        let Some((_, child)) = node.child(segment) else { break };
        node = child;
        trail.push(child);
    }
    trail
}
