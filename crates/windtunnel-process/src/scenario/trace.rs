//! What a play left behind to be judged.

use std::fmt;

use serde::Deserialize as _;
use serde_json::Value;
use windtunnel_pattern::{WINDOW_LEN, excerpt};

use super::error::Asked;
use crate::event::ProcessEvent;

/// More nodes or labels than this are not shown.
const MAX_LISTED: usize = 60;

/// Characters of one event that are shown.
const MAX_EVENT: usize = 400;

/// Columns that a line of text is not to be longer than, if it need not.
const COLUMNS: usize = 96;

/// What can be seen of a play from outside.
///
/// Displayed it is text of several lines, long lists cut to their ends; each event stands below the step that led to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// The nodes in the order they were walked; one that was skipped has `~` before its id.
    pub walk: Vec<String>,
    /// The phase label of each `set-labels` that was carried out.
    pub labels: Vec<String>,
    /// The lines of the event log.
    pub events: Vec<Value>,
    /// The steps that did something, and before them the start; each with the index of the first event that came of it or
    /// after it.
    pub steps: Vec<(Asked, usize)>,
}

impl Trace {
    /// Takes in that a step begins.
    pub(super) fn begin(&mut self, step: Asked) {
        self.steps.push((step, self.events.len()));
    }

    /// Takes in the next event, and returns what it says if it is one of the runtime's.
    ///
    /// # Errors
    /// It has the name of such an event, and not its fields.
    pub(super) fn push(&mut self, event: Value) -> serde_json::Result<Option<ProcessEvent>> {
        let name = event.get("event").and_then(Value::as_str);
        let known = name.and_then(ProcessEvent::fields);
        let said = known.map(|_| ProcessEvent::deserialize(&event)).transpose()?;
        self.events.push(event);
        if let Some(said) = &said {
            self.walk(said);
        }
        Ok(said)
    }

    fn walk(&mut self, event: &ProcessEvent) {
        let is_last = |node: &str| self.walk.last().is_some_and(|last| last == node);
        match event {
            ProcessEvent::Started { node } | ProcessEvent::Advanced { to: node, .. } => {
                self.walk.push(node.clone());
            }
            ProcessEvent::NodeSkipped { node, .. } => {
                if is_last(node) {
                    self.walk.pop();
                }
                self.walk.push(format!("~{node}"));
            }
            ProcessEvent::Completed { node } if !is_last(node) => self.walk.push(node.clone()),
            _ => {}
        }
    }

    /// An event as it is shown.
    pub(super) fn event(&self, index: usize) -> String {
        self.events.get(index).map(|event| excerpt(&told(event), MAX_EVENT)).unwrap_or_default()
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, "walk", &self.walk)?;
        list(f, "labels", &self.labels)?;
        write!(f, "events ({}):", self.events.len())?;
        let lines = self.lines();
        let left_out = lines.len().saturating_sub(WINDOW_LEN);
        let (earlier, shown) = lines.split_at(left_out);
        if !earlier.is_empty() {
            let events = earlier.iter().filter(|line| matches!(line, Line::Event(..))).count();
            write!(f, "\n  ({events} earlier left out)")?;
            // What the first of them came of stands above it all the same.
            let step = earlier.iter().rev().find(|line| matches!(line, Line::Step(_)));
            if let (Some(step), Some(Line::Event(..))) = (step, shown.first()) {
                write!(f, "{step}")?;
            }
        }
        shown.iter().try_for_each(|line| write!(f, "{line}"))
    }
}

/// A line of what happened.
enum Line<'t> {
    Step(&'t Asked),
    Event(usize, &'t Value),
}

impl Trace {
    /// Steps and events in the order they came in.
    fn lines(&self) -> Vec<Line<'_>> {
        let mut steps = self.steps.iter().peekable();
        let mut lines = Vec::with_capacity(self.steps.len() + self.events.len());
        for (index, event) in self.events.iter().enumerate() {
            while let Some((step, _)) = steps.next_if(|(_, first)| *first <= index) {
                lines.push(Line::Step(step));
            }
            lines.push(Line::Event(index, event));
        }
        lines.extend(steps.map(|(step, _)| Line::Step(step)));
        lines
    }
}

/// With the line break before it. What would be too long is given a line for each field.
impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(step) => write!(f, "\n  {}", step.brief()),
            Self::Event(index, event) => {
                let name = event.get("event").and_then(Value::as_str).unwrap_or("no event");
                write!(f, "\n    [{index}] {name}")?;
                let fields = fields(event);
                let length: usize = fields.iter().map(|field| field.chars().count() + 2).sum();
                if length + name.len() + 12 <= COLUMNS {
                    return write!(f, " {}", fields.join(", "));
                }
                fields.iter().try_for_each(|field| write!(f, "\n        {field}"))
            }
        }
    }
}

/// The fields that an event has of its own, as in `node: design`.
fn fields(event: &Value) -> Vec<String> {
    let Value::Object(told) = told(event) else { return Vec::new() };
    let own = told.iter().filter(|(name, _)| *name != "event");
    own.map(|(name, value)| match value.as_str().filter(|text| is_plain(text)) {
        Some(text) => format!("{name}: {text}"),
        None => format!("{name}: {}", excerpt(value, MAX_EVENT)),
    })
    .collect()
}

/// Whether a text needs no quotes to be told from what stands beside it.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | '/'))
}

/// An event without what is the same, or never the same, in all of them.
fn told(event: &Value) -> Value {
    let Value::Object(fields) = event else { return event.clone() };
    let told = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "ts" | "work_item" | "ref"));
    Value::Object(told.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// Names in lines that are no longer than they need be.
fn list(f: &mut fmt::Formatter<'_>, name: &str, items: &[String]) -> fmt::Result {
    let left_out = items.len().saturating_sub(MAX_LISTED);
    let mut line = format!("{name} ({}):", items.len());
    if left_out > 0 {
        line = format!("{line} ({left_out} earlier left out)");
    }
    let mut shown = items.iter().skip(left_out).peekable();
    while let Some(item) = shown.next() {
        let comma = if shown.peek().is_some() { "," } else { "" };
        if line.chars().count() + item.chars().count() + 2 > COLUMNS {
            writeln!(f, "{line}")?;
            line = format!("   {item}{comma}");
        } else {
            line = format!("{line} {item}{comma}");
        }
    }
    writeln!(f, "{line}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::event::Via;

    #[test]
    fn the_walk_follows_from_four_events() {
        let started = || ProcessEvent::Started { node: "a".to_owned() };
        let advanced = |to: &str| ProcessEvent::Advanced {
            node: "a".to_owned(),
            to: to.to_owned(),
            outcome: "pass".to_owned(),
        };
        let skipped =
            |node: &str| ProcessEvent::NodeSkipped { node: node.to_owned(), via: Via::Cli, by: None };
        let completed = |node: &str| ProcessEvent::Completed { node: node.to_owned() };
        let forced = || ProcessEvent::Forced {
            node: "a".to_owned(),
            to: "c".to_owned(),
            by: "b".to_owned(),
            reason: "d".to_owned(),
        };
        let table = [
            (vec![], vec![]),
            (vec![started()], vec!["a"]),
            (vec![started(), advanced("b")], vec!["a", "b"]),
            (vec![started(), advanced("b"), skipped("b"), advanced("c")], vec!["a", "~b", "c"]),
            (vec![started(), skipped("b")], vec!["a", "~b"]),
            (vec![started(), advanced("b"), advanced("a"), advanced("b")], vec!["a", "b", "a", "b"]),
            (vec![started(), advanced("b"), completed("b")], vec!["a", "b"]),
            (vec![started(), completed("escalated")], vec!["a", "escalated"]),
            (vec![started(), forced()], vec!["a"]),
            (vec![ProcessEvent::Parked { node: "a".to_owned() }], vec![]),
        ];
        for (events, expected) in table {
            let mut trace = Trace::default();
            for event in &events {
                let said = trace.push(serde_json::to_value(event).unwrap()).unwrap();
                assert_eq!(said.as_ref(), Some(event));
            }
            assert_eq!(trace.walk, expected, "{events:?}");
        }
    }

    #[test]
    fn events_that_are_not_the_runtimes_are_kept_and_say_nothing() {
        let mut trace = Trace::default();
        for event in [json!(3), json!({}), json!({"event": "review.asked", "node": "a"})] {
            assert_eq!(trace.push(event).unwrap(), None);
        }
        assert_eq!((trace.events.len(), trace.walk.len()), (3, 0));
    }

    #[test]
    fn an_event_of_the_runtime_without_its_fields_is_an_error() {
        let error = Trace::default().push(json!({"event": "graph.advanced", "node": "a"})).unwrap_err();
        assert_eq!(error.to_string(), "missing field `to`");
    }

    #[test]
    fn an_empty_trace_is_told_too() {
        assert_eq!(Trace::default().to_string(), "walk (0):\nlabels (0):\nevents (0):");
    }
}
