//! What can be seen of a world from outside.

use std::fs::File;
use std::io::{self, Read as _};

use camino::Utf8Path;
use serde_json::Value;

use super::locks::Entered;
use crate::event::ProcessEvent;
use crate::scenario::doubles::FakeControlPlane;
use crate::scenario::trace::Trace;
use crate::transport::Operation;

/// Reads what is new in a world: lines of the event log, calls of the control plane.
pub(super) struct Observer {
    log: File,
    /// The beginning of a line that is not all there yet.
    partial: Vec<u8>,
    calls: usize,
    pub(super) trace: Trace,
    /// The node at which the walk was said to be over, if it was.
    pub(super) completed: Option<String>,
    /// How the artifacts stood each time the implementation was entered.
    pub(super) entered: Vec<Entered>,
}

impl Observer {
    pub(super) fn of(log: &Utf8Path) -> io::Result<Self> {
        let log = File::open(log)?;
        Ok(Self {
            log,
            partial: Vec::new(),
            calls: 0,
            trace: Trace::default(),
            completed: None,
            entered: Vec::new(),
        })
    }

    /// What was observed. The log is closed.
    pub(super) fn into_trace(self) -> Trace {
        self.trace
    }

    /// Takes in what is new, and returns the events of the runtime that are.
    pub(super) fn look(&mut self, control: &FakeControlPlane, prefix: &str) -> io::Result<Vec<ProcessEvent>> {
        let mut new = Vec::new();
        self.log.read_to_end(&mut self.partial)?;
        let whole = self.partial.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines: Vec<u8> = self.partial.drain(..whole).collect();
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            new.extend(self.trace.push(serde_json::from_slice(line)?)?);
        }
        for event in &new {
            if let ProcessEvent::Completed { node } = event {
                self.completed = Some(node.clone());
            }
        }
        let calls = control.calls_from(self.calls);
        self.calls += calls.len();
        for call in calls {
            if call.succeeded && call.operation == Operation::SetLabels.name() {
                self.trace.labels.extend(phases(&call.arguments, prefix).map(str::to_owned));
            }
        }
        Ok(new)
    }
}

/// The labels of a call that say a phase.
fn phases<'a>(arguments: &'a Value, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let labels = arguments.get("labels").and_then(Value::as_array).into_iter().flatten();
    labels.filter_map(Value::as_str).filter(move |label| label.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn only_what_is_new_is_read_and_a_line_only_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(folder.path()).unwrap().join("events.jsonl");
        let mut log = File::create(&path).unwrap();
        let mut observer = Observer::of(&path).unwrap();
        let control = FakeControlPlane::new("bot");
        let mut look = |written: &str| {
            log.write_all(written.as_bytes()).unwrap();
            let new = observer.look(&control, "loop:").unwrap();
            (new.len(), observer.trace.events.len())
        };
        assert_eq!(look(""), (0, 0));
        assert_eq!(look("{\"event\":\"a\"}\n{\"ev"), (0, 1));
        assert_eq!(look("ent\":\"graph.parked\",\"node\":\"b\"}"), (0, 1));
        assert_eq!(look("\n\n{\"event\":\"graph.completed\",\"node\":\"c\"}\n"), (2, 3));
        assert_eq!(look(""), (0, 3));
        assert_eq!(observer.completed.as_deref(), Some("c"));
        log.write_all(b"no event\n").unwrap();
        assert!(observer.look(&control, "loop:").is_err());
    }

    #[test]
    fn labels_are_those_that_say_a_phase() {
        let arguments = serde_json::json!({"labels": ["bug", "loop:design", "looped", 3]});
        assert_eq!(phases(&arguments, "loop:").collect::<Vec<_>>(), ["loop:design"]);
        assert_eq!(phases(&serde_json::json!({}), "loop:").count(), 0);
    }
}
