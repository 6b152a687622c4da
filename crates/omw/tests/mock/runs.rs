//! What agents see of a script.

use std::sync::{Arc, Mutex};

use omw::prelude::*;
use serde_json::{Value, json};

use crate::stage::{Played, Ran, Stage, kinds};

const ECHO: &str = r#"
[tooling.t]
kind = "mock"
delay_ms = 0
"#;

fn chat(model: &str) -> ChatRequest {
    ChatRequest { model: model.to_owned(), ..ChatRequest::default() }
}

fn content(contents: &[ResourceContent]) -> Vec<&str> {
    contents.iter().map(|content| content.content.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_gated_has_arrived_when_the_call_returns() {
    let mocks = r#"
        [providers.p]
        kind = "mock"
        turns = [{ content = "hi", reasoning = "hm" }]
        [tooling.t]
        kind = "mock"
        tool_calls = [{ name = "add", result = "3" }]
        resource_list_updates = [{ resources = [] }, { resources = [{ uri = "u", name = "u" }] }]
        [endpoint]
        kind = "mock"
        requests = [{ model = "m" }, { model = "m" }]
    "#;
    let brain = |host: &dyn Host| -> Ran {
        host.chat_stream("p", chat("m"))?;
        assert_eq!(kinds(host)?, ["chat-delta", "chat-delta", "chat-end"]);
        host.call_tool("t", "add", json!({}))?;
        assert_eq!(kinds(host)?, ["tool-result"]);
        host.subscribe_resource_list("t")?;
        assert_eq!(kinds(host)?, ["resource-list-updated", "resource-list-updated"]);
        assert_eq!(host.list_resources("t")?[0].uri, "u");
        host.subscribe_endpoint("m")?;
        assert_eq!(kinds(host)?, ["endpoint-message", "endpoint-message"]);
        Ok(())
    };
    Stage::set(mocks).agent("alice", brain).play().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_opens_for_one_agent_by_what_another_does() {
    let mocks = r#"
        [tooling.t]
        kind = "mock"
        tool_calls = [{ name = "wait", result = "now", after = { kind = "call", op = "memory_set", detail = { key = "go" } } }]
        resource_content_updates = [
            { uri = "u", contents = ["new"], after = { kind = "returned", op = "memory_set", detail = { result = {"$exists" = false} } } },
        ]
        [tooling.t.initial_resource_contents]
        u = ["old"]
    "#;
    let asked = Arc::new(Mutex::new(false));
    let has_asked = Arc::clone(&asked);
    let alice = move |host: &dyn Host| -> Ran {
        let subscription = host.subscribe_resource("t", "u")?;
        let call = host.call_tool("t", "wait", json!({}))?;
        assert!(host.try_recv()?.is_none());
        assert_eq!(content(&host.read_resource("t", "u")?), ["old"]);
        *asked.lock().expect("whole") = true;
        let mut ids = vec![host.recv()?.id, host.recv()?.id];
        ids.sort();
        let mut expected = vec![subscription, call];
        expected.sort();
        assert_eq!(ids, expected);
        assert_eq!(content(&host.read_resource("t", "u")?), ["new"]);
        Ok(())
    };
    let bob = move |host: &dyn Host| -> Ran {
        while !*has_asked.lock().expect("whole") {
            host.sleep_for(1)?;
        }
        host.memory_set("stay", "1")?;
        host.memory_set("go", "1")?;
        Ok(())
    };
    Stage::set(mocks).agent("alice", alice).agent("bob", bob).play().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_of_a_script_that_ran_out_reach_the_brain() {
    let brain = |host: &dyn Host| -> Ran {
        let error = host.call_tool_blocking("t", "add", json!({})).expect_err("there is no script");
        assert_eq!(error.to_string(), r#"mock has no scripted result for tool "add""#);
        host.call_tool("t", "add", json!({}))?;
        let Event::Error(text) = host.recv()?.event else { panic!("no error") };
        assert_eq!(text, r#"mock tool calls exhausted at "add""#);
        let error = host.read_resource("t", "u").expect_err("there is no content");
        assert_eq!(error.to_string(), r#"mock has no content for resource "u""#);
        Ok(())
    };
    Stage::set(ECHO).agent("alice", brain).play().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_answered_and_leaves_as_scripted() {
    let mocks = r#"
        [endpoint]
        kind = "mock"
        requests = [
            { model = "m", session_id = "whole", messages = [{ content = "hi" }] },
            { model = "m", session_id = "closed", session_end = { close = 1 }, after = { kind = "call", op = "memory_set" } },
            { model = "m", session_id = "aborted", session_end = { abort = 0 }, after = { kind = "call", op = "memory_remove" } },
        ]
    "#;
    let say = |text: &str| ChatDelta { content: Some(text.to_owned()), ..ChatDelta::default() };
    let brain = move |host: &dyn Host| -> Ran {
        host.subscribe_endpoint("m")?;
        let Event::EndpointMessage(message) = host.recv()?.event else { panic!("no message") };
        assert_eq!(message.messages[0].content.as_deref(), Some("hi"));
        host.stream_endpoint(&message.session, say("a"))?;
        let last = ChatDelta { finish_reason: Some("stop".to_owned()), ..say("b") };
        host.stream_endpoint(&message.session, last)?;
        assert!(host.try_recv()?.is_none(), "a finished session has no other end");

        host.memory_set("k", "v")?;
        let Event::EndpointMessage(message) = host.recv()?.event else { panic!("no message") };
        host.stream_endpoint(&message.session, say("c"))?;
        let closed = EndpointSessionEnd { session: message.session.clone(), error: None };
        assert_eq!(host.recv()?.event, Event::EndpointSessionEnd(closed));
        let error = host.stream_endpoint(&message.session, say("d")).expect_err("the client has left");
        assert_eq!(error.to_string(), "unknown endpoint session");

        host.memory_remove("k")?;
        let Event::EndpointMessage(message) = host.recv()?.event else { panic!("no message") };
        let error = Some("endpoint session aborted".to_owned());
        let aborted = EndpointSessionEnd { session: message.session, error };
        assert_eq!(host.recv()?.event, Event::EndpointSessionEnd(aborted));
        Ok(())
    };
    let Played { report, .. } = Stage::set(mocks).agent("alice", brain).play().await;
    let endpoint = report.snapshots.endpoint.expect("it has a snapshot");
    assert_eq!([&endpoint["requests_fired"], &endpoint["requests_remaining"]], [3, 0]);
    let replies: Vec<_> = endpoint["replies"].as_array().expect("a list").iter().map(reply).collect();
    assert_eq!(replies, ["whole: a b", "closed: c closed", "aborted: aborted"]);
}

/// A reply in short.
fn reply(reply: &Value) -> String {
    let deltas = reply["deltas"].as_array().into_iter().flatten();
    let contents = deltas.map(|delta| delta["content"].as_str().unwrap_or_default());
    let flags = ["closed", "aborted"].into_iter().filter(|flag| reply[flag] == true);
    let words: Vec<_> = contents.chain(flags).collect();
    format!("{}: {}", reply["session_id"].as_str().unwrap_or_default(), words.join(" "))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_of_an_unserved_model_is_left() {
    let mocks = r#"
        [endpoint]
        kind = "mock"
        requests = [{ model = "other", messages = [{ content = "hi" }] }]
    "#;
    let brain = |host: &dyn Host| -> Ran {
        host.subscribe_endpoint("m")?;
        assert!(host.try_recv()?.is_none());
        Ok(())
    };
    let Played { report, .. } = Stage::set(mocks).agent("alice", brain).play().await;
    let endpoint = report.snapshots.endpoint.expect("it has a snapshot");
    assert_eq!(endpoint["remaining"], json!([r#"requests[0]: asks "other" "hi""#]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_waits_for_ever_ends_with_its_agent() {
    let mocks = r#"
        [providers.p]
        kind = "mock"
        turns = [{ pending = true }]
        [tooling.t]
        kind = "mock"
        tool_calls = [{ name = "never", after = { kind = "call", op = "sleep_cron" } }, { name = "never", pending = true }]
    "#;
    let gated = |host: &dyn Host| host.call_tool_blocking("t", "never", json!({})).map(drop);
    let pending = |host: &dyn Host| host.chat("p", chat("m")).map(drop);
    let stage = Stage::set(mocks).agent("gated", gated).agent("pending", pending);
    let control = stage.control();
    let (played, ()) = tokio::join!(stage.try_play(), async {
        let waits = |agent| control.whereabouts(agent).is_some_and(|place| place.in_call);
        while !(waits("gated") && waits("pending")) {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        control.stop_agent("gated");
        control.stop_agent("pending");
    });
    let ends: Vec<_> =
        played.expect("the run starts").report.agents.into_iter().map(|end| end.outcome).collect();
    assert_eq!(ends, [RunOutcome::Stopped, RunOutcome::Stopped]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_is_wrong_refuses_the_run() {
    let mocks = "[providers.p]\nkind = \"mock\"\nturn = []\n";
    let error = Stage::set(mocks).agent("alice", |_| Ok(())).try_play().await.err().expect("it is refused");
    assert_eq!(
        error.to_string(),
        "omw.test.toml:3:1: providers.p.turn: unknown field \"turn\"; expected one of models, turns; did you mean \"turns\"?"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_run_keeps_the_latest_calls_unless_all_are_asked_for() {
    let mocks = "[providers.p]\nkind = \"mock\"\n";
    let brain = |host: &dyn Host| -> Ran {
        for _ in 0..1000 {
            host.chat("p", chat("m"))?;
        }
        Ok(())
    };
    for (stage, kept) in [(Stage::set(mocks), 200), (Stage::set(mocks).keeping_everything(), 1000)] {
        let Played { report, .. } = stage.agent("alice", brain).play().await;
        let provider = &report.snapshots.providers["p"];
        assert_eq!(provider["chat_calls"], 1000);
        assert_eq!(provider["calls"].as_array().map(Vec::len), Some(kept));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scripted_run_is_the_same_every_time() {
    let mocks = r#"
        [providers.p]
        kind = "mock"
        turns = [{ content = "hi", reasoning = "hm" }, { error = "broken" }]
        [tooling.t]
        kind = "mock"
        tool_calls = [
            { name = "a", result = "late", after = { kind = "inbound", event = "chat-end" } },
            { name = "a", result = "soon" },
        ]
        resource_content_updates = [{ uri = "u", contents = ["1"] }, { uri = "u", error = "gone", after = { kind = "call", op = "whoami" } }]
        [endpoint]
        kind = "mock"
        requests = [
            { model = "b", after = { kind = "inbound", event = "tool-result" } },
            { model = "a", session_end = { close = 0 } },
            { model = "a", session_end = { abort = 0 } },
        ]
    "#;
    let brain = |host: &dyn Host| -> Ran {
        host.subscribe_endpoint("a")?;
        host.subscribe_endpoint("b")?;
        host.subscribe_resource("t", "u")?;
        host.call_tool("t", "a", json!({}))?;
        host.call_tool("t", "a", json!({}))?;
        host.chat_stream("p", chat("m"))?;
        host.chat_stream("p", chat("m"))?;
        kinds(host)?;
        host.whoami();
        kinds(host)?;
        Ok(())
    };
    let mut first = None;
    for _ in 0..20 {
        let Played { trace, .. } = Stage::set(mocks).agent("alice", brain).play().await;
        let trace: Vec<_> = trace.into_iter().map(short).collect();
        assert_eq!(&trace, first.get_or_insert_with(|| trace.clone()));
    }
    insta::assert_snapshot!(first.unwrap_or_default().join("\n"), @"
    call subscribe_endpoint
    opened endpoint
    returned subscribe_endpoint
    call subscribe_endpoint
    opened endpoint
    returned subscribe_endpoint
    call subscribe_resource
    opened resource
    returned subscribe_resource
    call call_tool
    opened tool-call
    returned call_tool
    call call_tool
    opened tool-call
    closed tool-call ended
    returned call_tool
    call chat_stream
    opened chat-stream
    closed chat-stream ended
    returned chat_stream
    call chat_stream
    opened chat-stream
    closed chat-stream failed
    returned chat_stream
    inbound endpoint-message
    inbound endpoint-session-end
    inbound endpoint-message
    inbound endpoint-session-end
    inbound resource-updated
    inbound tool-result
    inbound chat-delta
    inbound chat-delta
    inbound chat-end
    closed tool-call ended
    inbound error
    inbound endpoint-message
    inbound tool-result
    call whoami
    closed resource failed
    returned whoami
    inbound error
    outcome Completed
    ");
}

/// An event without what is different in each run.
fn short(event: TraceEvent) -> String {
    match event {
        TraceEvent::Inbound { event, .. } => format!("inbound {}", event.kind()),
        TraceEvent::Call { op, .. } => format!("call {op}"),
        TraceEvent::Returned { op, .. } => format!("returned {op}"),
        TraceEvent::Opened { source, .. } => format!("opened {source}"),
        TraceEvent::Closed { source, reason, .. } => format!("closed {source} {}", reason.word()),
        TraceEvent::Outcome { outcome, .. } => format!("outcome {outcome:?}"),
    }
}
