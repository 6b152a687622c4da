//! A compiled list of expectations.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::compile;
use crate::error::PatternErrors;
use crate::explain::expectation;
use crate::matcher::Matcher;
use crate::node::Node;
use crate::options::Options;
use crate::steps::Steps;

/// A compiled list of expectations, matched as an ordered subsequence of the candidates pushed into a [`Matcher`].
/// Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sequence(Arc<Steps<Node>>);

impl Sequence {
    /// Compiles the elements of a list. Field rules hold at the top level of each candidate.
    ///
    /// # Errors
    /// All faults of all elements; the paths begin with the index of the element.
    pub fn compile(elements: &[Value], options: &Options) -> Result<Self, PatternErrors> {
        compile::sequence(elements, options).map(|steps| Self(Arc::new(steps)))
    }

    /// [`compile`](Self::compile) for a value that ought to be an array.
    ///
    /// # Errors
    /// The same, or that the value is no array.
    pub fn compile_value(list: &Value, options: &Options) -> Result<Self, PatternErrors> {
        compile::sequence_value(list, options).map(|steps| Self(Arc::new(steps)))
    }

    /// A matcher at the beginning of the list.
    pub fn matcher(&self) -> Matcher {
        Matcher::new(self.clone())
    }

    /// The number of expectations.
    pub fn len(&self) -> usize {
        self.steps().elements().len()
    }

    /// Whether there is no expectation; such a list is settled from the start.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of the expectation at `index`, cut if it is long.
    pub fn expectation(&self, index: usize) -> Option<String> {
        self.steps().get(index).map(expectation)
    }

    /// Whether a match is certain before the candidates end, so that a run can be stopped as soon as it is.
    pub fn settles_early(&self) -> bool {
        self.open_end().is_none()
    }

    /// The index of the first expectation that only the end of the candidates decides: a `$never` or a `$times` with
    /// a `max`, with no anchor behind it.
    pub fn open_end(&self) -> Option<usize> {
        self.steps().open_end()
    }

    pub(crate) fn steps(&self) -> &Steps<Node> {
        &self.0
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
