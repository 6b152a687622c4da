//! Verdicts over a trace that was recorded before.

use crate::host::trace::TraceEvent;

use super::flaw::Flaw;
use super::judge::{Judge, Keep};
use super::{AgentReport, Assertions};

/// Holds assertions against a recorded trace, and gives a report for each agent that they name, in their order.
///
/// It is judged as if it happened now: what an `asserted` agent did after its events were settled does not count, any other
/// agent is judged at its outcome. Failures of agents that the assertions do not name are left to the caller.
///
/// ```
/// use omw::prelude::*;
/// use omw::testing::{Assertions, check};
/// use serde_json::json;
///
/// let assertions = json!({"alice": {"outcome": "completed", "events": [{"kind": "call", "op": "chat"}]}});
/// let assertions = Assertions::of_value(&assertions, ["alice"]).unwrap();
/// let chat = TraceEvent::Call { agent: "alice".into(), op: "chat".into(), uuid: None, detail: json!({}) };
/// let end = TraceEvent::Outcome { agent: "alice".into(), outcome: RunOutcome::Completed };
///
/// assert!(check(&assertions, &[chat, end.clone()])[0].passed());
/// let report = &check(&assertions, &[end])[0];
/// assert!(report.flaws[0].to_string().starts_with("expectation [0] was not met"));
/// ```
pub fn check(assertions: &Assertions, trace: &[TraceEvent]) -> Vec<AgentReport> {
    let mut judge = Judge::new(assertions, Keep::Latest);
    for event in trace.iter().filter(|event| assertions.of(event.agent()).is_some()) {
        // What to do is nothing: it is all over.
        let _ = judge.see(event.clone());
    }
    judge.close(&Flaw::NoEnd).agents
}
