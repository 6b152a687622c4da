//! Events that are expected, as patterns.
//!
//! A misspelt name in a pattern matches nothing. Where something is forbidden, or may come any number of times, that would
//! never be noticed, so names are held against those that there are: of events, of their fields, and of the graph's nodes,
//! hooks and outcomes.

use serde_json::{Map, Value};
use windtunnel_doc::{Fault, Path};
use windtunnel_pattern::{Options, Segment, Sequence};

use super::reader::{no_node, unknown};
use crate::event::{COMMON_FIELDS, ProcessEvent, Via};
use crate::graph::Graph;

/// Compiles a list that stands at this path.
pub(super) fn compile(list: &[Value], path: &Path, graph: &Graph) -> Result<Sequence, Vec<Fault>> {
    let mut names = Names { graph, faults: Vec::new() };
    for (index, element) in list.iter().enumerate() {
        names.element(element, &path.clone().then(index));
    }
    let mut faults = names.faults;
    match Sequence::compile(list, &Options::new().whole_values()) {
        Ok(sequence) if faults.is_empty() => Ok(sequence),
        Ok(_) => Err(faults),
        Err(errors) => {
            faults.extend(errors.into_iter().map(|error| {
                let path = error.path().segments().iter().fold(path.clone(), |path, segment| match segment {
                    Segment::Key(key) => path.then(key.as_str()),
                    Segment::Index(index) => path.then(*index),
                });
                Fault { help: error.help(), ..Fault::new(path, error.message()) }
            }));
            Err(faults)
        }
    }
}

/// Keys whose operand is a pattern, or a list of patterns, of what the pattern itself is of.
const OF_THE_SAME: [&str; 6] = ["$any", "$all", "$not", "$never", "$until", "$while"];

/// The fields that are lists of texts.
const LISTS: [&str; 2] = ["nodes", "messages"];

/// Looks for names that there are not.
struct Names<'g> {
    graph: &'g Graph,
    faults: Vec<Fault>,
}

impl Names<'_> {
    /// A pattern of an event, or an element of a list of them.
    fn element(&mut self, element: &Value, path: &Path) {
        let Value::Object(object) = element else { return };
        for (key, operand) in object {
            let path = path.clone().then(key.as_str());
            match operand {
                Value::Array(patterns) if OF_THE_SAME.contains(&key.as_str()) => {
                    for (index, pattern) in patterns.iter().enumerate() {
                        self.element(pattern, &path.clone().then(index));
                    }
                }
                _ if OF_THE_SAME.contains(&key.as_str()) => self.element(operand, &path),
                Value::Object(times) if key == "$times" => {
                    if let Some(of) = times.get("of") {
                        self.element(of, &path.then("of"));
                    }
                }
                _ if key.starts_with('$') => {}
                _ => self.field(object, key, operand, path),
            }
        }
    }

    /// A field of an event. Where the event is named, it has to be one that this event has.
    fn field(&mut self, pattern: &Map<String, Value>, field: &str, asked: &Value, path: Path) {
        let event = pattern.get("event").and_then(Value::as_str);
        let own = event.and_then(ProcessEvent::fields);
        if !COMMON_FIELDS.contains(&field) {
            match (event, own) {
                (Some(event), Some(own)) if !own.contains(&field) => {
                    let message = format!("the event {event} has no field {field:?}");
                    let known = own.iter().copied().chain(COMMON_FIELDS);
                    return self.faults.push(unknown(path, message, field, known, "it has").at_key());
                }
                (_, None) if !every_field().any(|known| known == field) => {
                    let message = format!("no event has a field {field:?}");
                    return self
                        .faults
                        .push(unknown(path, message, field, every_field(), "events have").at_key());
                }
                _ => {}
            }
        }
        if LISTS.contains(&field) {
            self.list(field, asked, path.clone());
        }
        match field {
            "event" => self.each(asked, path, &mut |names, event, path| {
                let known = ProcessEvent::KINDS.iter().map(|(name, _)| *name);
                if ProcessEvent::fields(event).is_none() {
                    let message = format!("there is no event {event:?}");
                    names.faults.push(unknown(path, message, event, known, "events are"));
                }
            }),
            "node" | "to" => self.each(asked, path, &mut Self::node),
            // What is rejected may be no node, and is told as it was written.
            "nodes" if event == Some("graph.skips_declared") => self.each(asked, path, &mut Self::node),
            "hook" => self.each(asked, path, &mut Self::hook),
            "via" => self.each(asked, path, &mut Self::via),
            // What no edge is on may be anything.
            "outcome" if event == Some("graph.advanced") => self.each(asked, path, &mut Self::outcome),
            _ => {}
        }
    }

    /// The plain texts that a value is compared with, each where it stands.
    fn each(&mut self, asked: &Value, path: Path, judge: &mut dyn FnMut(&mut Self, &str, Path)) {
        match asked {
            Value::String(text) => judge(self, text, path),
            Value::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    self.each(element, path.clone().then(index), judge);
                }
            }
            Value::Object(operators) => {
                for (key, operand) in operators {
                    let path = path.clone().then(key.as_str());
                    match operand.get("of") {
                        Some(of) if key == "$times" => self.each(of, path.then("of"), judge),
                        _ if key == "$eq" || OF_THE_SAME.contains(&key.as_str()) => {
                            self.each(operand, path, judge);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// A list is never equal to a text.
    fn list(&mut self, field: &str, asked: &Value, path: Path) {
        match asked {
            Value::String(text) => {
                let fault = Fault::new(path, format!("{field} is a list, and this is a text"));
                self.faults.push(fault.with_help(format!("write [{text:?}]")));
            }
            Value::Object(operators) => {
                for (key, operand) in operators {
                    let path = path.clone().then(key.as_str());
                    match operand {
                        Value::Array(patterns) if ["$any", "$all"].contains(&key.as_str()) => {
                            for (index, pattern) in patterns.iter().enumerate() {
                                self.list(field, pattern, path.clone().then(index));
                            }
                        }
                        _ if key == "$eq" || OF_THE_SAME.contains(&key.as_str()) => {
                            self.list(field, operand, path);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn node(&mut self, id: &str, path: Path) {
        self.faults.extend(no_node(self.graph, id, path));
    }

    fn hook(&mut self, name: &str, path: Path) {
        let bound = self.graph.nodes().flat_map(|node| node.entry.iter().chain(&node.exit));
        let hooks = distinct(bound.map(|bound| bound.name.as_str()));
        if !hooks.contains(&name) {
            let message = format!("{name:?} is no hook of the graph {}", self.graph.id());
            self.faults.push(unknown(path, message, name, hooks.iter().copied(), "its hooks are"));
        }
    }

    fn via(&mut self, name: &str, path: Path) {
        let known = Via::ALL.map(Via::name);
        if !known.contains(&name) {
            let message = format!("no skip is decided via {name:?}");
            self.faults.push(unknown(path, message, name, known.into_iter(), "there are"));
        }
    }

    fn outcome(&mut self, name: &str, path: Path) {
        let outcomes = distinct(self.graph.edges().iter().map(|edge| edge.on.as_str()));
        if !outcomes.contains(&name) {
            let message = format!("no edge of the graph {} is on {name:?}", self.graph.id());
            self.faults.push(unknown(path, message, name, outcomes.iter().copied(), "they are on"));
        }
    }
}

/// Names in their order, each once.
fn distinct<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}

/// The fields of all events, each once.
fn every_field() -> impl Iterator<Item = &'static str> + Clone {
    let fields = ProcessEvent::KINDS.iter().enumerate().flat_map(|(index, (_, fields))| {
        let earlier = ProcessEvent::KINDS.iter().take(index);
        fields.iter().copied().filter(move |field| !earlier.clone().any(|(_, known)| known.contains(field)))
    });
    COMMON_FIELDS.into_iter().chain(fields)
}
