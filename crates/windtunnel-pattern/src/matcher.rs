//! The incremental matcher.

use serde_json::Value;

use crate::explain::{expectation, explain, found};
use crate::failure::{Closest, Failure, Reason, Verdict};
use crate::node::{Place, Score};
use crate::sequence::Sequence;
use crate::steps::{Advance, Break, Lack, Short, Walk};

/// How far a [`Matcher`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Later candidates decide.
    Pending,
    /// The sequence matches, whatever comes.
    Settled,
    /// The sequence does not match, whatever comes.
    Failed,
}

/// Matches a [`Sequence`] against candidates as they come. What it holds does not grow with their number.
///
/// ```
/// use serde_json::json;
/// use windtunnel_pattern::{Options, Sequence, Step};
///
/// let list = [json!({"$while": {"event": "chat-delta"}}), json!({"event": "chat-end"})];
/// let mut matcher = Sequence::compile(&list, &Options::new())?.matcher();
/// assert_eq!(matcher.push(&json!({"event": "chat-delta"})), Step::Pending);
/// assert_eq!(matcher.push(&json!({"event": "chat-end"})), Step::Settled);
/// assert_eq!(matcher.finish(), Ok(()));
/// # Ok::<(), windtunnel_pattern::PatternErrors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Matcher {
    sequence: Sequence,
    walk: Walk,
    state: State,
    seen: usize,
    cursor: usize,
    /// The best candidate for the anchor that is awaited. It is explained when it becomes the best, which happens no
    /// more often than the anchor has parts, so that no candidate need be kept.
    closest: Option<(Score, Closest)>,
}

#[derive(Debug, Clone)]
enum State {
    Pending,
    Settled,
    Failed(Box<Failure>),
}

impl Matcher {
    pub(crate) fn new(sequence: Sequence) -> Self {
        let walk = Walk::default();
        let state = if walk.is_settled(sequence.steps()) { State::Settled } else { State::Pending };
        Self { sequence, walk, state, seen: 0, cursor: 0, closest: None }
    }

    /// Tries the next candidate. Once settled or failed it stays so, and later candidates are only counted.
    pub fn push(&mut self, candidate: &Value) -> Step {
        let index = self.seen;
        self.seen += 1;
        if matches!(self.state, State::Pending) {
            self.state = self.advance(index, candidate);
        }
        self.step()
    }

    /// The state after the last candidate.
    pub fn step(&self) -> Step {
        match self.state {
            State::Pending => Step::Pending,
            State::Settled => Step::Settled,
            State::Failed(_) => Step::Failed,
        }
    }

    /// The verdict if the candidates end here.
    ///
    /// # Errors
    /// What was awaited, and the candidate that came closest or broke it.
    pub fn finish(&self) -> Verdict {
        match &self.state {
            State::Settled => Ok(()),
            State::Failed(failure) => Err(failure.clone()),
            State::Pending => self.walk.finish(self.sequence.steps()).map_err(|lack| {
                let reason = match lack {
                    Lack::Anchor { .. } => {
                        Reason::Missing { closest: self.closest.as_ref().map(|(_, closest)| closest.clone()) }
                    }
                    Lack::TooFew(Short { run, min, .. }) => Reason::TooFew { run, min, ended_by: None },
                };
                Box::new(self.failure(lack.element(), reason))
            }),
        }
    }

    /// The number of candidates pushed.
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// The index of the first candidate behind the last consumed one.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The index of the expectation that the next candidate is tried against first; `None` behind the last.
    pub fn awaited(&self) -> Option<usize> {
        Some(self.walk.element()).filter(|element| *element < self.sequence.len())
    }

    /// The sequence that is matched.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    fn advance(&mut self, index: usize, candidate: &Value) -> State {
        let steps = self.sequence.steps();
        match self.walk.advance(steps, |node| node.test(Place::root(candidate))) {
            Advance::Consumed => {
                self.cursor = index + 1;
                self.closest = None;
            }
            Advance::Skipped(Some(score)) if self.closest.as_ref().is_none_or(|(best, _)| score > *best) => {
                let awaited = self.walk.element();
                self.closest = self.near_miss(awaited, index, candidate).map(|closest| (score, closest));
            }
            Advance::Skipped(_) => {}
            Advance::Broken(broken) => {
                return State::Failed(Box::new(self.broken_by(broken, index, candidate)));
            }
        }
        if self.walk.is_settled(self.sequence.steps()) { State::Settled } else { State::Pending }
    }

    fn near_miss(&self, element: usize, index: usize, candidate: &Value) -> Option<Closest> {
        let pattern = self.sequence.steps().get(element)?.pattern();
        explain(pattern, candidate).map(|mismatch| Closest { index, mismatch })
    }

    fn broken_by(&self, broken: Break, at: usize, candidate: &Value) -> Failure {
        let found = || found(Some(candidate));
        let reason = match broken {
            Break::Forbidden { .. } => Reason::Forbidden { at, found: found() },
            Break::TooMany { max, .. } => Reason::TooMany { max, at, found: found() },
            Break::TooFew(Short { element, run, min }) => {
                Reason::TooFew { run, min, ended_by: self.near_miss(element, at, candidate) }
            }
        };
        self.failure(broken.element(), reason)
    }

    fn failure(&self, index: usize, reason: Reason) -> Failure {
        let expectation = self.sequence.steps().get(index).map(expectation).unwrap_or_default();
        Failure { index, expectation, cursor: self.cursor, seen: self.seen, reason }
    }
}
