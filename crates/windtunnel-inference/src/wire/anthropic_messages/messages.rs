//! What stands in the messages of a request.

use serde_json::{Value, json};
use windtunnel_api::surface::{Instruction, Surface, SurfaceStatus};

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

/// The body with the system prompt as a first message, with the text of every message as one string, and with tool results as
/// messages of their own; none if it is so already.
pub(super) fn plain_form(body: &Value) -> Option<Value> {
    let messages = body.get("messages")?.as_array()?;
    let system = body.get("system");
    if system.is_none() && messages.iter().all(|message| message.get("content").is_some_and(Value::is_string))
    {
        return None;
    }
    let mut plain = Vec::with_capacity(messages.len() + 1);
    plain.extend(system.map(|system| json!({"role": "system", "content": text_of(system)})));
    for message in messages {
        for result in blocks(message).filter(|block| type_of(block) == "tool_result") {
            plain.push(json!({
                "role": "tool",
                "tool_call_id": result.get("tool_use_id"),
                "content": result.get("content").map(text_of),
            }));
        }
        let text = message.get("content").map(text_of).unwrap_or_default();
        if !text.is_empty() || !blocks(message).any(|block| type_of(block) == "tool_result") {
            plain.push(json!({"role": message.get("role"), "content": text}));
        }
    }
    let mut body = body.as_object()?.clone();
    body.remove("system");
    body.insert("messages".to_owned(), plain.into());
    Some(body.into())
}

/// What the model is told besides the conversation.
pub(super) fn surface(body: &Value) -> Surface {
    let instruction =
        |r#type: &str, content: &str| Instruction { r#type: r#type.to_owned(), content: content.to_owned() };
    let of = |content: &Value| match content {
        Value::String(text) => vec![instruction("text", text)],
        Value::Array(blocks) => {
            let text = |block: &Value| Some(instruction(type_of(block), block.get("text")?.as_str()?));
            blocks.iter().filter_map(text).collect()
        }
        _ => Vec::new(),
    };
    let messages = body.get("messages").and_then(Value::as_array).into_iter().flatten();
    let in_messages = messages
        .filter(|message| message.get("role").and_then(Value::as_str) == Some("system"))
        .filter_map(|message| message.get("content"));
    Surface {
        status: SurfaceStatus::Rendered,
        system_instructions: body.get("system").into_iter().chain(in_messages).flat_map(of).collect(),
        tool_definitions: body.get("tools").and_then(Value::as_array).cloned().unwrap_or_default(),
        extra_segments: Vec::new(),
    }
}

/// The results in messages, whatever else stands beside them.
pub(super) fn tool_results(messages: &[Value]) -> Vec<ToolResult> {
    let result = |block: &Value| {
        let call_id = ids::received(block.get("tool_use_id")?.as_str()?);
        let value = match block.get("content") {
            Some(content @ Value::String(_)) => content.clone(),
            Some(content @ Value::Array(blocks)) if blocks.iter().all(|block| type_of(block) == "text") => {
                text_of(content).into()
            }
            Some(other) => other.clone(),
            None => Value::Null,
        };
        let failed = block.get("is_error").and_then(Value::as_bool).unwrap_or(false);
        Some(ToolResult { call_id, value, failed })
    };
    let results = messages.iter().flat_map(blocks).filter(|block| type_of(block) == "tool_result");
    results.filter_map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_form_has_the_system_prompt_first_and_joined_text_and_results_of_their_own() {
        let body = json!({
            "model": "m",
            "system": [{"type": "text", "text": "Be"}, {"type": "text", "text": "kind."}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image", "source": {}}]},
                {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "lookup", "input": {}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "75"}]},
                    {"type": "text", "text": "and now?"},
                ]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "76"}]},
            ],
        });
        let plain = json!({"model": "m", "messages": [
            {"role": "system", "content": "Be\nkind."},
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": ""},
            {"role": "tool", "tool_call_id": "a", "content": "75"},
            {"role": "user", "content": "and now?"},
            {"role": "tool", "tool_call_id": "b", "content": "76"},
        ]});
        assert_eq!(plain_form(&body).unwrap(), plain);
        assert_eq!(plain_form(&plain), None);
        let told = json!({"system": "Be kind.", "messages": []});
        assert_eq!(
            plain_form(&told).unwrap()["messages"],
            json!([{"role": "system", "content": "Be kind."}])
        );
    }

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

    #[test]
    fn the_surface_is_the_system_prompt_and_the_tools_as_they_are() {
        let tools = json!([{"name": "lookup", "input_schema": {}}, {"type": "web_search_20260318", "name": "web_search"}]);
        let cached = json!([{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}]);
        for system in [json!("Be kind."), cached] {
            let surface = surface(&json!({"system": system, "tools": tools, "messages": []}));
            let expected = Instruction { r#type: "text".to_owned(), content: "Be kind.".to_owned() };
            assert_eq!(surface.system_instructions, [expected]);
            assert_eq!(surface.tool_definitions, *tools.as_array().unwrap());
            assert_eq!(surface.status, SurfaceStatus::Rendered);
        }
        let inside = json!({"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]});
        assert_eq!(surface(&inside).system_instructions[0].content, "Be brief.");
    }
}
