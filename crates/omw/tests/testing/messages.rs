//! What a failure says.

use omw::prelude::*;
use omw::testing::{AgentReport, Assertions, check};
use serde_json::{Value, json};

fn call(op: &'static str, detail: Value) -> TraceEvent {
    TraceEvent::Call { agent: "alice".into(), op: op.into(), uuid: None, detail }
}

fn chat(model: &str) -> TraceEvent {
    call("chat", json!({"model": model, "messages": [{"role": "user", "content": "hi"}]}))
}

fn inbound(event: Event) -> TraceEvent {
    TraceEvent::Inbound { agent: "alice".into(), id: "u1".into(), event }
}

fn end(outcome: RunOutcome) -> TraceEvent {
    TraceEvent::Outcome { agent: "alice".into(), outcome }
}

fn judged(assertions: &Value, trace: &[TraceEvent]) -> AgentReport {
    let assertions = Assertions::of_value(&json!({ "alice": assertions }), ["alice"]).unwrap();
    check(&assertions, trace).remove(0)
}

#[test]
fn an_event_that_did_not_come_is_told_with_the_closest_one_and_the_trace() {
    let assertions = json!({"events": [
        {"kind": "call", "op": "whoami"},
        {"kind": "call", "op": "chat", "detail": {"model": "^gpt-4", "messages": [{"content": "hi"}]}},
    ]});
    let delta = ChatDelta { content: Some("hello".into()), ..ChatDelta::default() };
    let trace = [
        call("whoami", json!({})),
        inbound(Event::ChatDelta(delta)),
        chat("gpt-5"),
        inbound(Event::ChatEnd),
        end(RunOutcome::Completed),
    ];
    insta::assert_snapshot!(judged(&assertions, &trace), @r#"
    agent "alice" failed:
      expectation [1] was not met: {kind: "call", op: "chat", detail: {model: /^gpt-4/, messages: [{content: /hi/}]}}
        cursor: 1 (4 seen)
        closest: [2] detail.model: expected /^gpt-4/, found "gpt-5"
      its trace:
        [0] call whoami {}
        [1] inbound chat-delta {"content":"hello","reasoning":null,"tool_calls":[],"finish_reason":null,"usage":null}
        [2] call chat {"model":"gpt-5","messages":[{"role":"user","content":"hi"}]}
        [3] inbound chat-end
    "#);
}

#[test]
fn an_unexpected_end_is_told_beside_what_the_events_lack() {
    let assertions = json!({"outcome": {"exited": "4"}, "events": [{"kind": "call", "op": "chat"}]});
    let exited = end(RunOutcome::Exited("2 + 2".into()));
    insta::assert_snapshot!(judged(&assertions, &[chat("m"), exited.clone()]), @r#"
    agent "alice" failed:
      outcome mismatch
        expected: exited with "4"
        found:    exited with "2 + 2"
      its trace:
        [0] call chat {"model":"m","messages":[{"role":"user","content":"hi"}]}
    "#);
    insta::assert_snapshot!(judged(&assertions, &[exited]), @r#"
    agent "alice" failed:
      outcome mismatch
        expected: exited with "4"
        found:    exited with "2 + 2"
      expectation [0] was not met: {kind: "call", op: "chat"}
        cursor: 0 (0 seen)
        closest: none, nothing came after the cursor
      its trace is empty: it saw and did nothing
    "#);
    let failed = end(RunOutcome::Failed("Runtime error: boom (line 3, position 5)".into()));
    insta::assert_snapshot!(judged(&assertions, &[chat("m"), failed]), @r#"
    agent "alice" failed:
      the brain failed: Runtime error: boom (line 3, position 5)
      its trace:
        [0] call chat {"model":"m","messages":[{"role":"user","content":"hi"}]}
    "#);
}

#[test]
fn what_must_not_come_is_told_with_what_came() {
    let assertions = json!({
        "outcome": "asserted",
        "events": [
            {"$never": {"kind": "inbound", "event": "error"}},
            {"$times": {"of": {"kind": "call"}, "min": 2, "max": 2}},
            {"kind": "inbound", "event": "chat-end"},
        ],
    });
    let error = inbound(Event::Error("connection lost".into()));
    insta::assert_snapshot!(judged(&assertions, &[chat("m"), chat("m"), error]), @r#"
    agent "alice" failed:
      expectation [0] was violated: $never {kind: "inbound", event: "error"}
        cursor: 2 (3 seen)
        matched by: [2] {"kind":"inbound","event":"error","payload":{"kind":"error","data":"connection lost"}}
      its trace:
        [0] call chat {"model":"m","messages":[{"role":"user","content":"hi"}]}
        [1] call chat {"model":"m","messages":[{"role":"user","content":"hi"}]}
        [2] inbound error "connection lost"
    "#);
    insta::assert_snapshot!(judged(&assertions, &[chat("m"), chat("m"), chat("m")]), @r#"
    agent "alice" failed:
      expectation [1] was not met: $times 2 of {kind: "call"}
        cursor: 2 (3 seen)
        run: at most 2 in a row expected, continued by [2] {"kind":"call","op":"chat","detail":{"model":"m","messages":[{"role":"user","content":"hi"}]}}
      its trace:
        [0] call chat {"model":"m","messages":[{"role":"user","content":"hi"}]}
        [1] call chat {"model":"m","messages":[{"role":"user","content":"hi"}]}
        [2] call chat {"model":"m","messages":[{"role":"user","content":"hi"}]}
    "#);
}

#[test]
fn a_long_trace_is_cut_to_its_end() {
    let assertions = json!({"outcome": "completed"});
    let mut trace: Vec<_> = (0..500).map(|n| chat(&format!("m{n}"))).collect();
    trace.push(end(RunOutcome::Exited("x".into())));
    let text = judged(&assertions, &trace).to_string();
    assert!(text.contains("    300 earlier left out\n    [300] call chat {\"model\":\"m300\""), "{text}");
    assert_eq!(text.lines().count(), 206);
}

#[test]
fn an_agent_that_passed_says_so() {
    let report = judged(&json!({"outcome": "completed"}), &[end(RunOutcome::Completed)]);
    assert_eq!(report.to_string(), "agent \"alice\" passed\n");
    assert_eq!(report.diff(), None);
}
