//! What a request says, apart from how this wire says it.

use serde_json::{Value, json};
use windtunnel_api::surface::{Instruction, Surface};

use super::ids;
use super::messages::{blocks, type_of};
use crate::wire::value::text_of;

/// The body with `messages` as Chat Completions has them, so that one pattern fits either wire: the system prompt first, the text
/// of a message as one string, calls as `tool_calls`, and their results with the role `tool`; none if it is so already.
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
        add(&mut plain, message);
    }
    let mut body = body.as_object()?.clone();
    body.remove("system");
    body.insert("messages".to_owned(), plain.into());
    Some(body.into())
}

fn add(plain: &mut Vec<Value>, message: &Value) {
    let results = blocks(message).filter(|block| type_of(block) == "tool_result").map(|result| {
        let id = result.get("tool_use_id").and_then(Value::as_str).map(ids::received);
        json!({"role": "tool", "tool_call_id": id, "content": result.get("content").map(text_of)})
    });
    let before = plain.len();
    plain.extend(results);
    let calls: Vec<Value> = blocks(message).filter(|block| type_of(block) == "tool_use").map(call).collect();
    let text = message.get("content").map(text_of).filter(|text| !text.is_empty());
    if text.is_none() && calls.is_empty() && plain.len() > before {
        return;
    }
    let mut said = json!({"role": message.get("role"), "content": text});
    if !calls.is_empty() {
        said["tool_calls"] = calls.into();
    }
    plain.push(said);
}

fn call(block: &Value) -> Value {
    let id = block.get("id").and_then(Value::as_str).map(ids::received);
    let arguments = block.get("input").map(Value::to_string);
    json!({"id": id, "type": "function", "function": {"name": block.get("name"), "arguments": arguments}})
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
        system_instructions: body.get("system").into_iter().chain(in_messages).flat_map(of).collect(),
        tool_definitions: body.get("tools").and_then(Value::as_array).cloned().unwrap_or_default(),
        ..Surface::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_form_has_the_messages_of_chat_completions() {
        let body = json!({
            "model": "m",
            "system": [{"type": "text", "text": "Be"}, {"type": "text", "text": "kind."}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image", "source": {}}]},
                {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_wt_1_1", "name": "lookup", "input": {"id": 7}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "toolu_wt_1_1", "content": [{"type": "text", "text": "75"}]},
                    {"type": "text", "text": "and now?"},
                ]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "76"}]},
            ],
        });
        let function = json!({"name": "lookup", "arguments": "{\"id\":7}"});
        let call = json!({"id": "call_wt_1_1", "type": "function", "function": function});
        let plain = json!({"model": "m", "messages": [
            {"role": "system", "content": "Be\nkind."},
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": null, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_wt_1_1", "content": "75"},
            {"role": "user", "content": "and now?"},
            {"role": "tool", "tool_call_id": "b", "content": "76"},
        ]});
        assert_eq!(plain_form(&body).unwrap(), plain);
        let plainer = json!({"messages": [{"role": "user", "content": "hi"}]});
        assert_eq!(plain_form(&plainer), None);
        let told = json!({"system": "Be kind.", "messages": []});
        assert_eq!(
            plain_form(&told).unwrap()["messages"],
            json!([{"role": "system", "content": "Be kind."}])
        );
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
        }
        let inside = json!({"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]});
        assert_eq!(surface(&inside).system_instructions[0].content, "Be brief.");
    }
}
