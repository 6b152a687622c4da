//! What can be seen of a world from outside.

use std::fs::File;
use std::io::{self, Read as _};

use camino::Utf8Path;
use serde_json::Value;

use super::locks::Entered;
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
    /// How the artifacts stood each time the implementation was entered.
    pub(super) entered: Vec<Entered>,
}

impl Observer {
    pub(super) fn of(log: &Utf8Path) -> io::Result<Self> {
        let log = File::open(log)?;
        Ok(Self { log, partial: Vec::new(), calls: 0, trace: Trace::default(), entered: Vec::new() })
    }

    /// Takes in what is new, and returns the index of the first event that is.
    pub(super) fn look(&mut self, control: &FakeControlPlane, prefix: &str) -> io::Result<usize> {
        let known = self.trace.events.len();
        self.log.read_to_end(&mut self.partial)?;
        let whole = self.partial.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines: Vec<u8> = self.partial.drain(..whole).collect();
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            self.trace.push(serde_json::from_slice(line)?);
        }
        let calls = control.calls_from(self.calls);
        self.calls += calls.len();
        for call in calls {
            if call.succeeded && call.operation == Operation::SetLabels.name() {
                self.trace.labels.extend(phases(&call.arguments, prefix).map(str::to_owned));
            }
        }
        Ok(known)
    }
}

/// The labels of a call that say a phase.
fn phases<'a>(arguments: &'a Value, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let labels = arguments.get("labels").and_then(Value::as_array).into_iter().flatten();
    labels.filter_map(Value::as_str).filter(move |label| label.starts_with(prefix))
}
