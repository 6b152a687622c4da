//! Tests against mocks: what failures say of their queues.

use omw::prelude::*;
use serde_json::json;

use crate::bench::{Bench, chat, raise};

const MOCKS: &str = r#"
[providers.llm]
kind = "mock"
turns = [{ content = "one" }, { content = "two" }, { content = "three" }]

[tooling.shop]
kind = "mock"
delay_ms = 0
tool_calls = [{ name = "buy", result = "ok" }]

[endpoint]
kind = "mock"
requests = [{ model = "m", session_id = "s", messages = [{ content = "hi" }] }]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_says_what_is_left_in_the_mocks() {
    let bench = Bench::new().agent("alice", |host| Ok(chat(host, "gpt-5")?.content));
    let report = bench.run(&format!("{MOCKS}[assertions.alice]\noutcome = \"completed\"")).await;
    insta::assert_snapshot!(report, @r#"
    agent "alice" failed:
      outcome mismatch
        expected: completed
        found:    exited with "one"
      its trace:
        [0] call chat {"provider":"llm","model":"gpt-5","messages":[{"role":"user","content":"hi","reasoning":null,"tool_calls":[],"tool_call_id":null}],"tools":[],"params":null}
        [1] returned chat {"result":{"content":"one","reasoning":null,"tool_calls":[],"finish_reason":"stop","usage":null}}
    left in the mocks' queues:
      provider "llm": 2 of 3 turns
        turns[1]: "two"
        turns[2]: "three"
      tooling "shop": 1 of 1 tool calls
        tool_calls[0]: buy: "ok"
      endpoint: 1 of 1 requests
        requests[0]: asks "m" "hi"
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocking_call_is_asserted_with_its_arguments_and_its_result() {
    let bench = Bench::new().agent("alice", |host| {
        host.call_tool_blocking("shop", "buy", json!({"item": "tea", "count": 2})).map_err(raise)?;
        Ok(None)
    });
    let report = bench
        .run(&format!(
            r#"{MOCKS}
[assertions.alice]
outcome = "completed"
events = [
  {{ kind = "call", op = "call_tool_blocking", detail = {{ tool = "buy", arguments = {{ count = {{ "$gt" = 1 }} }} }} }},
  {{ kind = "returned", op = "call_tool_blocking", detail = {{ result = {{ is_error = false, content = [{{ text = "ok" }}] }} }} }},
]"#
        ))
        .await;
    assert!(report.passed(), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_deltas_are_consumed_and_what_ends_them_is_awaited() {
    let bench = Bench::new().agent("alice", |host| {
        let request = ChatRequest { model: "m".into(), ..ChatRequest::default() };
        host.chat_stream("llm", request).map_err(raise)?;
        loop {
            host.recv().map_err(raise)?;
        }
    });
    let report = bench
        .run(&format!(
            r#"{MOCKS}
[assertions.alice]
outcome = "asserted"
events = [
  {{ "$until" = {{ kind = "opened", source = "chat-stream" }} }},
  {{ "$while" = {{ kind = "inbound", event = "chat-delta" }} }},
  {{ "$never" = {{ kind = "inbound", event = "error" }} }},
  {{ kind = "inbound", event = "chat-end" }},
]"#
        ))
        .await;
    assert!(report.passed(), "{report}");
}
