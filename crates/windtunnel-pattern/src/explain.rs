//! Why a value does not match a pattern.

use std::fmt;

use serde_json::Value;

use crate::node::{Member, Node, Place, StopCause, Test, run_array};
use crate::path::{Path, Segment};
use crate::steps::{Break, Lack, Short, Steps};
use crate::text::{clip, excerpt};

/// Characters of an expectation or a found value in a message.
const TEXT_LIMIT: usize = 200;

/// Where and how a value stopped matching. Shown as
/// `detail.messages[2].content: expected /final/, found "done"`, without the path at the root.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// Where in the candidate.
    pub path: Path,
    /// What the pattern asks for there, cut if it is long.
    pub expected: String,
    /// What is there, long values cut.
    pub found: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_root() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

/// `None` exactly where the node matches.
pub(crate) fn explain(node: &Node, value: &Value) -> Option<Mismatch> {
    explain_at(node, Place::root(value), &mut Path::default())
}

/// An expectation as it stands in messages.
pub(crate) fn expectation(shown: impl fmt::Display) -> String {
    clip(TEXT_LIMIT, shown)
}

/// A candidate, or what is there instead, as it stands in messages.
pub(crate) fn found(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| excerpt(value, TEXT_LIMIT))
}

fn explain_at(node: &Node, place: Place<'_>, path: &mut Path) -> Option<Mismatch> {
    match (&node.test, place.value) {
        (Test::Object(members), Some(object @ Value::Object(map))) => members.iter().find_map(|member| {
            let Member { key, node } = member;
            let place = Place { value: map.get(key), owner: Some(object) };
            path.enter(Segment::Key(key.clone()), |path| explain_at(node, place, path))
        }),
        (Test::Array(steps), Some(Value::Array(items))) => {
            run_array(steps, items).err().map(|stop| explain_array(steps, items, stop.cause, path))
        }
        (Test::All(nodes), _) => nodes.iter().find_map(|node| explain_at(node, place, path)),
        (Test::Any(nodes), _) => explain_any(node, nodes, place, path),
        _ if node.matches(place) => None,
        _ => Some(mismatch(path, node, found(place.value))),
    }
}

/// The one alternative that came nearest says more than all of them; where several did, they are all named.
fn explain_any(any: &Node, nodes: &[Node], place: Place<'_>, path: &mut Path) -> Option<Mismatch> {
    let mut nearest = None;
    let mut best = None;
    for node in nodes {
        let score = node.test(place).err()?;
        if best.is_none_or(|best| score > best) {
            best = Some(score);
            nearest = Some(node);
        } else if best == Some(score) {
            nearest = None;
        }
    }
    match nearest {
        Some(node) => explain_at(node, place, path),
        None => Some(mismatch(path, any, found(place.value))),
    }
}

fn explain_array(steps: &Steps<Node>, items: &[Value], cause: StopCause, path: &mut Path) -> Mismatch {
    let text = |element: usize| steps.get(element).map(expectation).unwrap_or_default();
    let so_far = |Short { element, run, .. }| format!("{}, {run} so far", text(element));
    match cause {
        StopCause::Broken { item, reason } => {
            let expected = match reason {
                Break::Forbidden { element } => text(element),
                Break::TooFew(short) => so_far(short),
                Break::TooMany { element, .. } => format!("{} and no more", text(element)),
            };
            let found = found(items.get(item));
            path.enter(Segment::Index(item), |path| Mismatch { path: path.clone(), expected, found })
        }
        StopCause::Ended { nearest, lack } => {
            let near_miss = nearest.and_then(|index| {
                let place = Place { value: items.get(index), owner: None };
                let anchor = steps.get(lack.element())?.pattern();
                path.enter(Segment::Index(index), |path| explain_at(anchor, place, path))
            });
            near_miss.unwrap_or_else(|| {
                let expected = match lack {
                    Lack::Anchor { element } => text(element),
                    Lack::TooFew(short) => so_far(short),
                };
                let found = format!("the end of the array (length {})", items.len());
                Mismatch { path: path.clone(), expected, found }
            })
        }
    }
}

fn mismatch(path: &Path, expected: impl fmt::Display, found: String) -> Mismatch {
    Mismatch { path: path.clone(), expected: expectation(expected), found }
}
