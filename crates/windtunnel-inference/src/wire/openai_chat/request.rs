//! Reading requests, as tolerantly as providers do.

use serde_json::Value;
use windtunnel_api::surface::{Instruction, Surface, SurfaceStatus};

use crate::seam::ToolResult;
use crate::wire::value::{fields, flag, kind, object, offered, take_messages, take_text, text_of};
use crate::wire::{Delivery, WireRequest};

pub(super) fn read(body: Value) -> Result<WireRequest, String> {
    let mut body = fields(body)?;
    let messages = take_messages(&mut body)?;
    if let Some((index, other)) = messages.iter().enumerate().find(|(_, message)| !message.is_object()) {
        return Err(format!("`messages[{index}]` is {}, expected an object with a role", kind(other)));
    }
    let model = take_text(&mut body, "model")?.unwrap_or_default();
    let offered = offered(&body, tool_name)?;
    let include_usage = object(&body, "stream_options")?.and_then(|options| options.get("include_usage"));
    let usage = flag(include_usage, "stream_options.include_usage")?.unwrap_or_default();
    let delivery = if flag(body.get("stream"), "stream")?.unwrap_or_default() {
        Delivery::Stream { usage }
    } else {
        Delivery::Whole
    };
    Ok(WireRequest { model, messages, offered, delivery, ..WireRequest::default() })
}

/// The name of a function tool or a custom tool; kinds without a name are not offered to a script.
fn tool_name(tool: &Value) -> Option<&str> {
    let kind = tool.get("type").and_then(Value::as_str).unwrap_or("function");
    tool.get(kind)?.get("name")?.as_str()
}

/// The body with `developer` as `system` and lists of text parts as one string; none if it is so already.
pub(super) fn plain_form(body: &Value) -> Option<Value> {
    let messages = body.get("messages")?.as_array()?;
    let is_plain = |message: &Value| {
        message.get("role").and_then(Value::as_str) != Some("developer")
            && !message.get("content").is_some_and(Value::is_array)
    };
    if messages.iter().all(is_plain) {
        return None;
    }
    let mut plain = body.clone();
    for message in plain.get_mut("messages")?.as_array_mut()? {
        if let Some(role) = message.get_mut("role").filter(|role| role.as_str() == Some("developer")) {
            *role = "system".into();
        }
        if let Some(content) = message.get_mut("content").filter(|content| content.is_array()) {
            *content = text_of(content).into();
        }
    }
    Some(plain)
}

/// What a request tells besides the conversation: its system messages, and its tools.
pub(super) fn surface(body: &Value) -> Surface {
    let list = |name: &str| body.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    surface_of(list("messages"), list("tools").to_vec())
}

/// The same of a request that is no document.
pub(crate) fn surface_of(messages: &[Value], tool_definitions: Vec<Value>) -> Surface {
    let instruction = |message: &Value| {
        matches!(message.get("role")?.as_str()?, "system" | "developer").then_some(())?;
        Some(Instruction { r#type: "text".to_owned(), content: text_of(message.get("content")?) })
    };
    Surface {
        status: SurfaceStatus::Rendered,
        system_instructions: messages.iter().filter_map(instruction).collect(),
        tool_definitions,
        extra_segments: Vec::new(),
    }
}

/// The results in messages with the role `tool`.
pub(crate) fn tool_results(messages: &[Value]) -> Vec<ToolResult> {
    let result = |message: &Value| {
        (message.get("role")?.as_str()? == "tool").then_some(())?;
        let call_id = message.get("tool_call_id")?.as_str()?.to_owned();
        let value = match message.get("content") {
            Some(content @ (Value::String(_) | Value::Array(_))) => text_of(content).into(),
            Some(other) => other.clone(),
            None => Value::Null,
        };
        Some(ToolResult { call_id, value, failed: false })
    };
    messages.iter().filter_map(result).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn stream_in_the_body_decides_and_usage_is_asked_for_by_name() {
        for (extra, expected) in [
            (json!({}), Delivery::Whole),
            (json!({"stream": false}), Delivery::Whole),
            (json!({"stream": null}), Delivery::Whole),
            (json!({"stream": true}), Delivery::Stream { usage: false }),
            (json!({"stream": true, "stream_options": null}), Delivery::Stream { usage: false }),
            (
                json!({"stream": true, "stream_options": {"include_usage": true}}),
                Delivery::Stream { usage: true },
            ),
            (json!({"stream_options": {"include_usage": true}}), Delivery::Whole),
        ] {
            let mut body = json!({"model": "m", "messages": []});
            body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            assert_eq!(read(body.clone()).unwrap().delivery, expected, "{body}");
        }
    }

    #[test]
    fn offered_tools_are_named_and_legacy_functions_ignored() {
        let body = json!({
            "model": "m", "messages": [], "functions": [{"name": "old"}],
            "tools": [
                {"type": "function", "function": {"name": "lookup", "parameters": {}}},
                {"type": "custom", "custom": {"name": "exec"}},
                {"function": {"name": "untyped"}},
                {"type": "web_search"},
            ],
        });
        assert_eq!(read(body).unwrap().offered, ["lookup", "exec", "untyped"]);
    }

    #[test]
    fn what_is_wrong_with_a_body_is_said_with_its_place() {
        for (body, message) in [
            (json!([]), "the request body is a list, expected a JSON object"),
            (json!({}), "`messages` is missing, expected a list"),
            (json!({"messages": "hi"}), "`messages` is a string, expected a list"),
            (json!({"messages": [{}, 3]}), "`messages[1]` is a number, expected an object with a role"),
            (json!({"messages": [], "model": 4}), "`model` is a number, expected a string"),
            (json!({"messages": [], "stream": "yes"}), "`stream` is a string, expected a boolean"),
            (json!({"messages": [], "tools": 5}), "`tools` is a number, expected a list"),
            (json!({"messages": [], "tools": [{}, "x"]}), "`tools[1]` is a string, expected an object"),
            (json!({"messages": [], "stream_options": []}), "`stream_options` is a list, expected an object"),
            (
                json!({"messages": [], "stream_options": {"include_usage": 1}}),
                "`stream_options.include_usage` is a number, expected a boolean",
            ),
        ] {
            assert_eq!(read(body), Err(message.to_owned()));
        }
    }

    #[test]
    fn the_plain_form_has_system_messages_and_joined_text() {
        let body = json!({"messages": [
            {"role": "developer", "content": [{"type": "text", "text": "Be"}, {"type": "text", "text": "kind."}]},
            {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {}}]},
        ]});
        let plain = json!({"messages": [{"role": "system", "content": "Be\nkind."}, {"role": "user", "content": "hi"}]});
        assert_eq!(plain_form(&body).unwrap(), plain);
        assert_eq!(plain_form(&plain), None);
    }

    #[test]
    fn tool_results_are_found_by_their_call() {
        let messages = [
            json!({"role": "user", "content": "x", "tool_call_id": "no"}),
            json!({"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "75"}]}),
            json!({"role": "tool", "content": "lost"}),
        ];
        assert_eq!(
            tool_results(&messages),
            [ToolResult { call_id: "a".to_owned(), value: json!("75"), failed: false }]
        );
    }

    #[test]
    fn the_surface_is_the_system_messages_and_the_tools_as_they_were_sent() {
        let tools = json!([{"type": "function", "function": {"name": "lookup", "strict": true}}]);
        let body = json!({"tools": tools, "messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "hi"},
            {"role": "developer", "content": [{"type": "text", "text": "Be"}, {"type": "text", "text": "brief."}]},
        ]});
        let surface = surface(&body);
        assert_eq!(surface.status, SurfaceStatus::Rendered);
        let texts: Vec<&str> = surface.system_instructions.iter().map(|it| it.content.as_str()).collect();
        assert_eq!(texts, ["Be kind.", "Be\nbrief."]);
        assert_eq!(Value::from(surface.tool_definitions), tools);
    }
}
