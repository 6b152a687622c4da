//! The rules of a universe file that its types cannot say. Every fault is reported, each with its field's path.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Map, Value};
use windtunnel_doc::{Diagnostics, Document, Fault, Limits, Path, nearest};

use super::slips::slips;
use super::spec::{Matching, MissPolicy, UNIVERSE_VERSION, Universe, UniverseTool};
use crate::{rules, unknown_version};

/// The version alone, which says how everything else is to be read.
#[derive(Deserialize)]
struct Version {
    windtunnel_universe: u64,
}

impl Universe {
    /// The most tools of a file.
    pub const MAX_TOOLS: usize = 1_000;
    /// The most recordings of a file.
    pub const MAX_RECORDINGS: usize = 50_000;

    /// How large a file may be: 32 MiB, 2 million values, 64 levels.
    pub fn limits() -> Limits {
        Limits { max_bytes: 32 * 1024 * 1024, max_nodes: 2_000_000, ..Limits::default() }
    }

    /// The universe that a document holds. Fields that this version does not know are left alone, unless they look like slips.
    ///
    /// # Errors
    /// Another version, by name; else everything that is wrong with the document.
    pub fn of_document(document: &Document) -> Result<Self, Diagnostics> {
        let Version { windtunnel_universe: version } = document.decode()?;
        if version != u64::from(UNIVERSE_VERSION) {
            document.diagnose(vec![unknown_version("windtunnel_universe", version, UNIVERSE_VERSION)])?;
        }
        let universe: Self = document.decode()?;
        document.diagnose(slips(document.root()).into_iter().chain(universe.validate()).collect())?;
        Ok(universe)
    }

    /// Checks every rule that the types cannot say.
    pub fn validate(&self) -> Vec<Fault> {
        let mut check = Check::default();
        check.tools(&self.tools);
        check.recordings(self);
        check.matching(&self.matching);
        check.arg_keys(self);
        check.faults
    }

    /// Where calls that were not recorded are to be synthesized, as faults for a program that cannot do it.
    pub fn synthesized(&self) -> Vec<Fault> {
        let Matching { on_miss, per_tool_on_miss, .. } = &self.matching;
        let is_general = self.tools.iter().any(|tool| !per_tool_on_miss.contains_key(&tool.name));
        let general = (at("matching").then("on_miss"), is_general.then_some(on_miss));
        let by_tool = per_tool_on_miss.iter().map(|(tool, policy)| {
            (at("matching").then("per_tool_on_miss").then(tool.as_str()), Some(policy))
        });
        std::iter::once(general)
            .chain(by_tool)
            .filter(|(_, policy)| *policy == Some(&MissPolicy::Synthesize))
            .map(|(path, _)| {
                Fault::new(path, "only a function written in Rust synthesizes results, and this program has none").with_help(
                    "write fail_call, empty or nearest; a program of your own hands its function to BenchTools::with_synthesizer",
                )
            })
            .collect()
    }
}

fn at(field: &str) -> Path {
    Path::root().then(field)
}

#[derive(Default)]
struct Check<'u> {
    faults: Vec<Fault>,
    /// The tools, in their order and as a set.
    names: Vec<&'u str>,
    known: HashSet<&'u str>,
}

impl<'u> Check<'u> {
    fn fault(&mut self, path: Path, message: impl Into<String>, help: impl Into<String>) {
        self.faults.push(Fault::new(path, message).with_help(help));
    }

    fn tools(&mut self, tools: &'u [UniverseTool]) {
        self.count(tools.len(), Universe::MAX_TOOLS, "tools");
        for (index, tool) in tools.iter().enumerate() {
            let path = at("tools").then(index);
            let name = path.clone().then("name");
            rules::not_blank(
                &tool.name,
                name.clone(),
                "name the tool, as the model calls it",
                &mut self.faults,
            );
            rules::printable(&tool.name, name.clone(), &mut self.faults);
            if !self.known.insert(tool.name.as_str()) {
                self.fault(
                    name,
                    format!("the tool {:?} is there twice", tool.name),
                    "tool names are unique within a file; remove one, or rename it with its recordings",
                );
            }
            let schema = "write a JSON Schema, such as {\"type\": \"object\", \"properties\": {}}";
            self.object(Some(&tool.input_schema), path.clone().then("input_schema"), schema);
            self.object(tool.result_schema.as_ref(), path.clone().then("result_schema"), schema);
            self.object(
                tool.annotations.as_ref(),
                path.then("annotations"),
                "write MCP annotations, such as {\"readOnlyHint\": true}",
            );
        }
        self.names = tools.iter().map(|tool| tool.name.as_str()).collect();
    }

    fn recordings(&mut self, universe: &Universe) {
        self.count(universe.recordings.len(), Universe::MAX_RECORDINGS, "recordings");
        for (index, recording) in universe.recordings.iter().enumerate() {
            let path = at("recordings").then(index).then("tool_name");
            self.known(&recording.tool_name, path, false);
        }
    }

    fn matching(&mut self, matching: &Matching) {
        let by_tool = [
            ("arg_keys", matching.arg_keys.keys().collect::<Vec<_>>()),
            ("per_tool_on_miss", matching.per_tool_on_miss.keys().collect()),
            ("mode", matching.mode.keys().collect()),
        ];
        for (field, tools) in by_tool {
            for tool in tools {
                self.known(tool, at("matching").then(field).then(tool.as_str()), true);
            }
        }
        for (tool, keys) in &matching.arg_keys {
            let mut seen = HashSet::new();
            for (index, key) in keys.iter().enumerate() {
                if !seen.insert(key) {
                    self.fault(
                        at("matching").then("arg_keys").then(tool.as_str()).then(index),
                        format!("{key:?} is named twice"),
                        "remove one",
                    );
                }
            }
        }
    }

    /// Arguments decide that the tool has, by its schema or by a recording.
    fn arg_keys(&mut self, universe: &Universe) {
        for tool in &universe.tools {
            let Some(keys) = universe.matching.arg_keys.get(&tool.name) else { continue };
            let Some(declared) = arguments(&tool.input_schema) else { continue };
            let recordings = universe.recordings.iter().filter(|recording| recording.tool_name == tool.name);
            let recorded: HashSet<&str> =
                recordings.flat_map(|recording| recording.args.keys().map(String::as_str)).collect();
            let names = || declared.keys().map(String::as_str);
            for (index, key) in keys.iter().enumerate() {
                if declared.contains_key(key) || recorded.contains(key.as_str()) {
                    continue;
                }
                let hint = match nearest(key, names()) {
                    Some(near) => format!("did you mean {near:?}?"),
                    None if declared.is_empty() => "it takes none".to_owned(),
                    None => format!("it takes {}", names().collect::<Vec<_>>().join(", ")),
                };
                self.faults.push(Fault::new(
                    at("matching").then("arg_keys").then(tool.name.as_str()).then(index),
                    format!("{} has no argument {key:?}; {hint}", tool.name),
                ));
            }
        }
    }

    /// Something is said of a tool that has to be one of the file's.
    fn known(&mut self, tool: &str, path: Path, at_key: bool) {
        if self.known.contains(tool) {
            return;
        }
        let hint = match nearest(tool, self.names.iter().copied()) {
            Some(near) => format!("did you mean {near:?}?"),
            None if self.names.is_empty() => "the file has no tools".to_owned(),
            None => format!("there are {}", self.names.join(", ")),
        };
        let fault = Fault::new(path, format!("no tool is called {tool:?}; {hint}"));
        self.faults.push(if at_key { fault.at_key() } else { fault });
    }

    fn object(&mut self, value: Option<&Value>, path: Path, help: &str) {
        if let Some(value) = value
            && !value.is_object()
        {
            self.fault(path, format!("expected an object, found {}", kind(value)), help);
        }
    }

    fn count(&mut self, found: usize, most: usize, field: &str) {
        if found > most {
            self.fault(
                at(field),
                format!("there are {found} {field}; {most} is the most of one file"),
                "spread them over several files: a pack may have several tool servers of kind universe",
            );
        }
    }
}

/// With these a schema says in other places too what there may be.
const OPEN: [&str; 7] =
    ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "patternProperties", "dependentSchemas"];

/// The arguments by their names; `None` where the schema leaves open which there are.
fn arguments(schema: &Value) -> Option<&Map<String, Value>> {
    let is_open = OPEN.iter().any(|keyword| schema.get(keyword).is_some())
        || schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false));
    schema.get("properties").filter(|_| !is_open).and_then(Value::as_object)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
