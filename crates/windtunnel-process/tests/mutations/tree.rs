//! The shipped graph as a tree that can be changed.

use serde_json::{Value, json};
use windtunnel_doc::{Document, Format, Limits};
use windtunnel_process::graph::WORK_ITEM_LOOP;
use windtunnel_process::hook::HookRegistry;

/// A process that is not the shipped one.
pub(crate) struct Mutant {
    /// What is different.
    pub(crate) what: String,
    /// JSON, which is YAML, too.
    pub(crate) graph: String,
    pub(crate) hooks: HookRegistry,
}

impl Mutant {
    pub(crate) fn of(what: impl Into<String>, graph: &Value) -> Self {
        Self { what: what.into(), graph: graph.to_string(), hooks: HookRegistry::shipped() }
    }
}

/// The shipped graph. Each edge has one outcome.
pub(crate) fn shipped() -> Value {
    let document = Document::parse("shipped", WORK_ITEM_LOOP, Format::Yaml, &Limits::default()).unwrap();
    let mut graph = document.root().to_json();
    let edges = graph["edges"].as_array().unwrap().iter().flat_map(|edge| {
        let outcomes = match &edge["on"] {
            Value::Array(outcomes) => outcomes.clone(),
            one => vec![one.clone()],
        };
        outcomes.into_iter().map(|on| json!({ "from": edge["from"], "to": edge["to"], "on": on }))
    });
    graph["edges"] = edges.collect();
    graph
}

/// The shipped graph with a change.
pub(crate) fn mutant(what: impl Into<String>, change: impl FnOnce(&mut Value)) -> Mutant {
    let mut graph = shipped();
    change(&mut graph);
    Mutant::of(what, &graph)
}

/// The nodes of the shipped graph.
pub(crate) fn nodes() -> Vec<Value> {
    shipped()["nodes"].as_array().unwrap().clone()
}

pub(crate) fn id(node: &Value) -> &str {
    node["id"].as_str().unwrap()
}

/// The hooks of a chain, each as its name and parameters.
pub(crate) fn chain(node: &Value, chain: &str) -> Vec<(String, Value)> {
    let hooks = node.get(chain).and_then(Value::as_array).cloned().unwrap_or_default();
    hooks
        .into_iter()
        .map(|hook| match hook {
            Value::Object(hook) => hook.into_iter().next().unwrap(),
            name => (name.as_str().unwrap().to_owned(), json!({})),
        })
        .collect()
}

pub(crate) fn list(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().unwrap()
}

pub(crate) fn remove(map: &mut Value, key: &str) {
    map.as_object_mut().unwrap().remove(key);
}
