//! A universe file made ready to be asked.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use windtunnel_api::universe::{MatchMode, MissPolicy, RecordedCall, Universe, UniverseTool, canonical};

/// The tools of a universe, with the recordings of each found by their arguments.
#[derive(Debug)]
pub(crate) struct Library {
    /// The result of `tools/list`.
    pub(super) listed: String,
    tools: Vec<Shelved>,
    by_name: HashMap<String, usize>,
}

/// A tool and its recordings.
#[derive(Debug)]
pub(super) struct Shelved {
    pub(super) tool: UniverseTool,
    pub(super) on_miss: MissPolicy,
    pub(super) mode: MatchMode,
    /// In the order they were witnessed.
    pub(super) recordings: Vec<Recording>,
    exact: HashMap<String, Vec<usize>>,
    keyed: Option<Keyed>,
}

/// The recordings by the arguments that decide.
#[derive(Debug)]
struct Keyed {
    keys: Vec<String>,
    by_keys: HashMap<String, Vec<usize>>,
}

/// A recorded call.
#[derive(Debug)]
pub(super) struct Recording {
    /// Its place in the file.
    pub(super) place: usize,
    pub(super) args: Map<String, Value>,
    pub(super) result: Value,
    pub(super) is_error: bool,
}

impl Library {
    pub(super) fn new(universe: Universe) -> Self {
        let Universe { tools, recordings, matching, .. } = universe;
        let mut by_tool: HashMap<String, Vec<Recording>> = HashMap::new();
        for (place, RecordedCall { tool_name, args, result, is_error }) in recordings.into_iter().enumerate()
        {
            by_tool.entry(tool_name).or_default().push(Recording { place, args, result, is_error });
        }
        let tools: Vec<Shelved> = tools
            .into_iter()
            .map(|tool| {
                let recordings = by_tool.remove(&tool.name).unwrap_or_default();
                let (on_miss, mode) = (matching.on_miss_of(&tool.name), matching.mode_of(&tool.name));
                let keys = matching.arg_keys.get(&tool.name);
                Shelved::new(tool, recordings, keys, on_miss, mode)
            })
            .collect();
        let listed: Vec<Value> = tools.iter().map(Shelved::definition).collect();
        let by_name = tools.iter().enumerate().map(|(index, shelved)| (shelved.tool.name.clone(), index));
        Self { listed: json!({ "tools": listed }).to_string(), by_name: by_name.collect(), tools }
    }

    /// The tools in their order.
    pub(super) fn tools(&self) -> &[Shelved] {
        &self.tools
    }

    /// The tool of this name.
    pub(super) fn tool(&self, name: &str) -> Option<&Shelved> {
        self.by_name.get(name).and_then(|index| self.tools.get(*index))
    }
}

impl Shelved {
    fn new(
        tool: UniverseTool,
        recordings: Vec<Recording>,
        keys: Option<&Vec<String>>,
        on_miss: MissPolicy,
        mode: MatchMode,
    ) -> Self {
        let by = |spelling: &dyn Fn(&Map<String, Value>) -> String| {
            let mut found: HashMap<String, Vec<usize>> = HashMap::new();
            for (index, recording) in recordings.iter().enumerate() {
                found.entry(spelling(&recording.args)).or_default().push(index);
            }
            found
        };
        let exact = by(&canonical::of_map);
        let keyed = keys
            .map(|keys| Keyed { keys: keys.clone(), by_keys: by(&|args| canonical::of_keys(args, keys)) });
        Self { tool, on_miss, mode, recordings, exact, keyed }
    }

    /// The recordings with exactly these arguments, in order.
    pub(super) fn exact(&self, args: &Map<String, Value>) -> &[usize] {
        self.exact.get(&canonical::of_map(args)).map_or(&[], Vec::as_slice)
    }

    /// The recordings whose deciding arguments are these, in order; none where it is all of them that decide.
    pub(super) fn keyed(&self, args: &Map<String, Value>) -> &[usize] {
        let Some(Keyed { keys, by_keys }) = &self.keyed else { return &[] };
        by_keys.get(&canonical::of_keys(args, keys)).map_or(&[], Vec::as_slice)
    }

    /// The tool as MCP lists it. What a result has to look like is only promised where every recorded one is an object, as
    /// structured content has to be.
    fn definition(&self) -> Value {
        let UniverseTool { name, title, description, input_schema, result_schema, annotations } = &self.tool;
        let mut definition = Map::new();
        definition.insert("name".to_owned(), name.as_str().into());
        if let Some(title) = title {
            definition.insert("title".to_owned(), title.as_str().into());
        }
        if !description.is_empty() {
            definition.insert("description".to_owned(), description.as_str().into());
        }
        definition.insert("inputSchema".to_owned(), input_schema.clone());
        if let Some(schema) = result_schema
            && schema.get("type") == Some(&Value::from("object"))
            && self.recordings.iter().all(|recording| recording.is_error || recording.result.is_object())
        {
            definition.insert("outputSchema".to_owned(), schema.clone());
        }
        if let Some(annotations) = annotations {
            definition.insert("annotations".to_owned(), annotations.clone());
        }
        definition.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_listed_as_they_were_recorded() {
        let universe: Universe = serde_json::from_value(json!({
            "windtunnel_universe": 1,
            "tools": [
                {"name": "get", "title": "Get", "description": "d", "input_schema": {"type": "object"},
                 "result_schema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
                {"name": "say", "input_schema": {}, "result_schema": {"type": "object"}},
            ],
            "recordings": [
                {"tool_name": "get", "args": {"id": 1}, "result": {"a": 1}},
                {"tool_name": "get", "args": {"id": 2}, "result": "gone", "is_error": true},
                {"tool_name": "say", "result": "a text is no structured content"},
            ],
        }))
        .unwrap();
        let listed: Value = serde_json::from_str(&Library::new(universe).listed).unwrap();
        assert_eq!(
            listed,
            json!({"tools": [
                {"name": "get", "title": "Get", "description": "d", "inputSchema": {"type": "object"},
                 "outputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
                {"name": "say", "inputSchema": {}},
            ]})
        );
    }
}
