//! What a play left behind to be judged.

use std::fmt;

use serde::Serialize;
use serde_json::Value;
use windtunnel_pattern::{Window, excerpt};

/// More nodes or labels than this are not shown.
const MAX_LISTED: usize = 60;

/// Characters of one event that are shown.
const MAX_EVENT: usize = 400;

/// What can be seen of a play from outside.
///
/// Displayed it is text of several lines, long lists cut to their ends.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Trace {
    /// The nodes in the order they were walked; one that was skipped has `~` before its id.
    pub walk: Vec<String>,
    /// The phase label of each `set-labels` that was carried out.
    pub labels: Vec<String>,
    /// The lines of the event log.
    pub events: Vec<Value>,
}

impl Trace {
    /// Takes in the next event.
    pub(super) fn push(&mut self, event: Value) {
        let text = |field: &str| event.get(field).and_then(Value::as_str);
        let (name, node) = (text("event"), text("node"));
        let last = self.walk.last().map(String::as_str);
        match (name, node) {
            (Some("graph.started"), Some(node)) => self.walk.push(node.to_owned()),
            (Some("graph.advanced"), _) => self.walk.extend(text("to").map(str::to_owned)),
            (Some("graph.node_skipped"), Some(node)) => {
                let skipped = format!("~{node}");
                if last == Some(node) {
                    self.walk.pop();
                }
                self.walk.push(skipped);
            }
            (Some("graph.completed"), Some(node)) if last != Some(node) => self.walk.push(node.to_owned()),
            _ => {}
        }
        self.events.push(event);
    }

    /// An event as it is shown.
    pub(super) fn event(&self, index: usize) -> String {
        self.events.get(index).map(|event| excerpt(&told(event), MAX_EVENT)).unwrap_or_default()
    }

    /// The node at which the walk was said to be over, if it was.
    pub(super) fn completed(&self) -> Option<&str> {
        let completed = self.events.iter().rev().find(|event| is(event, "graph.completed"))?;
        completed.get("node").and_then(Value::as_str)
    }
}

/// Whether an event has this name.
pub(super) fn is(event: &Value, name: &str) -> bool {
    event.get("event").and_then(Value::as_str) == Some(name)
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, "walk", &self.walk)?;
        list(f, "labels", &self.labels)?;
        write!(f, "events ({}):", self.events.len())?;
        let mut window = Window::new();
        self.events.iter().for_each(|event| window.push(event));
        if window.left_out() > 0 {
            write!(f, "\n  ({} earlier left out)", window.left_out())?;
        }
        window
            .iter()
            .try_for_each(|(index, event)| write!(f, "\n  [{index}] {}", excerpt(&told(event), MAX_EVENT)))
    }
}

/// An event without what is the same, or never the same, in all of them.
fn told(event: &Value) -> Value {
    let Value::Object(fields) = event else { return event.clone() };
    let told = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "ts" | "work_item" | "ref"));
    Value::Object(told.map(|(name, value)| (name.clone(), value.clone())).collect())
}

fn list(f: &mut fmt::Formatter<'_>, name: &str, items: &[String]) -> fmt::Result {
    let left_out = items.len().saturating_sub(MAX_LISTED);
    write!(f, "{name} ({}):", items.len())?;
    if left_out > 0 {
        write!(f, " ({left_out} earlier left out)")?;
    }
    for (position, item) in items.iter().skip(left_out).enumerate() {
        write!(f, "{}{item}", if position == 0 { " " } else { ", " })?;
    }
    f.write_str("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn walk(events: impl IntoIterator<Item = Value>) -> Vec<String> {
        let mut trace = Trace::default();
        events.into_iter().for_each(|event| trace.push(event));
        trace.walk
    }

    #[test]
    fn the_walk_follows_from_four_events() {
        let started = || json!({"event": "graph.started", "node": "a"});
        let advanced = |to: &str| json!({"event": "graph.advanced", "node": "a", "to": to});
        let skipped = |node: &str| json!({"event": "graph.node_skipped", "node": node});
        let completed = |node: &str| json!({"event": "graph.completed", "node": node});
        let table = [
            (vec![], vec![]),
            (vec![started()], vec!["a"]),
            (vec![started(), advanced("b")], vec!["a", "b"]),
            (vec![started(), advanced("b"), skipped("b"), advanced("c")], vec!["a", "~b", "c"]),
            (vec![started(), skipped("b")], vec!["a", "~b"]),
            (vec![started(), advanced("b"), advanced("a"), advanced("b")], vec!["a", "b", "a", "b"]),
            (vec![started(), advanced("b"), completed("b")], vec!["a", "b"]),
            (vec![started(), completed("escalated")], vec!["a", "escalated"]),
            (vec![started(), json!({"event": "graph.forced", "node": "a", "to": "c"})], vec!["a"]),
            (vec![json!({"event": "graph.parked", "node": "a"}), json!(3), json!({})], vec![]),
        ];
        for (events, expected) in table {
            assert_eq!(walk(events.clone()), expected, "{events:?}");
        }
    }

    #[test]
    fn an_empty_trace_is_told_too() {
        assert_eq!(Trace::default().to_string(), "walk (0):\nlabels (0):\nevents (0):");
    }
}
