//! Tool results that come back, and thinking that has to come back with them.

use reqwest::StatusCode;
use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::{ToolCall, Witness};
use windtunnel_api::{Evidence, ReferenceDecision, ReferenceToolCall};

use crate::harness::{Case, request_with, says, thinks};

/// Calls a tool that no tool server of the case serves.
fn own_call() -> ReferenceDecision {
    ReferenceDecision::calls([ReferenceToolCall::new("think", [("about", "orders".into())])])
}

/// A request with these messages that offers a tool of the agent's own.
fn with_messages(messages: &Value) -> Value {
    request_with(
        json!({"messages": messages, "tools": [{"name": "think", "input_schema": {"type": "object"}}]}),
    )
}

#[tokio::test]
async fn a_result_beside_text_as_a_string_or_as_blocks_is_witnessed() {
    for content in [json!("75"), json!([{"type": "text", "text": "75"}])] {
        let case = Case::of(vec![own_call(), says("done")]).await;
        let user = json!({"role": "user", "content": "How many?"});
        let answer = case.ask(&with_messages(&json!([user]))).await;
        let id = &answer["content"][0]["id"];
        let messages = json!([
            user,
            {"role": "assistant", "content": answer["content"]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": id, "content": content},
                {"type": "text", "text": "Go on."},
            ]},
        ]);
        case.ask(&with_messages(&messages)).await;
        let seen = case.served.drain_evidence().unwrap();
        let [
            Evidence::Inference { .. },
            Evidence::ToolCall(call),
            Evidence::Inference { messages: sent, .. },
        ] = &seen.iter().map(|entry| &entry.value).collect::<Vec<_>>()[..]
        else {
            panic!("{seen:?}")
        };
        let ToolCall { tool, args, result, witness, .. } = call;
        assert_eq!((tool.as_str(), args, result), ("think", &json!({"about": "orders"}), &json!("75")));
        assert_eq!(*witness, Witness::Seam);
        assert_eq!(json!(sent), messages, "messages are kept as they were sent");
    }
}

#[tokio::test]
async fn a_result_that_the_agent_marks_as_an_error_is_one() {
    let case = Case::of(vec![own_call(), says("done")]).await;
    let answer = case.ask(&with_messages(&json!([]))).await;
    let id = &answer["content"][0]["id"];
    let result =
        json!({"type": "tool_result", "tool_use_id": id, "is_error": true, "content": "no such order"});
    case.ask(&with_messages(&json!([{"role": "user", "content": [result]}]))).await;
    let seen = case.served.drain_evidence().unwrap();
    let Evidence::ToolCall(call) = &seen[1].value else { panic!("{seen:?}") };
    assert_eq!((&call.result, call.error.as_deref()), (&Value::Null, Some("no such order")));
}

#[tokio::test]
async fn with_thinking_on_a_tool_turn_without_its_thinking_is_refused_and_remembered() {
    let case = Case::of(vec![thinks("Orders live in the CRM.", own_call()), says("done")]).await;
    let user = json!({"role": "user", "content": "How many?"});
    let answer = case.ask(&with_messages(&json!([user]))).await;
    let [thinking, call] = &answer["content"].as_array().unwrap()[..] else { panic!("{answer}") };
    let result = json!([{"type": "tool_result", "tool_use_id": call["id"], "content": "75"}]);
    let turn = |blocks: &[&Value]| {
        let mut body = with_messages(&json!([
            user,
            {"role": "assistant", "content": blocks},
            {"role": "user", "content": result},
        ]));
        body["thinking"] = json!({"type": "enabled", "budget_tokens": 1024});
        body
    };
    let response = case.post(&turn(&[call])).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(response.headers()["x-should-retry"], "false");
    let error: Value = response.json().await.unwrap();
    assert_eq!((&error["type"], &error["error"]["type"]), (&json!("error"), &json!("invalid_request_error")));
    insta::assert_snapshot!(error["error"]["message"].as_str().unwrap(), @"`messages[1].content[0]` is a `tool_use` block; with thinking on, a turn with tool calls comes back with the thinking block before them, as it was sent");
    assert_eq!(case.served.progress().violations.len(), 1);
    assert_eq!(case.ask(&turn(&[thinking, call])).await["content"][0]["text"], "done");
}

#[tokio::test]
async fn the_first_request_shows_the_system_prompt_and_the_tools() {
    let case = Case::of(vec![says("done")]).await;
    let system = json!([{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}]);
    let body = request_with(json!({ "system": system }));
    case.ask(&body).await;
    let surface = json!(case.served.surface().unwrap());
    let instructions = json!([{"type": "text", "content": "Be kind."}]);
    let expected = json!({
        "status": "rendered", "system_instructions": instructions, "tool_definitions": body["tools"], "extra_segments": [],
    });
    assert_eq!(surface, expected);
}

#[tokio::test]
async fn tools_of_the_provider_are_not_called_by_a_script() {
    let case = Case::of(vec![ReferenceDecision::calls([ReferenceToolCall::new(
        "web_search",
        [("query", "q".into())],
    )])])
    .await;
    let body = request_with(json!({"tools": [{"type": "web_search_20260318", "name": "web_search"}]}));
    let response = case.post(&body).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let error: Value = response.json().await.unwrap();
    let message = error["error"]["message"].as_str().unwrap();
    assert!(message.contains("no offered tool has that name"), "{message}");
}
