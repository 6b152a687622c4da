//! The JSON Schema of an event assertion.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::EventPattern;
use super::check::KINDS;
use crate::exchange::Event;

impl JsonSchema for EventPattern {
    fn schema_name() -> Cow<'static, str> {
        "EventPattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds = KINDS.map(|(kind, fields)| {
            let mut properties = Map::from_iter([("kind".to_owned(), json!({ "const": kind }))]);
            properties.extend(fields.iter().map(|field| ((*field).to_owned(), field_schema(field))));
            json!({
                "type": "object",
                "properties": properties,
                "required": ["kind"],
                "additionalProperties": false,
            })
        });
        json_schema!({
            "description": "What is asserted of one event. Tables may be joined by $any, $all and $not.",
            "anyOf": kinds.into_iter().chain([operators()]).collect::<Vec<_>>(),
        })
    }
}

fn field_schema(field: &str) -> Value {
    match field {
        "event" => json!({ "anyOf": [{ "enum": Event::KINDS }, operators()] }),
        "detail" | "payload" => json!({ "type": "object" }),
        _ => json!({ "anyOf": [{ "type": "string" }, operators()] }),
    }
}

/// An object of `$` keys.
fn operators() -> Value {
    json!({ "type": "object", "patternProperties": { "^\\$": true }, "additionalProperties": false, "minProperties": 1 })
}
