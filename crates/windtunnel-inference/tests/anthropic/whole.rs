//! Answers in one document.

use serde_json::{Value, json};
use windtunnel_api::ReferenceDecision;

use crate::harness::{Case, calls, request, request_with, says, streamed, thinks};

#[tokio::test]
async fn an_answer_as_clients_see_it() {
    let decision = ReferenceDecision { content: Some("Let me look.".to_owned()), ..calls() };
    let case = Case::of(vec![thinks("Orders live in the CRM.", decision)]).await;
    insta::assert_json_snapshot!("whole_answer", case.ask(&request()).await);
}

#[tokio::test]
async fn the_reason_to_stop_fits_the_blocks() {
    let refused = ReferenceDecision { refusal: true, ..says("I will not.") };
    let case = Case::of(vec![calls(), refused, says("done")]).await;
    let answers = [case.ask(&request()).await, case.ask(&request()).await, case.ask(&request()).await];
    assert_eq!(answers.each_ref().map(|answer| &answer["stop_reason"]), ["tool_use", "refusal", "end_turn"]);
    assert_eq!(answers[1]["content"], json!([{"type": "text", "text": "I will not."}]));
    assert_eq!(answers[1]["stop_details"]["type"], "refusal");
    assert_eq!(answers[2]["stop_details"], Value::Null);
}

#[tokio::test]
async fn a_text_block_has_no_citations_not_even_as_null() {
    let answer = Case::of(vec![says("done")]).await.ask(&request()).await;
    assert_eq!(answer["content"], json!([{"type": "text", "text": "done"}]));
}

#[tokio::test]
async fn stream_in_the_body_decides_and_not_the_accept_header() {
    let case = Case::of(vec![says("one"), says("two"), says("three")]).await;
    for (body, accept, expected) in [
        (streamed(), "application/json", "text/event-stream"),
        (request_with(json!({"stream": false})), "text/event-stream", "application/json"),
        (request(), "*/*", "application/json"),
    ] {
        let request = case.http.post(case.url("/v1/messages")).header("accept", accept).json(&body);
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["content-type"], expected);
        response.bytes().await.unwrap();
    }
}

#[tokio::test]
async fn ids_are_unique_per_answer_and_the_same_for_every_case() {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let case = Case::of(vec![thinks("CRM.", calls()), says("done")]).await;
        runs.push([case.ask(&request()).await, case.ask(&request()).await]);
    }
    assert_eq!(runs[0], runs[1], "ids, signatures and usage are the case's");
    assert_ne!(runs[0][0]["id"], runs[0][1]["id"]);
}

#[tokio::test]
async fn the_system_prompt_is_a_system_message_for_asides() {
    let aside = json!([{"pattern": {"messages": [{"role": "system", "content": "^Generate a title"}]}, "content": "Title"}]);
    let case = Case::with_asides(vec![says("done")], aside).await;
    for system in [json!("Generate a title"), json!([{"type": "text", "text": "Generate a title"}])] {
        let answer = case.ask(&request_with(json!({ "system": system }))).await;
        assert_eq!(answer["content"][0]["text"], "Title");
    }
    assert_eq!(case.ask(&request_with(json!({"system": "Be kind."}))).await["content"][0]["text"], "done");
    let progress = case.served.progress();
    assert_eq!((progress.asides, progress.consumed), (2, 1));
}
