//! A saved trace, judged again: no agent, no tools, one function call.

use std::sync::Arc;

use crate::lab::{Lab, at_most, greeting};
use windtunnel_core::prelude::*;
use windtunnel_core::serde_json;

// ANCHOR: again
#[tokio::test]
async fn a_saved_trace_is_judged_as_it_was_and_by_a_stricter_gate() {
    let lab = Lab::new().await;
    let found = lab.found(at_most(1));
    let record = lab.run(&found, &found.scenario().reference_cases[0]).await;

    let saved = std::fs::read_to_string(record.trace_path.unwrap()).unwrap();
    let trace: Trace = serde_json::from_str(&saved).unwrap();
    assert_eq!(found.gate.score(&trace), record.score.unwrap());

    let stricter = Gate::compile(Arc::new(greeting()), at_most(0)).unwrap();
    let score = stricter.score(&trace);
    assert_eq!(score.verdict, Verdict::Fail);
    assert_eq!(score.constraint.metrics["written"], 1);
}
// ANCHOR_END: again
