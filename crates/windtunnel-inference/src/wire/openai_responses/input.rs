//! The items of an input, as far as they are understood here.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::tools::TEXT_ARGUMENT;
use crate::seam::ToolResult;
use crate::wire::value::text_of;

/// An item of an input.
#[derive(Debug, PartialEq)]
pub(super) enum InputItem<'a> {
    /// Something that was said.
    Message { role: &'a str, content: &'a Value },
    /// A call that the model asked for.
    Call { call_id: &'a str, name: &'a str, arguments: Cow<'a, str> },
    /// What a call led to.
    CallOutput { call_id: &'a str, output: &'a Value },
    /// More tools to call.
    Tools(&'a [Value]),
    /// Anything else, such as reasoning or a reference to an item: providers know more kinds from year to year.
    Other,
}

impl<'a> InputItem<'a> {
    pub(super) fn of(item: &'a Value) -> Self {
        Self::understood(item).unwrap_or(Self::Other)
    }

    fn understood(item: &'a Value) -> Option<Self> {
        let text = |name: &str| item.get(name)?.as_str();
        // A message may go without a type.
        Some(match text("type").unwrap_or("message") {
            "message" => Self::Message { role: text("role")?, content: item.get("content")? },
            "function_call" => Self::Call {
                call_id: text("call_id")?,
                name: text("name")?,
                arguments: text("arguments").unwrap_or("{}").into(),
            },
            "custom_tool_call" => Self::Call {
                call_id: text("call_id")?,
                name: text("name")?,
                arguments: json!({TEXT_ARGUMENT: text("input").unwrap_or_default()}).to_string().into(),
            },
            "function_call_output" | "custom_tool_call_output" => {
                Self::CallOutput { call_id: text("call_id")?, output: item.get("output")? }
            }
            "additional_tools" | "tool_search_output" => Self::Tools(item.get("tools")?.as_array()?),
            _ => Self::Other,
        })
    }
}

/// The results of calls among items.
pub(super) fn tool_results(items: &[Value]) -> Vec<ToolResult> {
    let result = |item| match InputItem::of(item) {
        InputItem::CallOutput { call_id, output } => {
            let value = match output {
                Value::String(_) | Value::Array(_) => text_of(output).into(),
                other => other.clone(),
            };
            Some(ToolResult { call_id: call_id.to_owned(), value, failed: false })
        }
        _ => None,
    };
    items.iter().filter_map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_unknown_kinds_and_broken_ones_are_skipped() {
        for item in [
            json!({"type": "reasoning", "id": "rs_1", "summary": []}),
            json!({"type": "item_reference", "id": "msg_1"}),
            json!({"type": "compaction", "encrypted_content": "x"}),
            json!({"type": "of next year"}),
            json!({"type": "function_call"}),
            json!({"type": "function_call_output", "call_id": "c"}),
            json!({}),
        ] {
            assert_eq!(InputItem::of(&item), InputItem::Other, "{item}");
        }
    }

    #[test]
    fn results_of_functions_and_custom_tools_are_found_by_their_call() {
        let items = [
            json!({"type": "function_call_output", "call_id": "a", "output": "75"}),
            json!({"type": "custom_tool_call_output", "call_id": "b", "output": [
                {"type": "input_text", "text": "one"}, {"type": "input_image", "image_url": "data:,"}, {"type": "input_text", "text": "two"},
            ]}),
            json!({"type": "function_call_output", "call_id": "c", "output": {"orders": 75}}),
            json!({"type": "function_call_output", "output": "lost"}),
            json!({"type": "message", "role": "user", "content": "x", "call_id": "no"}),
        ];
        let result =
            |call_id: &str, value: Value| ToolResult { call_id: call_id.to_owned(), value, failed: false };
        assert_eq!(
            tool_results(&items),
            [result("a", json!("75")), result("b", json!("one\ntwo")), result("c", json!({"orders": 75}))]
        );
    }
}
