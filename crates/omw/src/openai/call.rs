//! Whole calls, in the messages of both directions.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::exchange::ToolCall;

/// A call that an assistant asked for.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Call {
    #[serde(default)]
    id: String,
    #[serde(rename = "type", default)]
    kind: Kind,
    function: Function,
}

/// The one kind of tools and calls that is passed on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// A function with a JSON Schema.
    #[default]
    Function,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Function {
    name: String,
    #[serde(default, deserialize_with = "json_text")]
    arguments: String,
}

/// Arguments are JSON as text; a client that sends the JSON itself is understood.
fn json_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    })
}

impl From<ToolCall> for Call {
    fn from(ToolCall { id, name, arguments }: ToolCall) -> Self {
        // No arguments at all are not JSON, and some servers and clients parse them.
        let arguments = if arguments.trim().is_empty() { "{}".to_owned() } else { arguments };
        Self { id, kind: Kind::Function, function: Function { name, arguments } }
    }
}

impl From<Call> for ToolCall {
    fn from(Call { id, function: Function { name, arguments }, .. }: Call) -> Self {
        Self { id, name, arguments }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_keep_their_arguments_text_and_never_send_an_empty_one() {
        for (arguments, sent) in [("{\"a\":  1}", "{\"a\":  1}"), ("", "{}"), ("not json", "not json")] {
            let call =
                ToolCall { id: "c".to_owned(), name: "look".to_owned(), arguments: arguments.to_owned() };
            assert_eq!(
                serde_json::to_value(Call::from(call)).unwrap(),
                json!({"id": "c", "type": "function", "function": {"name": "look", "arguments": sent}})
            );
        }
    }

    #[test]
    fn calls_are_read_without_a_type_and_with_arguments_that_are_no_text() {
        for (arguments, expected) in [(json!("{}"), "{}"), (json!({"a": 1}), "{\"a\":1}"), (json!(null), "")]
        {
            let call: Call = serde_json::from_value(
                json!({"id": "c", "function": {"name": "look", "arguments": arguments}}),
            )
            .unwrap();
            assert_eq!(ToolCall::from(call).arguments, expected);
        }
    }
}
