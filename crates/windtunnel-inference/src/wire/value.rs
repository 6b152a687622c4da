//! Reading JSON that clients send, as tolerantly as providers do.

use serde_json::{Map, Value};

/// What a value is, for a message.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The text of a content: a string, or the text parts of a list.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let text = |part: &Value| part.as_str().or_else(|| part.get("text")?.as_str()).map(str::to_owned);
            parts.iter().filter_map(text).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The fields of a request body.
pub(super) fn fields(body: Value) -> Result<Map<String, Value>, String> {
    match body {
        Value::Object(fields) => Ok(fields),
        other => Err(format!("the request body is {}, expected a JSON object", kind(&other))),
    }
}

/// Takes the list of `messages` out of a request.
pub(super) fn take_messages(body: &mut Map<String, Value>) -> Result<Vec<Value>, String> {
    match body.remove("messages") {
        Some(Value::Array(messages)) => Ok(messages),
        Some(other) => Err(format!("`messages` is {}, expected a list", kind(&other))),
        None => Err("`messages` is missing, expected a list".to_owned()),
    }
}

/// Takes a text out of a request; none where it is something else.
pub(super) fn take_text(body: &mut Map<String, Value>, name: &str) -> Option<String> {
    match body.remove(name) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// Whether a field is there and true.
pub(super) fn is_true(field: Option<&Value>) -> bool {
    field.and_then(Value::as_bool).unwrap_or(false)
}

/// The names of the tools that a request offers.
pub(super) fn offered(body: &Map<String, Value>, name: impl Fn(&Value) -> Option<&str>) -> Vec<String> {
    let tools = body.get("tools").and_then(Value::as_array).into_iter().flatten();
    tools.filter_map(|tool| name(tool).map(str::to_owned)).collect()
}
