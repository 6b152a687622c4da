//! What stands in messages.

use serde_json::Value;

use super::ids;
use crate::seam::ToolResult;
use crate::wire::value::text_of;

/// The blocks of a message; a string stands for one block, which is left out here.
pub(super) fn blocks(message: &Value) -> impl Iterator<Item = &Value> {
    message.get("content").and_then(Value::as_array).into_iter().flatten()
}

/// The type of a block or tool.
pub(super) fn type_of(block: &Value) -> &str {
    block.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// The results in messages, whatever else stands beside them.
pub(super) fn tool_results(messages: &[Value]) -> Vec<ToolResult> {
    let result = |block: &Value| {
        let call_id = ids::received(block.get("tool_use_id")?.as_str()?);
        let content = block.get("content").unwrap_or(&Value::Null);
        let text = text_of(content);
        let value = if text.is_empty() && !content.is_string() { content.clone() } else { text.into() };
        let failed = block.get("is_error").and_then(Value::as_bool).unwrap_or(false);
        Some(ToolResult { call_id, value, failed })
    };
    let results = messages.iter().flat_map(blocks).filter(|block| type_of(block) == "tool_result");
    results.filter_map(result).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tool_results_are_found_beside_text_as_a_string_or_as_blocks() {
        let image = json!([{"type": "image", "source": {}}]);
        let messages = [
            json!({"role": "user", "content": "toolu_wt_1_1"}),
            json!({"role": "user", "content": [
                {"type": "text", "text": "here"},
                {"type": "tool_result", "tool_use_id": "toolu_wt_1_1", "content": "75"},
                {"type": "tool_result", "tool_use_id": "toolu_thought_wt_2_1", "is_error": false,
                 "content": [{"type": "text", "text": "7"}, {"type": "text", "text": "6"}]},
                {"type": "tool_result", "tool_use_id": "foreign", "content": image},
                {"type": "tool_result", "tool_use_id": "empty", "is_error": true},
                {"type": "tool_result", "content": "lost"},
            ]}),
        ];
        let result = |id: &str, value, failed| ToolResult { call_id: id.to_owned(), value, failed };
        let expected = [
            result("call_wt_1_1", json!("75"), false),
            result("call_wt_2_1", json!("7\n6"), false),
            result("foreign", image, false),
            result("empty", Value::Null, true),
        ];
        assert_eq!(tool_results(&messages), expected);
    }
}
