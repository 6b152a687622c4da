//! Values and expectations in plain words.

use serde::de::Unexpected;

use crate::{Format, NodeValue};

/// Longer texts are cut in messages.
const MAX_QUOTED: usize = 48;

/// What a value is: `integer 3`, `string "x"`, `a table`.
pub(super) fn found(value: &NodeValue, format: Format) -> String {
    match value {
        NodeValue::Null => "null".to_owned(),
        NodeValue::Bool(value) => value.to_string(),
        NodeValue::Int(value) => format!("integer {value}"),
        NodeValue::Float(value) => format!("number {value:?}"),
        NodeValue::String(value) | NodeValue::Untyped(value) => format!("string {}", quoted(value)),
        NodeValue::Seq(_) => format.list_noun().to_owned(),
        NodeValue::Map(_) => format.map_noun().to_owned(),
    }
}

/// The same for what serde says it met.
pub(super) fn unexpected(value: Unexpected<'_>) -> String {
    match value {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => format!("integer {value}"),
        Unexpected::Signed(value) => format!("integer {value}"),
        Unexpected::Float(value) => format!("number {value:?}"),
        Unexpected::Str(value) => format!("string {}", quoted(value)),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a map".to_owned(),
        other => other.to_string(),
    }
}

/// A text in quotes, cut if it is long.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// A choice: `a`, `one of a, b`.
pub(super) fn one_of(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [name] => (*name).to_owned(),
        names => format!("one of {}", names.join(", ")),
    }
}
