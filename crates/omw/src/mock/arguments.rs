//! The arguments of a scripted call.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Arguments as the JSON text that models send. A text is taken as it is, whether it is JSON or not; any other value becomes its compact
/// JSON, with its keys in the order in which they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments(String);

impl Arguments {
    /// The text.
    pub fn into_text(self) -> String {
        self.0
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match Value::deserialize(deserializer)? {
            Value::String(text) => text,
            inline => inline.to_string(),
        }))
    }
}

impl JsonSchema for Arguments {
    fn schema_name() -> Cow<'static, str> {
        "Arguments".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "JSON as text, taken as it is, or an inline value, which becomes its compact JSON." })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_stays_and_values_become_compact_json_in_their_order() {
        let table = [
            (json!("{ \"a\" :1 }"), "{ \"a\" :1 }"),
            (json!("no json"), "no json"),
            (json!(""), ""),
            (json!({"b": 1, "a": [1, {"z": null, "y": 2.5}]}), r#"{"b":1,"a":[1,{"z":null,"y":2.5}]}"#),
            (json!([]), "[]"),
            (json!(3), "3"),
            (json!(null), "null"),
        ];
        for (written, text) in table {
            let arguments: Arguments = serde_json::from_value(written.clone()).unwrap();
            assert_eq!(arguments.into_text(), text, "{written}");
        }
    }
}
