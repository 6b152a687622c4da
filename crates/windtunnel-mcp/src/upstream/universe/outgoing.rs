//! Recorded results as MCP sends them.

use serde_json::{Value, json};

use crate::upstream::builtin::Called;

/// What kinds of content there are.
const CONTENT: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];

/// A result for the model.
///
/// ```text
/// object                  structured content, and its JSON as a text
/// text                    a text
/// list of content parts   the content, as the recorder saw it
/// anything else           its JSON as a text
/// ```
pub(super) fn outgoing(result: &Value) -> Called {
    match result {
        Value::Object(_) => Called::structured(result),
        Value::String(text) => Called::text(text),
        Value::Array(parts) if !parts.is_empty() && parts.iter().all(is_content) => {
            Called { result: json!({ "content": parts }), note: None }
        }
        other => Called::text(&other.to_string()),
    }
}

fn is_content(part: &Value) -> bool {
    part.get("type").and_then(Value::as_str).is_some_and(|kind| CONTENT.contains(&kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table() {
        let text = |text: &str| json!({"type": "text", "text": text});
        let image = json!({"type": "image", "data": "AA==", "mimeType": "image/png"});
        for (recorded, sent) in [
            (json!({"n": 1}), json!({"content": [text(r#"{"n":1}"#)], "structuredContent": {"n": 1}})),
            (json!("paid"), json!({"content": [text("paid")]})),
            (json!([image]), json!({"content": [image]})),
            (json!([{"id": 1}]), json!({"content": [text(r#"[{"id":1}]"#)]})),
            (json!([]), json!({"content": [text("[]")]})),
            (json!(75), json!({"content": [text("75")]})),
            (json!(null), json!({"content": [text("null")]})),
        ] {
            assert_eq!(outgoing(&recorded).result, sent, "{recorded}");
        }
        assert_eq!(outgoing(&json!("no")).failed().result, json!({"content": [text("no")], "isError": true}));
    }
}
