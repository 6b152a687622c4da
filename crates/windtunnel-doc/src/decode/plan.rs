//! What the passes so far have found, and so what the next one does differently.

use std::collections::HashMap;

use super::error::{DecodeError, Kind};
use crate::{Format, Node, NodeValue, nearest};

/// The identity of a node: where it lies in memory, as the tree does not move between passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct NodeId(usize);

impl From<&Node> for NodeId {
    fn from(node: &Node) -> Self {
        Self(std::ptr::from_ref(node).addr())
    }
}

/// What a node at fault is answered by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StandIn {
    /// A value that its type should like.
    Placeholder,
    /// Nothing: the entry or element is left out.
    Nothing,
}

/// The stand-ins for the next pass.
///
/// | the error so far          | at                    | next pass                                   |
/// |---------------------------|-----------------------|---------------------------------------------|
/// | unknown, duplicate field  | entry                 | entry left out; nearest known name supplied |
/// | missing field             | map                   | field supplied by a placeholder             |
/// | missing field, again      | map                   | as any other error of the map               |
/// | any other                 | value                 | placeholder                                 |
/// | any, behind a placeholder | entry of a map        | entry left out                              |
/// | any, behind a placeholder | element of a list     | as any other error of the list              |
/// | any, left out already     | value                 | as any other error of what is around it     |
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
        self.stand_ins.get(&node.into()) == Some(&StandIn::Placeholder)
    }

    pub(super) fn leaves_out(&self, node: &Node) -> bool {
        self.stand_ins.get(&node.into()) == Some(&StandIn::Nothing)
    }

    /// The fields that the map does not have and the next pass should see in it.
    pub(super) fn supplied(&self, map: &Node) -> &[&'static str] {
        self.supplied.get(&map.into()).map_or(&[], Vec::as_slice)
    }

    /// Whether the error may come from a stand-in, so that it says nothing about the document.
    pub(super) fn explains(&self, root: &Node, error: &DecodeError) -> bool {
        let Some(node) = trail(root, error).pop() else { return false };
        error.is_hollow()
            || match error.kind() {
                // Leaving out an entry under another name for the field is seen as a missing field.
                Kind::MissingField(name) => {
                    self.supplied(node).contains(name)
                        || node.children().any(|child| self.leaves_out(child) && !self.is_unknown(node, child))
                }
                Kind::Untagged { .. } | Kind::Other(_) => self.touches(node),
                Kind::Type { .. }
                | Kind::UnknownField { .. }
                | Kind::UnknownVariant { .. }
                | Kind::DuplicateField(_) => false,
            }
    }

    /// Takes the error into account; `false` if the next pass would end with the same one.
    pub(super) fn learn(&mut self, root: &Node, error: &DecodeError) -> bool {
        let trail = trail(root, error);
        match (error.kind(), trail.as_slice()) {
            (_, []) => false,
            (Kind::MissingField(name), [.., map]) if !self.supplied(map).contains(name) => {
                self.supply(map, name);
                true
            }
            (Kind::UnknownField { name, known }, [.., map, entry]) => {
                if let Some(meant) = nearest(name, known.iter().copied()) {
                    self.supply(map, meant);
                }
                self.stand_ins.insert((*entry).into(), StandIn::Nothing).is_none()
            }
            (Kind::DuplicateField(_), [.., entry]) => {
                self.stand_ins.insert((*entry).into(), StandIn::Nothing).is_none()
            }
            (_, nodes) => self.stand_in(nodes),
        }
    }
}
