//! Reading requests, as tolerantly as the provider does.

use serde_json::Value;

use super::thinking;
use crate::wire::value::{fields, flag, kind, object, offered, take_messages, take_text, text};
use crate::wire::{Delivery, WireRequest};

/// Types of tools that the provider runs itself; they carry a date after these.
const RUN_BY_PROVIDER: [&str; 4] = ["web_search_", "web_fetch_", "code_execution_", "tool_search_tool_"];

pub(super) fn read(body: Value) -> Result<WireRequest, String> {
    let mut body = fields(body)?;
    let messages = take_messages(&mut body)?;
    for (index, message) in messages.iter().enumerate() {
        if let Some(wrong) = wrong(message) {
            return Err(format!("`messages[{index}]{wrong}"));
        }
    }
    if thinking::is_on(&body) {
        thinking::came_back(&messages)?;
    }
    let thread = object(&body, "thread")?;
    let previous = thread.and_then(|thread| thread.get("previous_message_id"));
    let previous = text(previous, "thread.previous_message_id")?.map(str::to_owned);
    let stored = thread.is_some();
    let model = take_text(&mut body, "model")?.unwrap_or_default();
    let offered = offered(&body, offered_name)?;
    let streamed = flag(body.get("stream"), "stream")?.unwrap_or_default();
    let delivery = if streamed { Delivery::Stream { usage: true } } else { Delivery::Whole };
    Ok(WireRequest { model, messages, offered, delivery, previous, stored, ..WireRequest::default() })
}

/// What is wrong with a message, after its place.
fn wrong(message: &Value) -> Option<String> {
    if !message.is_object() {
        return Some(format!("` is {}, expected an object with a role", kind(message)));
    }
    match message.get("content")? {
        Value::String(_) | Value::Array(_) => None,
        other => Some(format!(".content` is {}, expected a string or a list of blocks", kind(other))),
    }
}

/// The name of a tool that the agent runs. Toolsets have none, and what the provider runs is not called by a script.
fn offered_name(tool: &Value) -> Option<&str> {
    let kind = tool.get("type").and_then(Value::as_str).unwrap_or("custom");
    let name = tool.get("name")?.as_str()?;
    (!RUN_BY_PROVIDER.iter().any(|prefix| kind.starts_with(prefix))).then_some(name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(fields: Value) -> Value {
        let mut body =
            json!({"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]});
        let Value::Object(fields) = fields else { panic!("an object") };
        body.as_object_mut().unwrap().extend(fields);
        body
    }

    #[test]
    fn stream_in_the_body_decides_and_usage_always_comes() {
        for (fields, expected) in [
            (json!({}), Delivery::Whole),
            (json!({"stream": false}), Delivery::Whole),
            (json!({"stream": null}), Delivery::Whole),
            (json!({"stream": true}), Delivery::Stream { usage: true }),
        ] {
            assert_eq!(read(with(fields.clone())).unwrap().delivery, expected, "{fields}");
        }
    }

    #[test]
    fn tools_that_the_agent_runs_are_offered_with_or_without_a_schema() {
        let tools = json!([
            {"name": "lookup", "input_schema": {"type": "object"}},
            {"type": "custom", "name": "send", "input_schema": {"type": "object"}},
            {"type": "bash_20250124", "name": "bash"},
            {"type": "web_search_20260318", "name": "web_search"},
            {"type": "code_execution_20260521", "name": "code_execution"},
            {"type": "computer_toolset_20260801"},
        ]);
        assert_eq!(read(with(json!({ "tools": tools }))).unwrap().offered, ["lookup", "send", "bash"]);
    }

    #[test]
    fn what_is_wrong_with_a_body_is_said_with_its_place() {
        for (body, message) in [
            (json!([]), "the request body is a list, expected a JSON object"),
            (json!({}), "`messages` is missing, expected a list"),
            (json!({"messages": "hi"}), "`messages` is a string, expected a list"),
            (json!({"messages": [{}, 3]}), "`messages[1]` is a number, expected an object with a role"),
            (
                json!({"messages": [{"role": "user", "content": 3}]}),
                "`messages[0].content` is a number, expected a string or a list of blocks",
            ),
            (with(json!({"model": null, "stream": 1})), "`stream` is a number, expected a boolean"),
            (with(json!({"model": ["m"]})), "`model` is a list, expected a string"),
            (with(json!({"tools": 5})), "`tools` is a number, expected a list"),
            (with(json!({"tools": ["bash"]})), "`tools[0]` is a string, expected an object"),
            (with(json!({"thread": "t"})), "`thread` is a string, expected an object"),
            (
                with(json!({"thread": {"previous_message_id": 7}})),
                "`thread.previous_message_id` is a number, expected a string",
            ),
        ] {
            assert_eq!(read(body), Err(message.to_owned()));
        }
    }

    #[test]
    fn a_thread_is_kept_and_gone_on_with() {
        for (thread, previous, stored) in [
            (Value::Null, None, false),
            (json!({"type": "create"}), None, true),
            (json!({"type": "continue", "previous_message_id": "msg_wt_1"}), Some("msg_wt_1"), true),
        ] {
            let read = read(with(json!({ "thread": thread }))).unwrap();
            assert_eq!((read.previous.as_deref(), read.stored), (previous, stored), "{thread}");
        }
    }
}
