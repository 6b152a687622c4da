//! Faults within an answer, byte by byte: what goes out before, and how the connection ends.

use std::time::Duration;

use serde_json::{Value, json};
use windtunnel_api::{FaultKind, InferenceFault, ReferenceDecision};

use crate::harness::{Case, calls, request, request_with, says};
use crate::raw::{Answer, Ended, RawConnection};

const CHAT: &str = "/chat/completions";

/// A path, a request for it, and a part of a streamed answer that stands near its begin.
fn wires() -> [(&'static str, Value, &'static str); 3] {
    let user = json!([{"role": "user", "content": "How many orders?"}]);
    [
        (CHAT, json!({"model": "m", "messages": user}), "\"role\":\"assistant\""),
        ("/responses", json!({"model": "m", "input": user}), "response.created"),
        ("/messages", json!({"model": "m", "max_tokens": 99, "messages": user}), "message_start"),
    ]
}

fn streamed(mut body: Value) -> Value {
    body["stream"] = true.into();
    body
}

const LONG: &str =
    "Seventy-five orders came in last week, twelve of them from new customers, and none was late.";

fn faulty(kind: FaultKind) -> ReferenceDecision {
    ReferenceDecision { faults: vec![InferenceFault::of(kind)], ..says(LONG) }
}

async fn broken(kind: FaultKind, path: &str, body: &Value) -> (Case, Answer) {
    let case = Case::of(vec![faulty(kind)]).await;
    let answer = RawConnection::to(&case).await.ask(path, body).await;
    (case, answer)
}

/// The decision comes to an equal body, without a word about a retry.
async fn then_the_decision_comes(case: &Case, path: &str, body: &Value) {
    let answer = RawConnection::to(case).await.ask(path, body).await;
    assert_eq!((answer.status, answer.ended), (Some(200), Ended::Well), "{path}");
    assert!(case.served.progress().is_exact(), "{:?}", case.served.progress());
}

#[tokio::test]
async fn a_disconnect_closes_the_connection_before_any_byte_of_an_answer() {
    for (path, body, _) in wires() {
        let (case, answer) = broken(FaultKind::Disconnect, path, &body).await;
        assert_eq!((answer.bytes.len(), answer.ended), (0, Ended::Closed));
        then_the_decision_comes(&case, path, &body).await;
    }
}

#[tokio::test]
async fn a_cut_stream_has_about_half_of_its_events_and_no_last_chunk() {
    for (path, body, begin) in wires() {
        let body = streamed(body);
        let (case, cut) = broken(FaultKind::Cut, path, &body).await;
        assert_eq!((cut.status, cut.ended), (Some(200), Ended::Closed), "{path}");
        assert!(cut.text().contains(begin), "{path}: {}", cut.text());
        let whole = RawConnection::to(&case).await.ask(path, &body).await;
        let (some, all) = (cut.events().len(), whole.events().len());
        assert!((all / 3..=2 * all / 3).contains(&some), "{path}: {some} of {all} events");
        assert_eq!(cut.chunks, some, "{path}: each event was flushed before the next");
        assert!(case.served.progress().is_exact());
    }
}

#[tokio::test]
async fn a_cut_document_promises_a_length_that_does_not_come() {
    for (path, body, _) in wires() {
        let (case, cut) = broken(FaultKind::Cut, path, &body).await;
        assert_eq!((cut.status, cut.ended), (Some(200), Ended::Closed), "{path}");
        let promised: usize = cut.header("content-length").unwrap().parse().unwrap();
        assert_eq!(cut.body.len(), promised / 2, "{path}");
        then_the_decision_comes(&case, path, &body).await;
    }
}

#[tokio::test]
async fn a_stall_begins_and_then_nothing_comes_until_the_client_gives_up() {
    for (path, body, begin) in wires() {
        for body in [body.clone(), streamed(body)] {
            let case = Case::of(vec![faulty(FaultKind::Stall)]).await;
            let mut connection = RawConnection::to(&case).await;
            let stalled = connection.ask_for(path, &body, Duration::from_millis(300)).await;
            assert_eq!((stalled.status, stalled.ended), (Some(200), Ended::NotYet), "{path}");
            assert!(!stalled.body.is_empty() && (body["stream"] != true || stalled.text().contains(begin)));
            drop(connection);
            then_the_decision_comes(&case, path, &body).await;
        }
    }
}

#[tokio::test]
async fn a_malformed_answer_ends_well_and_is_no_json() {
    for (path, body, _) in wires() {
        let (case, whole) = broken(FaultKind::Malformed, path, &body).await;
        assert_eq!((whole.status, whole.ended), (Some(200), Ended::Well), "{path}");
        assert!(whole.text().starts_with('{') && serde_json::from_str::<Value>(&whole.text()).is_err());
        then_the_decision_comes(&case, path, &body).await;

        let (_, stream) = broken(FaultKind::Malformed, path, &streamed(body)).await;
        assert_eq!((stream.status, stream.ended), (Some(200), Ended::Well), "{path}");
        let events = stream.events();
        let (last, before) = events.split_last().unwrap();
        let data = |event: &str| {
            let data = event.lines().find_map(|line| line.strip_prefix("data: ")).unwrap().to_owned();
            serde_json::from_str::<Value>(&data)
        };
        assert!(data(last).is_err(), "{path}: {last}");
        assert!(before.iter().all(|event| data(event).is_ok()), "{path}");
    }
}

#[tokio::test]
async fn an_error_in_a_stream_comes_in_its_middle_and_in_the_words_of_the_wire() {
    for (path, body, begin) in wires() {
        let body = streamed(body);
        let (case, answer) = broken(FaultKind::StreamError, path, &body).await;
        assert_eq!((answer.status, answer.ended), (Some(200), Ended::Well), "{path}");
        let text = answer.text();
        assert!(text.contains(begin) && !text.contains("[DONE]"), "{path}: {text}");
        assert!(text.contains("(scripted)"), "{path}: {text}");

        then_the_decision_comes(&case, path, &body).await;
    }
    let (_, chat) = broken(FaultKind::StreamError, CHAT, &request_with(json!({"stream": true}))).await;
    insta::assert_snapshot!(chat.events().last().unwrap(), @r#"data: {"error":{"message":"Internal Server Error (scripted)","type":"server_error","param":null,"code":null}}"#);
}

#[tokio::test]
async fn an_error_in_place_of_a_document_has_a_status_of_its_own() {
    for (path, status) in [(CHAT, 500), ("/messages", 529), ("/responses", 200)] {
        let (_, body, _) = wires().into_iter().find(|(wire, ..)| *wire == path).unwrap();
        let (case, answer) = broken(FaultKind::StreamError, path, &body).await;
        assert_eq!((answer.status, answer.ended), (Some(status), Ended::Well), "{path}");
        then_the_decision_comes(&case, path, &body).await;
    }
}

#[tokio::test]
async fn a_truncated_answer_says_that_its_length_is_used_up() {
    for (path, body, _) in wires() {
        for body in [body.clone(), streamed(body)] {
            let (case, answer) = broken(FaultKind::Truncated, path, &body).await;
            assert_eq!((answer.status, answer.ended), (Some(200), Ended::Well), "{path}");
            let said = match path {
                CHAT => "\"finish_reason\":\"length\"",
                "/responses" => "\"incomplete_details\":{\"reason\":\"max_output_tokens\"}",
                _ => "\"stop_reason\":\"max_tokens\"",
            };
            assert!(answer.text().contains(said), "{path}: {}", answer.text());
            then_the_decision_comes(&case, path, &body).await;
        }
    }
    let (_, whole) = broken(FaultKind::Truncated, CHAT, &request()).await;
    let whole: Value = serde_json::from_str(&whole.text()).unwrap();
    assert_eq!(whole["choices"][0]["message"]["content"], LONG[..LONG.len() / 2]);
}

#[tokio::test]
async fn calls_are_cut_in_their_arguments_like_text() {
    let faults = vec![InferenceFault::of(FaultKind::Truncated)];
    let case = Case::of(vec![ReferenceDecision { faults, ..calls() }]).await;
    let answer = case.ask(&request()).await;
    let choice = &answer["choices"][0];
    assert_eq!(choice["finish_reason"], "length");
    let arguments = choice["message"]["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
    assert!(arguments.starts_with("{\"id\":\"a rather") && serde_json::from_str::<Value>(arguments).is_err());
}

#[tokio::test]
async fn several_faults_come_one_by_one_before_their_decision() {
    let kinds = [FaultKind::Cut, FaultKind::Disconnect, FaultKind::Truncated];
    let faults = kinds.map(InferenceFault::of).to_vec();
    let case = Case::of(vec![ReferenceDecision { faults, ..says(LONG) }]).await;
    let mut seen = Vec::new();
    for _ in 0..4 {
        let answer = RawConnection::to(&case).await.ask(CHAT, &request()).await;
        seen.push((answer.status, answer.ended, answer.text().contains("\"length\"")));
    }
    let expected = [
        (Some(200), Ended::Closed, false),
        (None, Ended::Closed, false),
        (Some(200), Ended::Well, true),
        (Some(200), Ended::Well, false),
    ];
    assert_eq!(seen, expected);
    assert!(case.served.progress().is_exact());
}
