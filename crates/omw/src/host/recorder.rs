//! Recording what agents do and see.

use std::sync::Mutex;

use crate::gate::Gates;

use super::sync::lock;
use super::trace::{TraceEvent, TraceSender};

/// Shows every event of a run to its gates and to whoever traces it, on the thread it happens on and in one order for the whole run.
pub(super) struct Recorder {
    gates: Gates,
    trace: Option<TraceSender>,
    order: Mutex<()>,
}

impl Recorder {
    pub(super) fn new(gates: Gates, trace: Option<TraceSender>) -> Self {
        Self { gates, trace, order: Mutex::new(()) }
    }

    /// Records an event. It is not even made where nobody wants it.
    ///
    /// No lock that a receiver of the trace or a stop signal's listener takes may be held.
    pub(super) fn record(&self, event: impl FnOnce() -> TraceEvent) {
        if self.trace.is_none() && !self.gates.any_closed() {
            return;
        }
        let event = event();
        let _order = lock(&self.order);
        self.gates.see(&event);
        if let Some(trace) = &self.trace {
            trace.send(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windtunnel_pattern::{Options, Pattern};

    use super::super::trace::CloseReason;
    use super::*;

    fn closed() -> TraceEvent {
        TraceEvent::Closed {
            agent: "alice".into(),
            source: "timer".into(),
            uuid: "1".to_owned(),
            reason: CloseReason::Ended,
        }
    }

    #[test]
    fn nothing_is_made_where_nobody_listens() {
        let recorder = Recorder::new(Gates::default(), None);
        recorder.record(|| panic!("nobody wants it"));
    }

    #[test]
    fn an_event_is_made_for_a_closed_gate_only_until_it_opens() {
        let gates = Gates::default();
        let pattern = Pattern::compile(&json!({"kind": "closed"}), &Options::new()).unwrap();
        let gate = gates.on(pattern);
        let recorder = Recorder::new(gates, None);
        recorder.record(closed);
        assert!(gate.is_open());
        recorder.record(|| panic!("the gate is open"));
    }

    #[test]
    fn gates_open_before_the_trace_sees_the_event() {
        let gates = Gates::default();
        let gate = gates.on(Pattern::compile(&json!({"kind": "closed"}), &Options::new()).unwrap());
        let trace = TraceSender::new(move |_| assert!(gate.is_open()));
        Recorder::new(gates, Some(trace)).record(closed);
    }
}
