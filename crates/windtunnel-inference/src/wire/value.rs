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
        Some(other) => Err(expected("messages", &other, "a list")),
        None => Err("`messages` is missing, expected a list".to_owned()),
    }
}

/// Takes a text out of a request; none where there is none, or null.
pub(super) fn take_text(body: &mut Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match body.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(expected(name, &other, "a string")),
    }
}

/// A field that is a text; none where it is neither there nor null.
pub(super) fn text<'a>(field: Option<&'a Value>, path: &str) -> Result<Option<&'a str>, String> {
    match field {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(expected(path, other, "a string")),
    }
}

/// A field that is true or false; none where it is neither there nor null.
pub(super) fn flag(field: Option<&Value>, path: &str) -> Result<Option<bool>, String> {
    match field {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(other) => Err(expected(path, other, "a boolean")),
    }
}

/// A field that holds others; none where it is neither there nor null.
pub(super) fn object<'a>(
    body: &'a Map<String, Value>,
    name: &str,
) -> Result<Option<&'a Map<String, Value>>, String> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(fields)) => Ok(Some(fields)),
        Some(other) => Err(expected(name, other, "an object")),
    }
}

/// A field that is a list; empty where it is neither there nor null.
pub(super) fn list<'a>(body: &'a Map<String, Value>, name: &str) -> Result<&'a [Value], String> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(other) => Err(expected(name, other, "a list")),
    }
}

/// The definitions of tools that stand at the top of a request.
pub(super) fn tool_definitions(body: &Map<String, Value>) -> Result<&[Value], String> {
    let tools = list(body, "tools")?;
    match tools.iter().enumerate().find(|(_, tool)| !tool.is_object()) {
        None => Ok(tools),
        Some((index, other)) => Err(expected(&format!("tools[{index}]"), other, "an object")),
    }
}

/// The names of the tools that a request offers.
pub(super) fn offered(
    body: &Map<String, Value>,
    name: impl Fn(&Value) -> Option<&str>,
) -> Result<Vec<String>, String> {
    Ok(tool_definitions(body)?.iter().filter_map(|tool| name(tool).map(str::to_owned)).collect())
}

fn expected(name: &str, found: &Value, expected: &str) -> String {
    format!("`{name}` is {}, expected {expected}", kind(found))
}
