//! What an entry of a script waits for.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;
use windtunnel_doc::{Fault, Path, nearest};

use crate::assertion::EventPattern;

/// When an entry's time has come: `"start"`, which is at once, or an [event assertion](crate::assertion): as soon as an event of the run,
/// of any agent, matches it. A `$while` or `$until` around the assertion is looked through.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct After(Value);

impl After {
    /// The event to wait for; none for `"start"`. `at` is where it stands.
    ///
    /// # Errors
    /// Everything that is wrong with it, by its place.
    pub(super) fn event(&self, at: &Path) -> Result<Option<EventPattern>, Vec<Fault>> {
        match &self.0 {
            Value::String(start) if start == "start" => Ok(None),
            Value::String(other) => {
                let fault = Fault::new(
                    at.clone(),
                    format!("expected \"start\" or an event, a table with a \"kind\", found text {other:?}"),
                );
                Err(vec![match nearest(other, ["start"]) {
                    Some(meant) => fault.with_help(format!("did you mean {meant:?}?")),
                    None => fault.with_help("write {kind = \"call\", op = \"…\"} for the call of that name"),
                }])
            }
            event => {
                if let Some(key) = ["$never", "$times"].into_iter().find(|key| event.get(key).is_some()) {
                    let fault = Fault::new(at.clone().then(key), format!("{key:?} is nothing to wait for"));
                    return Err(vec![
                        fault.at_key().with_help("write the event itself, a table with a \"kind\""),
                    ]);
                }
                let (event, at) = unwrap(event, at.clone());
                EventPattern::parse(event, &at).map(Some)
            }
        }
    }
}

/// The assertion inside of a sentinel, if there is one.
fn unwrap(event: &Value, at: Path) -> (&Value, Path) {
    let Some(object) = event.as_object().filter(|object| object.len() == 1) else { return (event, at) };
    match ["$while", "$until"].into_iter().find_map(|key| Some((key, object.get(key)?))) {
        Some((key, inner)) => (inner, at.then(key)),
        None => (event, at),
    }
}

impl JsonSchema for After {
    fn schema_name() -> Cow<'static, str> {
        "After".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let event = generator.subschema_for::<EventPattern>();
        let wrapped = |key: &str| {
            serde_json::json!({
                "type": "object",
                "properties": { key: event },
                "required": [key],
                "additionalProperties": false,
            })
        };
        json_schema!({
            "description": "When the time has come: \"start\", or once an event of the run, of any agent, matches.",
            "anyOf": [{ "const": "start" }, event, wrapped("$while"), wrapped("$until")],
        })
    }
}
