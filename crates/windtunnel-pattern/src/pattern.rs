//! One compiled pattern.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::compile;
use crate::error::PatternErrors;
use crate::explain::{self, Mismatch};
use crate::node::{Node, Place};
use crate::options::Options;

/// A compiled pattern over one JSON value. Cheap to clone. Its `Display` is its text in messages.
///
/// ```
/// use serde_json::json;
/// use windtunnel_pattern::{Options, Pattern};
///
/// let pattern = Pattern::compile(&json!({"messages": [{"role": "user", "content": "final"}]}), &Options::new())?;
/// let candidate = json!({"messages": [{"role": "system"}, {"role": "user", "content": "done"}]});
/// let mismatch = pattern.explain(&candidate).unwrap();
/// assert_eq!(mismatch.to_string(), r#"messages[1].content: expected /final/, found "done""#);
/// # Ok::<(), windtunnel_pattern::PatternErrors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pattern(Arc<Node>);

impl Pattern {
    /// Compiles a pattern, checking every regular expression and every `$` key.
    ///
    /// # Errors
    /// All faults of the pattern, each with its path; see [`limits`](crate::limits) for what is too large.
    pub fn compile(pattern: &Value, options: &Options) -> Result<Self, PatternErrors> {
        compile::pattern(pattern, options).map(|node| Self(Arc::new(node)))
    }

    /// Whether the candidate matches. Takes time linear in the size of the candidate.
    pub fn matches(&self, candidate: &Value) -> bool {
        self.0.matches(Place::root(candidate))
    }

    /// Whether an object that has these members, and others that are not known yet, could match. True where the pattern does not say.
    ///
    /// ```
    /// use serde_json::json;
    /// use windtunnel_pattern::{Options, Pattern};
    ///
    /// let pattern = Pattern::compile(&json!({"kind": "call", "detail": {"model": "^gpt-"}}), &Options::new())?;
    /// assert!(pattern.admits(&json!({"kind": "call"})));
    /// assert!(!pattern.admits(&json!({"kind": "inbound"})));
    /// # Ok::<(), windtunnel_pattern::PatternErrors>(())
    /// ```
    pub fn admits(&self, known: &Value) -> bool {
        self.0.admits(known)
    }

    /// Where the candidate stopped matching; `None` exactly where [`matches`](Self::matches) is true.
    pub fn explain(&self, candidate: &Value) -> Option<Mismatch> {
        explain::explain(&self.0, candidate)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
