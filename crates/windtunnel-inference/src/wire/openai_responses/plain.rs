//! What a request says, apart from how this wire says it.

use serde_json::{Map, Value, json};
use windtunnel_api::surface::{Instruction, Surface};

use super::input::InputItem;
use super::tools;
use crate::wire::value::text_of;

/// The body with `messages` as Chat Completions has them in place of `instructions` and `input`, so that one pattern fits
/// either wire: instructions and `developer` as `system`, lists of text parts as one string, calls as `tool_calls` of an
/// assistant message, their outputs with the role `tool`. Items of other kinds are left out.
pub(super) fn plain_form(body: &Value) -> Option<Value> {
    let body = body.as_object()?;
    let mut messages = Vec::new();
    if let Some(text) = body.get("instructions").and_then(Value::as_str) {
        messages.push(json!({"role": "system", "content": text}));
    }
    match body.get("input") {
        Some(Value::String(text)) => messages.push(json!({"role": "user", "content": text})),
        Some(Value::Array(items)) => items.iter().for_each(|item| add(&mut messages, item)),
        _ => {}
    }
    let others = body.iter().filter(|(key, _)| !matches!(key.as_str(), "instructions" | "input"));
    let mut plain: Map<String, Value> = others.map(|(key, value)| (key.clone(), value.clone())).collect();
    plain.insert("messages".to_owned(), messages.into());
    Some(Value::Object(plain))
}

fn add(messages: &mut Vec<Value>, item: &Value) {
    match InputItem::of(item) {
        InputItem::Message { role, content } => {
            let role = if role == "developer" { "system" } else { role };
            messages.push(json!({"role": role, "content": text_of(content)}));
        }
        InputItem::Call { call_id, name, arguments } => {
            let call = json!({"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}});
            add_call(messages, call);
        }
        InputItem::CallOutput { call_id, output } => {
            messages.push(json!({"role": "tool", "tool_call_id": call_id, "content": text_of(output)}));
        }
        InputItem::Tools(_) | InputItem::Other => {}
    }
}

/// Calls belong to the assistant message right before them.
fn add_call(messages: &mut Vec<Value>, call: Value) {
    let said = messages.last_mut().and_then(Value::as_object_mut);
    if let Some(said) = said.filter(|message| message.get("role").is_some_and(|role| role == "assistant")) {
        if let Some(calls) = said.entry("tool_calls").or_insert_with(|| json!([])).as_array_mut() {
            calls.push(call);
        }
    } else {
        messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
    }
}

/// The instructions of a request wherever they stand, and its tools as they were sent.
pub(super) fn surface(body: &Value) -> Surface {
    let items = body.get("input").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let in_items = items.iter().filter_map(|item| match InputItem::of(item) {
        InputItem::Message { role: "system" | "developer", content } => Some(text_of(content)),
        _ => None,
    });
    let tools = body.get("tools").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let instructions = body.get("instructions").and_then(Value::as_str).map(str::to_owned);
    Surface {
        system_instructions: instructions
            .into_iter()
            .chain(in_items)
            .map(|content| Instruction { r#type: "text".to_owned(), content })
            .collect(),
        tool_definitions: tools::definitions(tools, items).cloned().collect(),
        ..Surface::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> Value {
        json!({
            "model": "m",
            "instructions": "Be kind.",
            "input": [
                {"type": "additional_tools", "tools": [{"type": "custom", "name": "exec"}]},
                {"role": "developer", "content": [{"type": "input_text", "text": "Be"}, {"type": "input_text", "text": "brief."}]},
                {"type": "message", "role": "user", "content": "How many?"},
                {"type": "reasoning", "id": "rs_1", "summary": []},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
                {"type": "function_call", "call_id": "a", "name": "lookup", "arguments": "{\"id\":7}"},
                {"type": "custom_tool_call", "call_id": "b", "name": "exec", "input": "1 + 1"},
                {"type": "function_call_output", "call_id": "a", "output": "75"},
                {"type": "function_call", "call_id": "c", "name": "lookup", "arguments": "{}"},
            ],
            "tools": [{"type": "function", "name": "lookup"}],
        })
    }

    #[test]
    fn the_plain_form_has_the_messages_of_chat_completions() {
        let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
        let expected = json!({
            "model": "m",
            "tools": [{"type": "function", "name": "lookup"}],
            "messages": [
                {"role": "system", "content": "Be kind."},
                {"role": "system", "content": "Be\nbrief."},
                {"role": "user", "content": "How many?"},
                {"role": "assistant", "content": "I look.", "tool_calls": [call("a", "lookup", "{\"id\":7}"), call("b", "exec", "{\"input\":\"1 + 1\"}")]},
                {"role": "tool", "tool_call_id": "a", "content": "75"},
                {"role": "assistant", "content": null, "tool_calls": [call("c", "lookup", "{}")]},
            ],
        });
        assert_eq!(plain_form(&body()), Some(expected));
        let short = json!({"input": "Generate a title"});
        assert_eq!(
            plain_form(&short),
            Some(json!({"messages": [{"role": "user", "content": "Generate a title"}]}))
        );
        assert_eq!(plain_form(&json!([])), None);
    }

    #[test]
    fn the_surface_has_instructions_and_tools_wherever_they_stand() {
        let text = |content: &str| Instruction { r#type: "text".to_owned(), content: content.to_owned() };
        let expected = Surface {
            system_instructions: vec![text("Be kind."), text("Be\nbrief.")],
            tool_definitions: vec![
                json!({"type": "function", "name": "lookup"}),
                json!({"type": "custom", "name": "exec"}),
            ],
            ..Surface::default()
        };
        assert_eq!(surface(&body()), expected);
        assert_eq!(surface(&json!({"input": "hi"})), Surface::default());
    }
}
