//! Texts, which may come in parts.

use serde::{Deserialize, Deserializer};

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text, a list of parts, or null")]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or an object")]
enum Part {
    Plain(String),
    Typed { text: Option<String> },
}

/// Reads a text, or the texts of a list's parts, joined. Images and other parts without a text are left out.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Option::<Content>::deserialize(deserializer)? {
        Some(Content::Text(text)) => Some(text),
        Some(Content::Parts(parts)) => parts
            .into_iter()
            .filter_map(|part| match part {
                Part::Plain(text) => Some(text),
                Part::Typed { text } => text,
            })
            .reduce(|joined, text| joined + text.as_str()),
        None => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_texts_of_parts_are_joined_and_the_rest_is_left_out() {
        let image = json!({"type": "image_url", "image_url": {"url": "data:,"}});
        for (content, expected) in [
            (json!("plain"), Some("plain")),
            (json!(null), None),
            (json!([]), None),
            (json!([image]), None),
            (
                json!([{"type": "text", "text": "one "}, image, {"type": "text", "text": "two"}]),
                Some("one two"),
            ),
            (json!(["one ", "two"]), Some("one two")),
        ] {
            assert_eq!(text(&content).unwrap().as_deref(), expected, "{content}");
        }
        let error = text::<&Value>(&json!(7)).unwrap_err();
        assert_eq!(error.to_string(), "expected a text, a list of parts, or null");
    }
}
