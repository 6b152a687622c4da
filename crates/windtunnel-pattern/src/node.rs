//! A compiled pattern, and whether a value matches it.

use std::sync::Arc;

use regex::Regex;
use serde_json::{Number, Value};

use crate::options::CompareFn;
use crate::steps::{Advance, Break, Lack, Steps, Walk};
use crate::value::{self, Bound};

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) test: Test,
    /// The score of a full match; see [`Score`].
    weight: Score,
}

/// How much of a pattern a value matched before it stopped matching, in members and plain values. Only for comparing
/// near misses of one pattern. Bounded by the size of the pattern, which is limited far below the type's range.
pub(crate) type Score = u32;

/// What a compiled pattern asks of a value.
pub(crate) enum Test {
    /// An object with these members.
    Object(Box<[Member]>),
    /// An array with this subsequence.
    Array(Steps<Node>),
    /// A string in which the expression is found.
    Regex(Regex),
    /// Exactly this string.
    Whole(String),
    /// A plain value with the text of the one that was written, or of equal value where that is a number.
    Text { text: String, written: Value },
    /// A string that the caller's comparison accepts.
    Custom { expected: String, compare: Arc<CompareFn> },
    /// An equal value.
    Equal(Value),
    /// A number in this order to the operand.
    Order { bound: Bound, operand: Number },
    /// At least one of these.
    Any(Box<[Node]>),
    /// Every one of these.
    All(Box<[Node]>),
    /// Present, and not this.
    Not(Box<Node>),
    /// Present and not null, or the opposite.
    Exists(bool),
}

/// One named member of an object pattern.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) node: Node,
}

/// What a pattern is held against.
#[derive(Clone, Copy)]
pub(crate) struct Place<'v> {
    /// `None` where the object has no such member.
    pub(crate) value: Option<&'v Value>,
    /// The object of which the value is a member.
    pub(crate) owner: Option<&'v Value>,
}

impl<'v> Place<'v> {
    pub(crate) fn root(value: &'v Value) -> Self {
        Self { value: Some(value), owner: None }
    }
}

impl Node {
    pub(crate) fn new(test: Test) -> Self {
        let weight = test.weight();
        Self { test, weight }
    }

    /// `Err` with what matched before it stopped matching. Recurses no deeper than the pattern and allocates nothing.
    pub(crate) fn test(&self, place: Place<'_>) -> Result<(), Score> {
        match &self.test {
            Test::Object(members) => test_object(members, place.value),
            Test::Array(steps) => match place.value {
                Some(Value::Array(items)) => run_array(steps, items).map_err(|stop| stop.score),
                _ => Err(0),
            },
            Test::Any(nodes) => {
                let mut best = 0;
                for node in nodes {
                    match node.test(place) {
                        Ok(()) => return Ok(()),
                        Err(score) => best = best.max(score),
                    }
                }
                Err(best)
            }
            Test::All(nodes) => {
                let mut score = 0;
                for node in nodes {
                    node.test(place).map_err(|part| score + part)?;
                    score += node.weight;
                }
                Ok(())
            }
            Test::Not(node) => hold(place.value.is_some() && node.test(place).is_err()),
            Test::Exists(expected) => hold(place.value.is_some_and(|value| !value.is_null()) == *expected),
            plain => hold(place.value.is_some_and(|value| plain.accepts(value, place.owner))),
        }
    }

    pub(crate) fn matches(&self, place: Place<'_>) -> bool {
        self.test(place).is_ok()
    }

    /// Whether an object with the known members, and perhaps others, could match.
    pub(crate) fn admits(&self, known: &Value) -> bool {
        match &self.test {
            Test::Object(members) => members.iter().all(|Member { key, node }| {
                let found = known.get(key);
                found.is_none() || node.matches(Place { value: found, owner: Some(known) })
            }),
            Test::Any(nodes) => nodes.iter().any(|node| node.admits(known)),
            Test::All(nodes) => nodes.iter().all(|node| node.admits(known)),
            _ => true,
        }
    }

    /// How costly and how telling the test is: identifiers first, then plain values, then what lies deeper.
    pub(crate) fn rank(&self) -> u8 {
        match &self.test {
            Test::Custom { .. } | Test::Whole(_) | Test::Text { .. } | Test::Equal(_) => 0,
            Test::Exists(_) | Test::Order { .. } => 1,
            Test::Regex(_) => 2,
            Test::Object(_) | Test::Array(_) => 3,
            Test::Any(nodes) | Test::All(nodes) => nodes.iter().map(Self::rank).max().unwrap_or_default(),
            Test::Not(node) => node.rank(),
        }
    }
}

impl Test {
    /// For tests of a value that is there, by itself.
    fn accepts(&self, value: &Value, owner: Option<&Value>) -> bool {
        match (self, value) {
            (Self::Regex(regex), Value::String(found)) => regex.is_match(found),
            (Self::Whole(expected), Value::String(found)) => expected == found,
            (Self::Custom { expected, compare }, Value::String(_)) => {
                owner.is_some_and(|object| compare(expected, object))
            }
            (Self::Text { written: Value::Number(expected), .. }, Value::Number(found)) => {
                value::compare(found, expected).is_eq()
            }
            (Self::Text { text, .. }, found) => value::text_is(found, text),
            (Self::Equal(expected), found) => value::equal(expected, found),
            (Self::Order { bound, operand }, Value::Number(found)) => {
                bound.admits(value::compare(found, operand))
            }
            _ => false,
        }
    }

    fn weight(&self) -> Score {
        match self {
            Self::Object(members) => members.iter().map(|member| member.node.weight + 1).sum::<Score>() + 1,
            Self::Array(steps) => {
                let anchors = steps.elements().iter().filter(|element| element.is_anchor());
                anchors.map(|anchor| anchor.pattern().weight).sum::<Score>() + 1
            }
            Self::Any(nodes) => nodes.iter().map(|node| node.weight).max().unwrap_or_default(),
            Self::All(nodes) => nodes.iter().map(|node| node.weight).sum(),
            _ => 1,
        }
    }
}

fn hold(holds: bool) -> Result<(), Score> {
    if holds { Ok(()) } else { Err(0) }
}

fn test_object(members: &[Member], value: Option<&Value>) -> Result<(), Score> {
    let Some(Value::Object(object)) = value else { return Err(0) };
    let mut score = 1;
    for Member { key, node } in members {
        let found = object.get(key);
        let present = Score::from(found.is_some());
        node.test(Place { value: found, owner: value }).map_err(|part| score + present + part)?;
        score += node.weight + 1;
    }
    Ok(())
}

/// Where an array stopped matching.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop {
    pub(crate) score: Score,
    pub(crate) cause: StopCause,
}

/// Why an array stopped matching.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StopCause {
    /// The item with this index broke the sequence.
    Broken { item: usize, reason: Break },
    /// The items ended; of those tried against the missing anchor, one came nearest.
    Ended { nearest: Option<usize>, lack: Lack },
}

/// Walks the sequence along the items of an array, once.
pub(crate) fn run_array(steps: &Steps<Node>, items: &[Value]) -> Result<(), Stop> {
    let mut walk = Walk::default();
    let mut nearest: Option<(usize, Score)> = None;
    for (index, item) in items.iter().enumerate() {
        if walk.is_settled(steps) {
            return Ok(());
        }
        match walk.advance(steps, |node| node.test(Place::root(item))) {
            Advance::Consumed => nearest = None,
            Advance::Skipped(Some(score)) if nearest.is_none_or(|(_, best)| score > best) => {
                nearest = Some((index, score));
            }
            Advance::Skipped(_) => {}
            Advance::Broken(reason) => {
                let cause = StopCause::Broken { item: index, reason };
                return Err(Stop { score: anchored(steps, walk), cause });
            }
        }
    }
    walk.finish(steps).map_err(|lack| {
        let (nearest, part) = nearest.unzip();
        let score = anchored(steps, walk) + part.unwrap_or_default();
        Stop { score, cause: StopCause::Ended { nearest, lack } }
    })
}

/// The score of being an array and of the anchors found so far.
fn anchored(steps: &Steps<Node>, walk: Walk) -> Score {
    let passed = steps.elements().iter().take(walk.element());
    let anchors = passed.filter(|element| element.is_anchor());
    anchors.fold(1, |score, anchor| score + anchor.pattern().weight)
}
