//! Reading expectations.

use serde_json::Value;
use windtunnel_doc::{Fault, Node, NodeValue, Path};

use super::reader::{Reader, no_node};
use super::{Expectations, IMPLEMENTATION, events, shapes};

impl Reader<'_> {
    /// Names are looked at before the whole is, so that each fault is told whatever else is wrong.
    pub(super) fn expectations(&mut self, node: &Node, path: &Path) -> Option<Expectations> {
        self.texts(node, path, "nodes", |reader, text, path| reader.node(walked(text).1, path));
        self.texts(node, path, "executionLogEntries", Self::node);
        for field in ["finalNode", "currentNode", "completed", "parked"] {
            self.text(node, path, field, Self::node);
        }
        self.texts(node, path, "executionLogSections", Self::title);
        if let Some(log) = node.get("executionLog") {
            self.texts(log, &path.clone().then("executionLog"), "sections", Self::title);
        }
        self.implementation(node, path);
        let events = self.events(node, &path.clone().then("events"));
        let raw: shapes::Expect = self.decode(node, path)?;
        self.words(node.get("status"), &path.clone().then("status"));
        let sections = [
            (&["executionLog", "sections"][..], raw.execution_log.map(|log| log.sections)),
            (&["executionLogSections"][..], raw.execution_log_sections),
        ];
        let walk = |nodes: Vec<String>| nodes.iter().map(|text| as_walked(text)).collect();
        Some(Expectations {
            nodes: raw.nodes.map(walk),
            labels: raw.labels,
            events,
            final_node: raw.final_node,
            current_node: raw.current_node,
            status: raw.status,
            completed: raw.completed,
            parked: raw.parked,
            locked: raw.locked_before_implementation,
            sections: sections.into_iter().filter_map(|(field, names)| Some((field, names?))).collect(),
            entries: raw.execution_log_entries,
        })
    }

    /// Artifacts are locked before a node that is there.
    fn implementation(&mut self, node: &Node, path: &Path) {
        const FIELD: &str = "lockedBeforeImplementation";
        if node.get(FIELD).is_some() && self.graph.node(IMPLEMENTATION).is_none() {
            let message = format!("the graph {} has no node {IMPLEMENTATION:?}", self.graph.id());
            self.faults.push(Fault::new(path.clone().then(FIELD), message).at_key());
        }
    }

    fn events(&mut self, node: &Node, path: &Path) -> Option<windtunnel_pattern::Sequence> {
        let NodeValue::Seq(elements) = &node.get("events")?.value else { return None };
        let elements: Vec<Value> = elements.iter().map(Node::to_json).collect();
        match events::compile(&elements, path, self.graph) {
            Ok(events) => Some(events),
            Err(faults) => {
                self.faults.extend(faults);
                None
            }
        }
    }

    /// That a section can have this title. The colon behind one is no part of it.
    fn title(&mut self, text: &str, path: &Path) {
        if text.trim().trim_end_matches(':').trim().is_empty() {
            self.fault(path, format!("{text:?} is no title of a section"));
        }
    }

    /// That the graph has a node of this name.
    pub(super) fn node(&mut self, id: &str, path: &Path) {
        self.faults.extend(no_node(self.graph, id, path.clone()));
    }
}

/// A node of a walk: whether it is skipped, which `~` before or behind it says, and its id.
fn walked(text: &str) -> (bool, &str) {
    match text.strip_prefix('~').or_else(|| text.strip_suffix('~')) {
        Some(id) => (true, id),
        None => (false, text),
    }
}

/// A node of a walk as traces write it.
fn as_walked(text: &str) -> String {
    let (skipped, id) = walked(text);
    if skipped { format!("~{id}") } else { id.to_owned() }
}
