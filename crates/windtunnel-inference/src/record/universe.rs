//! Universes of witnessed calls.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::ToolCall;
use windtunnel_api::universe::{
    MatchMode, RecordedCall, UNIVERSE_VERSION, Universe, UniverseTool, canonical,
};

/// A universe of these tools in which these calls are answered as they were.
///
/// Where a tool answered the same call in different ways, its recordings are taken in their order.
pub(super) fn universe<'c>(
    tools: Vec<UniverseTool>,
    calls: impl IntoIterator<Item = &'c ToolCall>,
) -> Universe {
    let mut universe = Universe { windtunnel_universe: UNIVERSE_VERSION, tools, ..Universe::default() };
    for call in calls {
        let Value::Object(args) = &call.args else { continue };
        let error = call.error.as_ref();
        universe.recordings.push(RecordedCall {
            tool_name: call.tool.clone(),
            args: args.clone(),
            result: error.map_or_else(|| call.result.clone(), |error| error.as_str().into()),
            is_error: error.is_some(),
        });
    }
    let mut answered: HashMap<String, &Value> = HashMap::new();
    for call in &universe.recordings {
        if **answered.entry(key(call)).or_insert(&call.result) != call.result {
            universe.matching.mode.insert(call.tool_name.clone(), MatchMode::Sequence);
        }
    }
    let (mut told, in_order) = (HashSet::new(), &universe.matching.mode);
    universe.recordings.retain(|call| in_order.contains_key(&call.tool_name) || told.insert(key(call)));
    for call in &universe.recordings {
        if !universe.tools.iter().any(|tool| tool.name == call.tool_name) {
            universe.tools.push(UniverseTool {
                name: call.tool_name.clone(),
                input_schema: json!({"type": "object"}),
                ..UniverseTool::default()
            });
        }
    }
    universe
}

/// A call without its result. It is equal for calls that the universe's server takes for the same.
fn key(call: &RecordedCall) -> String {
    format!("{} {}", call.tool_name, canonical::of_map(&call.args))
}

/// A tool as any wire offers it, or as a tool server describes it; none for tools that the provider runs.
pub(super) fn tool(definition: &Value) -> Option<UniverseTool> {
    let described = definition.get("function").unwrap_or(definition);
    let schema = ["parameters", "input_schema", "inputSchema"].iter().find_map(|name| described.get(name));
    Some(UniverseTool {
        name: described.get("name")?.as_str()?.to_owned(),
        description: described.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
        input_schema: schema.filter(|schema| schema.is_object())?.clone(),
        result_schema: described.get("outputSchema").cloned(),
        title: described.get("title").and_then(Value::as_str).map(str::to_owned),
        annotations: described.get("annotations").cloned(),
    })
}

#[cfg(test)]
mod tests {
    use windtunnel_api::artifact::evidence::Witness;

    use super::*;

    fn call(tool: &str, args: Value, result: Value) -> ToolCall {
        ToolCall {
            server: "crm".into(),
            tool: tool.into(),
            args,
            result,
            error: None,
            ms: 0.0,
            witness: Witness::Recorder,
            extra: None,
        }
    }

    #[test]
    fn equal_calls_are_kept_once_and_different_answers_in_their_order() {
        let calls = [
            call("lookup", json!({"a": 1, "b": 2}), json!("x")),
            call("lookup", json!({"b": 2, "a": 1.0}), json!("x")),
            call("next", json!({"after": 1}), json!(1)),
            call("next", json!({"after": 1.0}), json!(2)),
            call("next", json!({"after": 1}), json!(2)),
            ToolCall { error: Some("no".into()), ..call("lookup", json!({"a": 3}), Value::Null) },
        ];
        let universe = universe(Vec::new(), &calls);
        let kept: Vec<_> =
            universe.recordings.iter().map(|call| (call.tool_name.as_str(), &call.result)).collect();
        assert_eq!(
            kept,
            [
                ("lookup", &json!("x")),
                ("next", &json!(1)),
                ("next", &json!(2)),
                ("next", &json!(2)),
                ("lookup", &json!("no"))
            ]
        );
        assert_eq!(universe.recordings.iter().filter(|call| call.is_error).count(), 1);
        assert_eq!(universe.matching.mode.keys().collect::<Vec<_>>(), ["next"]);
    }

    #[test]
    fn tools_are_read_as_every_wire_and_server_describes_them() {
        let schema = json!({"type": "object", "properties": {"id": {}}});
        for definition in [
            json!({"type": "function", "function": {"name": "lookup", "description": "d", "parameters": schema}}),
            json!({"type": "function", "name": "lookup", "description": "d", "parameters": schema}),
            json!({"name": "lookup", "description": "d", "input_schema": schema}),
            json!({"name": "lookup", "description": "d", "inputSchema": schema}),
        ] {
            let tool = tool(&definition).unwrap();
            assert_eq!(
                (tool.name.as_str(), tool.description.as_str(), &tool.input_schema),
                ("lookup", "d", &schema)
            );
        }
        assert_eq!(tool(&json!({"type": "web_search"})), None);
    }
}
