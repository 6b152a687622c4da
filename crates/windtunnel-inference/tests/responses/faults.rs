//! What goes wrong, in the words of this wire.

use serde_json::{Value, json};
use windtunnel_api::{FaultKind, InferenceFault, ReferenceDecision};

use crate::harness::{Case, Events, everything, request, says, streamed};

fn faulty(fault: InferenceFault) -> ReferenceDecision {
    ReferenceDecision { faults: vec![fault], ..says("A long answer that is given in the end.") }
}

async fn case_of(kind: FaultKind) -> Case {
    Case::of(vec![faulty(InferenceFault { message: Some("on fire".to_owned()), ..InferenceFault::of(kind) })])
        .await
}

fn on_fire() -> Value {
    json!({"code": "server_error", "message": "on fire", "param": null, "type": "server_error"})
}

#[tokio::test]
async fn a_truncated_answer_is_incomplete_and_says_why() {
    let case = case_of(FaultKind::Truncated).await;
    let events = case.stream(&streamed()).await;
    let response = &events.last()["response"];
    assert_eq!(events.last()["type"], "response.incomplete");
    assert_eq!(response["status"], "incomplete");
    assert_eq!(response["incomplete_details"], json!({"reason": "max_output_tokens"}));
    assert_eq!(response["output"][0]["status"], "incomplete");
    let part = events.joined("output_text.delta");
    assert!(!part.is_empty() && "A long answer that is given in the end.".starts_with(&part));
    assert!(part.len() < "A long answer that is given in the end.".len());

    let whole = case_of(FaultKind::Truncated).await.ask(&request()).await;
    assert_eq!(whole["incomplete_details"], response["incomplete_details"]);
    assert_eq!(whole["output"], response["output"]);
    assert_eq!(case.ask(&request()).await["status"], "completed", "the decision still waits");
}

#[tokio::test]
async fn a_failure_comes_after_half_of_the_stream_as_response_failed() {
    let case = Case::of(vec![ReferenceDecision {
        faults: vec![InferenceFault {
            message: Some("on fire".to_owned()),
            ..InferenceFault::of(FaultKind::StreamError)
        }],
        ..everything()
    }])
    .await;
    let events = case.stream(&streamed()).await;
    let last = events.last();
    assert_eq!(last["type"], "response.failed");
    assert_eq!(last["response"]["status"], "failed");
    assert_eq!(last["response"]["error"], on_fire());
    assert!(!events.named("output_item.done").is_empty() && events.named("completed").is_empty());
    assert_eq!(case.stream(&streamed()).await.last()["type"], "response.completed");
}

#[tokio::test]
async fn a_failure_of_a_whole_answer_is_a_response_of_status_200_that_failed() {
    let failed = case_of(FaultKind::StreamError).await.ask(&request()).await;
    assert_eq!((&failed["status"], &failed["output"]), (&json!("failed"), &json!([])));
    assert_eq!(failed["error"], on_fire());
}

#[tokio::test]
async fn an_error_status_has_the_providers_body() {
    for (status, kind, code) in [
        (429, "requests", json!("rate_limit_exceeded")),
        (500, "server_error", Value::Null),
        (400, "invalid_request_error", Value::Null),
    ] {
        let case = Case::of(vec![faulty(InferenceFault::status(status))]).await;
        let response = case.post(&streamed()).await;
        assert_eq!(
            (response.status().as_u16(), response.headers()["content-type"].as_bytes()),
            (status, &b"application/json"[..])
        );
        let error = response.json::<Value>().await.unwrap()["error"].clone();
        assert_eq!((&error["type"], &error["code"]), (&json!(kind), &code));
    }
}

/// What arrives of a stream before it breaks off, and whether it does.
async fn received(case: &Case) -> (String, bool) {
    let mut response = case.post(&streamed()).await;
    let mut raw = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => raw.extend(chunk),
            end => return (String::from_utf8(raw).unwrap(), end.is_err()),
        }
    }
}

#[tokio::test]
async fn a_cut_stream_breaks_off_in_the_middle_of_what_was_flushed() {
    let (raw, broken) = received(&case_of(FaultKind::Cut).await).await;
    assert!(broken, "a clean end would be taken for a whole answer");
    let events = Events::of(&raw);
    assert_eq!(events.names()[..2], ["created", "in_progress"]);
    assert!(events.named("completed").is_empty());
}

#[tokio::test]
async fn a_malformed_stream_has_a_frame_that_is_no_json_and_ends_cleanly() {
    let (raw, broken) = received(&case_of(FaultKind::Malformed).await).await;
    assert!(!broken);
    let (before, frame) = raw.trim_end().rsplit_once("\n\n").unwrap();
    assert!(Events::of(before).0.len() > 2);
    let data = frame.rsplit_once("data: ").unwrap().1;
    assert!(serde_json::from_str::<Value>(data).is_err(), "{data}");
}
