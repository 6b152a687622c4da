//! Faults as they go over this wire.

use reqwest::StatusCode;
use serde_json::{Value, json};
use windtunnel_api::{FaultKind, InferenceFault, ReferenceDecision};

use crate::harness::{Case, calls, events, of_type, request, says, streamed};

/// A case whose first request is answered with a fault.
async fn failing(fault: InferenceFault, decision: ReferenceDecision) -> Case {
    Case::of(vec![ReferenceDecision { faults: vec![fault], ..decision }]).await
}

fn long_text() -> ReferenceDecision {
    says(&"75 orders in all. ".repeat(20))
}

#[tokio::test]
async fn a_status_has_the_type_that_the_provider_gives_it_and_the_id_of_its_request() {
    for (status, kind) in [(429, "rate_limit_error"), (500, "api_error"), (529, "overloaded_error")] {
        let case = failing(InferenceFault::status(status).retry_after(1.0), says("done")).await;
        for body in [request(), streamed()] {
            let response = case.post(&body).await;
            if response.status() == StatusCode::OK {
                continue;
            }
            assert_eq!(response.status(), status);
            assert_eq!(response.headers()["retry-after"], "1");
            let id = response.headers()["request-id"].to_str().unwrap().to_owned();
            let error: Value = response.json().await.unwrap();
            assert_eq!((&error["type"], &error["error"]["type"]), (&json!("error"), &json!(kind)));
            assert_eq!(error["request_id"], *id);
        }
    }
}

#[tokio::test]
async fn an_error_in_a_stream_is_an_event_after_a_part_of_the_answer() {
    let case = failing(InferenceFault::of(FaultKind::StreamError), long_text()).await;
    let response = case.post(&streamed()).await;
    assert_eq!(response.status(), StatusCode::OK);
    let events = events(&response.text().await.unwrap());
    let (last, before) = events.split_last().unwrap();
    assert_eq!((&last["type"], &last["error"]["type"]), (&json!("error"), &json!("overloaded_error")));
    assert!(!of_type(before, "content_block_delta").is_empty());
    assert!(of_type(before, "content_block_stop").is_empty());
}

#[tokio::test]
async fn an_error_instead_of_a_whole_answer_is_one_of_an_overloaded_provider() {
    let case = failing(InferenceFault::of(FaultKind::StreamError), long_text()).await;
    let response = case.post(&request()).await;
    assert_eq!(response.status().as_u16(), 529);
    let error: Value = response.json().await.unwrap();
    assert_eq!(error["error"], json!({"type": "overloaded_error", "message": "Overloaded (scripted)"}));
}

#[tokio::test]
async fn a_malformed_event_has_a_name_so_that_clients_read_it() {
    let case = failing(InferenceFault::of(FaultKind::Malformed), long_text()).await;
    let body = case.post(&streamed()).await.text().await.unwrap();
    let last = body.split_terminator("\n\n").last().unwrap();
    let (name, data) = last.split_once('\n').unwrap();
    assert_eq!(name, "event: content_block_delta");
    assert!(serde_json::from_str::<Value>(data.strip_prefix("data: ").unwrap()).is_err());
    assert_eq!(case.ask(&request()).await["stop_reason"], "end_turn", "the next try is answered");
}

#[tokio::test]
async fn a_cut_answer_breaks_off_after_a_part_of_it() {
    for body in [request(), streamed()] {
        let case = failing(InferenceFault::of(FaultKind::Cut), long_text()).await;
        let mut response = case.post(&body).await;
        let mut bytes = Vec::new();
        let error = loop {
            match response.chunk().await {
                Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
                Ok(None) => panic!("it ends well"),
                Err(error) => break error,
            }
        };
        assert!(error.is_body() || error.is_decode() || error.is_request(), "{error:?}");
        assert!(!bytes.is_empty());
    }
}

#[tokio::test]
async fn an_answer_that_ends_for_its_length_says_max_tokens() {
    for body in [request(), streamed()] {
        let case = failing(InferenceFault::of(FaultKind::Truncated), long_text()).await;
        let response = case.post(&body).await;
        let (reason, text) = if body["stream"] == true {
            let events = events(&response.text().await.unwrap());
            let text: String = of_type(&events, "content_block_delta")
                .iter()
                .map(|event| event["delta"]["text"].as_str().unwrap())
                .collect();
            (of_type(&events, "message_delta")[0]["delta"]["stop_reason"].clone(), text)
        } else {
            let answer: Value = response.json().await.unwrap();
            (answer["stop_reason"].clone(), answer["content"][0]["text"].as_str().unwrap().to_owned())
        };
        assert_eq!(reason, "max_tokens");
        assert!(text.len() > 100 && text.len() < 300, "{text}");
    }
}

#[tokio::test]
async fn a_call_whose_arguments_are_cut_off_has_an_object_as_input_where_it_has_to() {
    let case = failing(InferenceFault::of(FaultKind::Truncated), calls()).await;
    let answer = case.ask(&request()).await;
    assert_eq!(answer["stop_reason"], "max_tokens");
    assert_eq!(answer["content"][0]["input"], json!({}));
}
