//! How plain values of a pattern compare.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

/// How plain values of a pattern compare, chosen by whoever compiles it.
///
/// Without options a plain string is a regular expression and every other plain value compares by equality.
///
/// ```
/// use serde_json::json;
/// use windtunnel_pattern::{FieldRule, Options, Pattern};
///
/// let options = Options::new().whole_fields(["kind", "event"]).field("op", FieldRule::WordOrRegex);
/// let pattern = Pattern::compile(&json!({"kind": "call", "op": "chat"}), &options)?;
/// assert!(pattern.matches(&json!({"kind": "call", "op": "chat"})));
/// assert!(!pattern.matches(&json!({"kind": "call", "op": "chat_stream"})));
/// # Ok::<(), windtunnel_pattern::PatternErrors>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    fields: Vec<(String, FieldRule)>,
    whole_values: bool,
}

impl Options {
    /// Strings are regular expressions in every field.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how plain strings compare in the field `name` of the candidate's own object.
    ///
    /// A rule reaches the top level of a candidate only: `tool` as a field of an event, not `args.tool` inside it,
    /// whose names belong to someone else. It holds inside `$any`, `$all` and `$not`, which speak of the same value,
    /// and not in arrays and objects below the field. A later rule for the same name replaces an earlier one.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>, rule: FieldRule) -> Self {
        let name = name.into();
        self.fields.retain(|(known, _)| *known != name);
        self.fields.push((name, rule));
        self
    }

    /// [`FieldRule::Whole`] for each of these fields.
    #[must_use]
    pub fn whole_fields<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        names.into_iter().fold(self, |options, name| options.field(name, FieldRule::Whole))
    }

    /// Every plain value, at any depth, compares whole as its text: `3` matches `"3"` and `3`, `graph.started`
    /// matches only itself. Numbers still equal numbers by value. `{"$re": …}` remains a regular expression, and a
    /// rule set with [`field`](Self::field) wins for the strings of its field.
    #[must_use]
    pub fn whole_values(mut self) -> Self {
        self.whole_values = true;
        self
    }

    pub(crate) fn rule(&self, name: &str) -> Option<&FieldRule> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, rule)| rule)
    }

    pub(crate) fn compares_whole_values(&self) -> bool {
        self.whole_values
    }
}

/// How the plain strings of one field compare. Operators such as `{"$re": …}` are not affected.
#[derive(Clone)]
pub enum FieldRule {
    /// The candidate is exactly this string.
    Whole,
    /// A plain word compares whole; a string with one of `\ . + * ? ( ) | [ ] { } ^ $` in it is a regular expression.
    WordOrRegex,
    /// The caller decides, given the expected string and the candidate's whole object. Asked only where the field is
    /// present and a string.
    Custom(Arc<CompareFn>),
}

/// A caller's comparison: the expected string, and the object in which the field was found.
pub type CompareFn = dyn Fn(&str, &Value) -> bool + Send + Sync;

impl FieldRule {
    /// A [`FieldRule::Custom`] from a closure.
    pub fn custom(compare: impl Fn(&str, &Value) -> bool + Send + Sync + 'static) -> Self {
        Self::Custom(Arc::new(compare))
    }
}

impl fmt::Debug for FieldRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Whole => "Whole",
            Self::WordOrRegex => "WordOrRegex",
            Self::Custom(_) => "Custom(..)",
        })
    }
}
