//! Faults, retries, and requests beyond the script.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use windtunnel_api::{Evidence, InferenceFault, ReferenceDecision};

use crate::harness::{Case, calls, request, request_with, says};

fn faulty(faults: Vec<InferenceFault>) -> ReferenceDecision {
    ReferenceDecision { faults, ..says("done") }
}

fn fault(status: u16, retry_after: Option<f64>) -> InferenceFault {
    InferenceFault { retry_after, ..InferenceFault::status(status) }
}

#[tokio::test]
async fn asking_beyond_the_script_is_a_400_that_is_not_to_be_retried() {
    let case = Case::of(vec![says("done")]).await;
    case.ask(&request()).await;
    let response = case.post(&request(), &[]).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(response.headers()["x-should-retry"], "false");
    insta::assert_snapshot!(response.text().await.unwrap(), @r#"{"error":{"message":"the script has no answer: asked for decision 2 of 1","type":"invalid_request_error","param":null,"code":null}}"#);
    assert_eq!(case.served.progress().violations, ["asked for decision 2 of 1"]);
}

#[tokio::test]
async fn a_tool_that_is_not_offered_is_a_400_that_lists_what_was() {
    let case = Case::of(vec![calls()]).await;
    let body = json!({"model": "m", "messages": [], "tools": [{"type": "function", "function": {"name": "client_lookup"}}]});
    assert_eq!(case.post(&body, &[]).await.status(), StatusCode::BAD_REQUEST);
    let progress = case.served.progress();
    assert_eq!(progress.consumed, 0);
    insta::assert_snapshot!(progress.violations[0], @"decision 1 calls `lookup`, but no offered tool has that name; the request offers client_lookup");
}

#[tokio::test]
async fn scripted_names_go_out_as_the_agent_offers_them() {
    let case = Case::of(vec![calls()]).await;
    let tool = json!({"type": "function", "function": {"name": "mcp__crm__lookup"}});
    let answer = case.ask(&json!({"model": "m", "messages": [], "tools": [tool]})).await;
    assert_eq!(answer["choices"][0]["message"]["tool_calls"][0]["function"]["name"], "mcp__crm__lookup");
}

#[tokio::test]
async fn faults_carry_their_status_and_their_wait_and_the_retry_gets_the_decision() {
    let case =
        Case::of(vec![faulty(vec![fault(429, Some(2.0)), fault(503, Some(0.25)), fault(529, None)])]).await;
    for (count, status, retry_after, ms) in
        [("0", 429, Some("2"), None), ("1", 503, Some("0.25"), Some("250")), ("2", 529, None, None)]
    {
        let response = case.post(&request(), &[("x-stainless-retry-count", count)]).await;
        assert_eq!(response.status(), status);
        let header =
            |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(header("retry-after").as_deref(), retry_after);
        assert_eq!(header("retry-after-ms").as_deref(), ms);
        assert_eq!(header("x-should-retry"), None, "the client decides");
        let error: Value = response.json().await.unwrap();
        assert!(error["error"]["message"].is_string() && error["error"]["type"].is_string(), "{error}");
    }
    let answer = case.post(&request(), &[("x-stainless-retry-count", "3")]).await;
    assert_eq!(answer.json::<Value>().await.unwrap()["choices"][0]["message"]["content"], "done");
    assert!(case.served.progress().is_exact());
}

#[tokio::test]
async fn a_retry_header_with_an_equal_body_gets_the_same_answer_again() {
    let case = Case::of(vec![says("one"), says("two")]).await;
    let first = case.ask(&request()).await;
    let again =
        case.post(&request(), &[("x-stainless-retry-count", "1")]).await.json::<Value>().await.unwrap();
    assert_eq!(again, first);
    assert_eq!(case.served.progress().consumed, 1);
}

#[tokio::test]
async fn an_equal_body_without_a_retry_header_advances() {
    let case = Case::of(vec![says("one"), says("two")]).await;
    for expected in ["one", "two"] {
        let response = case.post(&request(), &[("x-stainless-retry-count", "0")]).await;
        assert_eq!(response.json::<Value>().await.unwrap()["choices"][0]["message"]["content"], expected);
    }
    assert!(case.served.progress().is_exact());
}

#[tokio::test]
async fn a_client_that_lost_its_answer_gets_it_again_without_using_a_decision() {
    // Larger than all buffers between the two ends, so that the answer cannot be on its way as a whole.
    let long = "x".repeat(24 * 1024 * 1024);
    let case = Case::of(vec![says(&long), says("two")]).await;
    let body = request_with(json!({"stream": true})).to_string();
    let (address, path) = case.served.base_url().strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut socket = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /{path}/chat/completions HTTP/1.1\r\nhost: {address}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    socket.read_exact(&mut [0; 4096]).await.unwrap();
    drop(socket);
    tokio::time::sleep(Duration::from_millis(50)).await;

    let events = case.stream(&serde_json::from_str(&body).unwrap()).await;
    let text: usize = events
        .iter()
        .filter_map(|event| event["choices"][0]["delta"]["content"].as_str())
        .map(str::len)
        .sum();
    assert_eq!(text, long.len());
    assert_eq!(case.served.progress().consumed, 1);

    let next = case.stream(&serde_json::from_str(&body).unwrap()).await;
    assert_eq!(next[1]["choices"][0]["delta"]["content"], "two", "once delivered, an equal body advances");
}

#[tokio::test]
async fn a_client_that_hangs_up_after_the_last_event_has_its_answer() {
    let case = Case::of(vec![says("one"), says("two")]).await;
    let body = request_with(json!({"stream": true}));
    let mut response = case.post(&body, &[]).await;
    let mut raw = Vec::new();
    while !raw.ends_with(b"[DONE]\n\n") {
        raw.extend(response.chunk().await.unwrap().unwrap());
    }
    drop(response);
    assert_eq!(case.stream(&body).await[1]["choices"][0]["delta"]["content"], "two");
}

#[tokio::test]
async fn evidence_shows_what_was_really_sent_and_marks_retries() {
    let case = Case::of(vec![says("one")]).await;
    case.ask(&request()).await;
    case.post(&request(), &[("x-stainless-retry-count", "1")]).await.bytes().await.unwrap();
    case.post(&request(), &[]).await.bytes().await.unwrap();
    let seen = case.served.drain_evidence().unwrap();
    assert!(seen.is_sorted_by_key(|entry| entry.stamp));
    let decisions: Vec<&Value> = seen
        .iter()
        .map(|entry| match &entry.value {
            Evidence::Inference { wire, model, messages, tools, decision } => {
                assert_eq!((wire.as_str(), model.as_str()), ("openai-chat", "gpt-test"));
                assert_eq!(Value::from(messages.clone()), request()["messages"]);
                assert_eq!(tools, &["lookup"]);
                decision
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [
        json!({"content": "one"}),
        json!({"content": "one", "retry": true}),
        json!({"refused": "asked for decision 2 of 1"}),
    ];
    assert_eq!(decisions, expected.iter().collect::<Vec<_>>());
}
