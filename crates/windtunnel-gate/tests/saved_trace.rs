//! Saved traces, ours and those of another program, are judged by a function call.

use std::error::Error;
use std::sync::Arc;

use serde_json::{Value, json};
use windtunnel_api::{Scenario, Score, Trace, Verdict};
use windtunnel_gate::{Checks, Gate};

fn score(scenario: Value, trace: &Trace) -> Result<Score, Box<dyn Error>> {
    let scenario: Scenario = serde_json::from_value(scenario)?;
    let gate = Gate::compile(Arc::new(scenario), Checks::new()).map_err(|faults| format!("{faults:?}"))?;
    Ok(gate.score(trace))
}

fn open_orders() -> Value {
    json!({
        "name": "open_orders",
        "prompt": "How many orders are open?",
        "target_numbers": [{"value": 75, "unit": "orders"}],
        "requires_tool_use": true,
        "must_call": ["count_orders"],
        "forbidden_calls": ["delete_orders"],
        "trajectory": [
            {"kind": "turn", "role": "assistant"},
            {"kind": "tool_call", "tool": "count_orders", "witness": "recorder", "args": {"state": "open"}},
            {"kind": "observation", "source": "db", "value": {"orders": 75}},
        ],
        "outcome": {"all_of": [
            {"substantiated_by_tools": {}},
            {"observation": {"source": "db", "path": "/orders", "equals": 75}},
        ]},
    })
}

#[test]
fn a_trace_without_events_is_judged_by_what_follows_from_it() -> Result<(), Box<dyn Error>> {
    let trace: Trace = serde_json::from_str(include_str!("data/foreign.json"))?;
    let passed = score(open_orders(), &trace)?;
    assert_eq!(passed.verdict, Verdict::Pass, "{passed:#?}");
    insta::assert_snapshot!(passed.outcome.detail, @"numbers: 1 of 1 found; requires_tool_use: 1 call witnessed by the recorder; all_of: substantiated_by_tools: 1 of 1 in a tool result; observations.db/orders is 75");

    // The transcript also claims a forbidden call; without the witness its word counts.
    let mut unwitnessed = trace;
    unwitnessed.mcp_calls.clear();
    let failed = score(open_orders(), &unwitnessed)?;
    insta::assert_snapshot!(failed.trajectory.detail, @r#"
    must_call: expected "count_orders", calls: [1] delete_orders
    forbidden_calls: "delete_orders" was called: [1] delete_orders
    trajectory: expectation [1] was not met: {kind: "tool_call", tool: "count_orders", witness: "recorder", args: {state: /open/}}
      cursor: 3 (4 seen)
      closest: [3] kind: expected "tool_call", found "observation"
    evidence: 1 call claimed by the transcript; nothing witnessed this run
    "#);
    Ok(())
}

#[test]
fn a_trace_is_judged_the_same_after_a_round_trip() -> Result<(), Box<dyn Error>> {
    for saved in [include_str!("data/answered.json"), include_str!("data/foreign.json")] {
        let trace: Trace = serde_json::from_str(saved)?;
        let again: Trace = serde_json::from_str(&serde_json::to_string(&trace)?)?;
        assert_eq!(score(open_orders(), &trace)?, score(open_orders(), &again)?);
    }
    Ok(())
}
