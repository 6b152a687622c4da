//! Conversations that the provider keeps, so that clients send only what is new.

use reqwest::StatusCode;
use serde_json::{Value, json};
use windtunnel_api::Evidence;

use crate::harness::{Case, calls, request_with, says};

/// A request that goes on from an answer: without tools and system prompt, which the thread has.
fn goes_on(from: &Value, messages: &Value) -> Value {
    let thread = json!({"type": "continue", "previous_message_id": from});
    json!({"model": "claude-test", "max_tokens": 1024, "messages": messages, "thread": thread})
}

#[tokio::test]
async fn a_thread_keeps_its_messages_and_its_tools() {
    let case = Case::of(vec![calls(), calls(), says("done")]).await;
    let mut answer = case.ask(&request_with(json!({"thread": {"type": "create"}}))).await;
    let mut expected = vec![json!({"role": "user", "content": "How many orders?"})];
    for _ in 0..2 {
        let results: Vec<Value> = answer["content"]
            .as_array()
            .unwrap()
            .iter()
            .map(|call| json!({"type": "tool_result", "tool_use_id": call["id"], "content": "75"}))
            .collect();
        let message = json!({"role": "user", "content": results});
        expected.extend([json!({"role": "assistant", "content": answer["content"]}), message.clone()]);
        answer = case.ask(&goes_on(&answer["id"], &json!([message]))).await;
    }
    assert_eq!(answer["content"][0]["text"], "done");
    let seen = case.served.drain_evidence().unwrap();
    let Some(Evidence::Inference { messages, tools, .. }) = seen.last().map(|entry| &entry.value) else {
        panic!("{seen:?}")
    };
    assert_eq!((messages, tools.as_slice()), (&expected, &["lookup".to_owned()][..]));
    assert!(case.served.progress().is_exact());
}

#[tokio::test]
async fn a_thread_that_is_not_known_is_told_so_and_violates_nothing() {
    let case = Case::of(vec![says("done")]).await;
    let response = case.post(&goes_on(&json!("msg_wt_7"), &json!([]))).await;
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    let error: Value = response.json().await.unwrap();
    assert_eq!(error["error"]["type"], "not_found_error");
    assert_eq!(error["error"]["details"]["error_code"], "thread_not_found");
    assert!(case.served.progress().violations.is_empty());
}

#[tokio::test]
async fn an_answer_outside_of_threads_is_not_kept() {
    let case = Case::of(vec![says("one"), says("two")]).await;
    let answer = case.ask(&request_with(json!({}))).await;
    assert_eq!(case.post(&goes_on(&answer["id"], &json!([]))).await.status(), StatusCode::NOT_FOUND);
}
