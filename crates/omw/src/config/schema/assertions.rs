//! `[assertions]` in the schema.

use schemars::SchemaGenerator;
use serde_json::{Value, json};

use crate::assertion::EventPattern;

/// The schema of the section: by agent, how its run ends and which events it has.
pub(super) fn section(generator: &mut SchemaGenerator) -> Value {
    let event = generator.subschema_for::<EventPattern>().to_value();
    // Under a sentinel `{}` is any event.
    let inner = json!({"anyOf": [event, {"type": "object", "maxProperties": 0}]});
    json!({
        "description": "What is asserted of a run, by agent.",
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "properties": {"outcome": outcome(), "events": events(&event, &inner)},
            "additionalProperties": false,
        },
    })
}

fn outcome() -> Value {
    json!({
        "description": "How the run ends; any clean end if this is absent. With \"asserted\" the agent is stopped as soon as its events settle.",
        "anyOf": [
            {"enum": ["completed", "asserted"]},
            {
                "type": "object",
                "properties": {"exited": {"description": "The text of the value that the brain ends with.", "type": "string"}},
                "required": ["exited"],
                "additionalProperties": false,
            },
        ],
    })
}

fn events(event: &Value, inner: &Value) -> Value {
    let sentinel = |key: &str, description: &str, inner: &Value| {
        json!({
            "description": description,
            "type": "object",
            "properties": {key: inner},
            "required": [key],
            "additionalProperties": false,
        })
    };
    let times = json!({
        "type": "object",
        "properties": {
            "of": inner,
            "min": {"type": "integer", "minimum": 0},
            "max": {"type": "integer", "minimum": 0},
        },
        "required": ["of"],
        "additionalProperties": false,
    });
    json!({
        "description": "Events in the order in which they are expected; others may come between them.",
        "type": "array",
        "items": {"anyOf": [
            event,
            sentinel("$while", "The run of matching events from here on; it may be empty.", inner),
            sentinel("$until", "Whatever comes before the first matching event, and that event.", inner),
            sentinel("$never", "No such event before the next one that is expected.", inner),
            sentinel("$times", "The run of matching events from here on, so many of them.", &times),
        ]},
    })
}
