//! Gates: what waits until something has happened in the run, whatever agent it happened to.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use tokio_util::sync::CancellationToken;
use windtunnel_pattern::Pattern;

use crate::host::trace::TraceEvent;

/// The gates of a run. Those that are open cost nothing; a closed one costs nothing for events of another kind or call.
#[derive(Clone, Default)]
pub struct Gates(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// How many are closed, so that a run without any costs one look.
    closed: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    closed: Vec<ClosedGate>,
    made: u64,
    /// For each sort of event that has occurred, the gates that such an event could open. Forgotten when a gate is added.
    interest: HashMap<&'static str, HashMap<String, Vec<u64>>>,
}

struct ClosedGate {
    number: u64,
    pattern: Pattern,
    opened: CancellationToken,
}

impl Gates {
    /// A gate that opens when an event matches the pattern; what is matched is [`TraceEvent::into_candidate`]. To be made before the run starts,
    /// so that it sees everything.
    pub fn on(&self, pattern: Pattern) -> Gate {
        let opened = CancellationToken::new();
        let mut state = self.state();
        state.made += 1;
        let number = state.made;
        state.closed.push(ClosedGate { number, pattern, opened: opened.clone() });
        state.interest.clear();
        self.0.closed.store(state.closed.len(), Ordering::Release);
        Gate(opened)
    }

    /// Whether a gate is still closed; then events have to be recorded.
    pub fn any_closed(&self) -> bool {
        self.0.closed.load(Ordering::Acquire) > 0
    }

    /// Opens the gates that an event matches.
    pub(crate) fn see(&self, event: &TraceEvent) {
        if !self.any_closed() {
            return;
        }
        let opened = {
            let mut state = self.state();
            let opened = state.opened_by(event);
            self.0.closed.store(state.closed.len(), Ordering::Release);
            opened
        };
        // Never under the lock: this wakes those that wait.
        for gate in opened {
            gate.opened.cancel();
        }
    }

    // The state is whole between any two statements, whatever panics.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Gates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gates({} closed)", self.0.closed.load(Ordering::Relaxed))
    }
}

impl State {
    /// Takes out the gates that an event opens.
    fn opened_by(&mut self, event: &TraceEvent) -> Vec<ClosedGate> {
        let interested = self.interested(event);
        if interested.is_empty() {
            return Vec::new();
        }
        let candidate = event.clone().into_candidate();
        let opens = |gate: &mut ClosedGate| {
            interested.binary_search(&gate.number).is_ok() && gate.pattern.matches(&candidate)
        };
        let opened: Vec<_> = self.closed.extract_if(.., opens).collect();
        for gate in &opened {
            for numbers in self.interest.values_mut().flat_map(HashMap::values_mut) {
                numbers.retain(|number| *number != gate.number);
            }
        }
        opened
    }

    /// The numbers of the gates that events of this sort could open, ascending.
    fn interested(&mut self, event: &TraceEvent) -> Vec<u64> {
        let (kind, named) = sort(event);
        let name = named.map_or("", |(_, name)| name);
        let known = self.interest.entry(kind).or_default();
        if let Some(numbers) = known.get(name) {
            return numbers.clone();
        }
        let mut sample = json!({"kind": kind});
        if let Some((field, name)) = named {
            sample[field] = name.into();
        }
        let could = self.closed.iter().filter(|gate| gate.pattern.admits(&sample));
        let numbers: Vec<_> = could.map(|gate| gate.number).collect();
        known.insert(name.to_owned(), numbers.clone());
        numbers
    }
}

/// What tells events apart before their contents do: the kind, and the member of the candidate that names the call, event or source.
fn sort(event: &TraceEvent) -> (&'static str, Option<(&'static str, &str)>) {
    match event {
        TraceEvent::Inbound { event, .. } => ("inbound", Some(("event", event.kind()))),
        TraceEvent::Call { op, .. } => ("call", Some(("op", op))),
        TraceEvent::Returned { op, .. } => ("returned", Some(("op", op))),
        TraceEvent::Opened { source, .. } => ("opened", Some(("source", source))),
        TraceEvent::Closed { source, .. } => ("closed", Some(("source", source))),
        TraceEvent::Outcome { .. } => ("outcome", None),
    }
}

/// Something to wait for.
#[derive(Debug, Clone)]
pub struct Gate(CancellationToken);

impl Gate {
    /// A gate that is open from the start.
    pub fn open() -> Self {
        let opened = CancellationToken::new();
        opened.cancel();
        Self(opened)
    }

    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Waits until it is open.
    pub async fn opened(&self) {
        self.0.cancelled().await;
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;
    use serde_json::Value;
    use windtunnel_pattern::Options;

    use super::*;

    fn pattern(pattern: &Value) -> Pattern {
        Pattern::compile(pattern, &Options::new().whole_fields(["kind"])).unwrap()
    }

    fn call(agent: &str, op: &'static str, detail: Value) -> TraceEvent {
        TraceEvent::Call { agent: agent.into(), op: op.into(), uuid: None, detail }
    }

    #[test]
    fn a_gate_opens_with_the_first_event_that_matches_of_any_agent() {
        let gates = Gates::default();
        let gate = gates.on(pattern(&json!({"kind": "call", "op": "chat", "detail": {"model": "^gpt-"}})));
        let waiting = gate.clone();
        for event in [
            call("alice", "whoami", json!({})),
            call("alice", "chat", json!({"model": "other"})),
            TraceEvent::Opened { agent: "alice".into(), source: "timer".into(), uuid: String::new() },
        ] {
            gates.see(&event);
            assert!(!gate.is_open());
            assert!(waiting.opened().now_or_never().is_none());
        }
        assert!(gates.any_closed());
        gates.see(&call("bob", "chat", json!({"model": "gpt-4"})));
        assert!(gate.is_open());
        assert!(!gates.any_closed());
        assert!(waiting.opened().now_or_never().is_some());
    }

    #[test]
    fn every_kind_of_event_can_open_a_gate() {
        use crate::exchange::Event;
        use crate::host::trace::{CloseReason, RunOutcome};
        let agent: Arc<str> = "alice".into();
        let opened = TraceEvent::Opened { agent: agent.clone(), source: "timer".into(), uuid: String::new() };
        let closed = TraceEvent::Closed {
            agent: agent.clone(),
            source: "timer".into(),
            uuid: String::new(),
            reason: CloseReason::Cancelled,
        };
        let returned = TraceEvent::Returned {
            agent: agent.clone(),
            op: "memory_get".into(),
            uuid: None,
            detail: json!({"result": "7"}),
        };
        let events = [
            (
                json!({"kind": "inbound", "event": "timer"}),
                TraceEvent::Inbound { agent: agent.clone(), id: String::new(), event: Event::Timer },
            ),
            (json!({"kind": "call", "op": "whoami"}), call("alice", "whoami", json!({}))),
            (json!({"kind": "returned", "detail": {"result": "7"}}), returned),
            (json!({"kind": "opened", "source": "timer"}), opened),
            (json!({"kind": "closed", "reason": "cancelled"}), closed),
            (
                json!({"kind": "outcome", "outcome": "completed"}),
                TraceEvent::Outcome { agent, outcome: RunOutcome::Completed },
            ),
        ];
        for (of, event) in &events {
            let gates = Gates::default();
            let gate = gates.on(pattern(of));
            for (_, other) in events.iter().filter(|(other, _)| other != of) {
                gates.see(other);
                assert!(!gate.is_open(), "{of} by {other:?}");
            }
            gates.see(event);
            assert!(gate.is_open(), "{of}");
        }
    }

    #[test]
    fn what_could_match_is_worked_out_once_for_each_sort_of_event() {
        let gates = Gates::default();
        let _gate = gates.on(pattern(&json!({"kind": "call", "op": "chat"})));
        for _ in 0..3 {
            gates.see(&call("alice", "whoami", json!({})));
            gates.see(&call("alice", "memory_get", json!({"key": "a"})));
        }
        let interest = &gates.state().interest;
        assert_eq!(interest["call"].len(), 2);
        assert!(interest["call"].values().all(Vec::is_empty));
    }

    #[test]
    fn a_gate_made_later_sees_what_comes_later() {
        let gates = Gates::default();
        let early = gates.on(pattern(&json!({"kind": "inbound"})));
        gates.see(&call("alice", "chat", json!({})));
        let late = gates.on(pattern(&json!({"kind": "call"})));
        assert!(!late.is_open());
        gates.see(&call("alice", "chat", json!({})));
        assert!(late.is_open());
        assert!(!early.is_open());
    }

    #[test]
    fn one_event_opens_several_gates() {
        let gates = Gates::default();
        let some =
            [json!({"kind": "call"}), json!({"op": "^ch"}), json!({})].map(|of| gates.on(pattern(&of)));
        gates.see(&call("alice", "chat", json!({})));
        assert!(some.iter().all(Gate::is_open));
    }

    #[test]
    fn an_open_gate_keeps_nobody_waiting() {
        assert!(Gate::open().is_open());
        assert!(Gate::open().opened().now_or_never().is_some());
    }
}
