//! What a record says of the arguments and results of calls.
//!
//! Shapes are those of [`exchange`](crate::exchange) with every member; JSON that a result carries as text is shown as what it says.

use serde_json::{Map, Value, json};

use crate::exchange::{ChatDelta, ChatReply, ChatRequest, ToolCall, ToolResult};
use crate::host::trace::to_value;

pub(super) fn nothing() -> Value {
    Value::Object(Map::new())
}

pub(super) fn key(key: &str) -> Value {
    json!({"key": key})
}

pub(super) fn key_value(key: &str, value: &str) -> Value {
    json!({"key": key, "value": value})
}

pub(super) fn uuid(id: &str) -> Value {
    json!({"uuid": id})
}

pub(super) fn provider(provider: &str) -> Value {
    json!({"provider": provider})
}

pub(super) fn agent(agent: &str) -> Value {
    json!({"agent": agent})
}

pub(super) fn message(agent: &str, payload: &str) -> Value {
    json!({"agent": agent, "payload": payload})
}

pub(super) fn model(model: &str) -> Value {
    json!({"model": model})
}

pub(super) fn chat(provider: &str, request: &ChatRequest) -> Value {
    let ChatRequest { model, messages, tools, params } = request;
    json!({"provider": provider, "model": model, "messages": messages, "tools": tools, "params": params})
}

pub(super) fn reply(reply: &ChatReply) -> Value {
    let ChatReply { content, reasoning, tool_calls, finish_reason, usage } = reply;
    let call =
        |call: &ToolCall| json!({"id": call.id, "name": call.name, "arguments": parsed(&call.arguments)});
    json!({
        "content": content,
        "reasoning": reasoning,
        "tool_calls": tool_calls.iter().map(call).collect::<Vec<_>>(),
        "finish_reason": finish_reason,
        "usage": usage.as_deref().map(parsed),
    })
}

pub(super) fn tooling(tooling: &str) -> Value {
    json!({"tooling": tooling})
}

pub(super) fn tool_call(tooling: &str, tool: &str, arguments: &Value) -> Value {
    json!({"tooling": tooling, "tool": tool, "arguments": arguments})
}

pub(super) fn tool_result(result: &ToolResult) -> Value {
    let ToolResult { content, structured_content, is_error, .. } = result;
    json!({
        "content": parsed(content),
        "structured_content": structured_content.as_deref().map(parsed),
        "is_error": is_error,
    })
}

pub(super) fn resource(tooling: &str, uri: &str) -> Value {
    json!({"tooling": tooling, "uri": uri})
}

pub(super) fn unsubscribe(tooling: &str, id: &str) -> Value {
    json!({"tooling": tooling, "uuid": id})
}

pub(super) fn delta(session: &str, delta: &ChatDelta) -> Value {
    let mut detail = Map::new();
    detail.insert("session".to_owned(), session.into());
    if let Value::Object(members) = to_value(delta) {
        detail.extend(members);
    }
    Value::Object(detail)
}

/// What a JSON text says; text that is none stays text.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_texts_of_results_are_shown_parsed_and_other_texts_as_they_are() {
        let shown = reply(&ChatReply {
            tool_calls: vec![
                ToolCall { id: "1".to_owned(), name: "add".to_owned(), arguments: r#"{"a": 1}"#.to_owned() },
                ToolCall { id: "2".to_owned(), name: "add".to_owned(), arguments: "{a".to_owned() },
            ],
            usage: Some(r#"{"total_tokens": 3}"#.to_owned()),
            ..ChatReply::default()
        });
        assert_eq!(
            shown,
            json!({
                "content": null,
                "reasoning": null,
                "tool_calls": [
                    {"id": "1", "name": "add", "arguments": {"a": 1}},
                    {"id": "2", "name": "add", "arguments": "{a"},
                ],
                "finish_reason": null,
                "usage": {"total_tokens": 3},
            })
        );
    }
}
