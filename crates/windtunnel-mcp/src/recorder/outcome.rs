//! How a call ended, in the one form that evidence knows.

use serde_json::Value;

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// With this value.
    Result(Value),
    /// With this text of an error.
    Error(String),
}

impl Outcome {
    /// Reads the raw `result` of `tools/call`.
    ///
    /// ```text
    /// isError   structuredContent  text parts   evidence
    /// true      -                  some         error: the texts, joined by newline
    /// true      -                  none         error: the content (or the whole result) as JSON
    /// -         there              -            result: the structured content
    /// -         -                  some         result: the texts, joined by newline
    /// -         -                  none         result: the content as it came, or the whole result
    /// ```
    pub(crate) fn of_result(raw: &str) -> Result<Self, serde_json::Error> {
        let mut result: Value = serde_json::from_str(raw)?;
        let text = texts(&result["content"]);
        if result["isError"] == Value::Bool(true) {
            return Ok(Self::Error(text.unwrap_or_else(|| content(result).to_string())));
        }
        let structured =
            result.get_mut("structuredContent").map(Value::take).filter(|value| !value.is_null());
        Ok(Self::Result(match (structured, text) {
            (Some(value), _) => value,
            (None, Some(text)) => Value::String(text),
            (None, None) => content(result),
        }))
    }
}

/// The texts of the content parts, if there is one.
fn texts(content: &Value) -> Option<String> {
    let texts: Vec<&str> = content
        .as_array()?
        .iter()
        .filter(|part| part["type"] == "text")
        .filter_map(|part| part["text"].as_str())
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

fn content(mut result: Value) -> Value {
    match result.get_mut("content") {
        Some(content) => content.take(),
        None => result,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_row_of_the_table() {
        let text = |text| json!({"type": "text", "text": text});
        let image = json!({"type": "image", "data": "AA==", "mimeType": "image/png"});
        let table = [
            (json!({"content": [text("a"), text("b")], "isError": true}), Outcome::Error("a\nb".to_owned())),
            (json!({"content": [], "isError": true}), Outcome::Error("[]".to_owned())),
            (
                json!({"content": [text("a")], "structuredContent": {"n": 1}}),
                Outcome::Result(json!({"n": 1})),
            ),
            (json!({"content": [text("a"), image, text("b")]}), Outcome::Result(json!("a\nb"))),
            (json!({"content": [image], "structuredContent": null}), Outcome::Result(json!([image]))),
            (json!({"content": []}), Outcome::Result(json!([]))),
            (json!({"task": {"taskId": "7"}}), Outcome::Result(json!({"task": {"taskId": "7"}}))),
            (json!(null), Outcome::Result(json!(null))),
        ];
        for (raw, expected) in table {
            assert_eq!(Outcome::of_result(&raw.to_string()).unwrap(), expected, "{raw}");
        }
    }

    #[test]
    fn a_result_nested_too_deep_is_an_error() {
        let raw = format!("{}{}", "[".repeat(500), "]".repeat(500));
        assert!(Outcome::of_result(&raw).is_err());
    }
}
