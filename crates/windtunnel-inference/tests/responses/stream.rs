//! What clients read in a stream, rule by rule.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use windtunnel_api::ReferenceDecision;

use crate::harness::{Case, Events, calls, everything, refuses, request, request_with, says, streamed};

async fn events_of(decision: ReferenceDecision) -> Events {
    Case::of(vec![decision]).await.stream(&streamed()).await
}

#[tokio::test]
async fn a_stream_starts_with_created_and_in_progress_and_ends_with_completed() {
    for decision in [says("done"), calls(), everything(), refuses()] {
        let events = events_of(decision).await;
        let names = events.names();
        assert_eq!(names[..2], ["created", "in_progress"]);
        assert_eq!(names.last(), Some(&"completed"));
        for event in &events.0[..2] {
            assert_eq!(
                (&event["response"]["status"], &event["response"]["usage"]),
                (&json!("in_progress"), &Value::Null)
            );
            assert_eq!(event["response"]["output"], json!([]));
        }
        assert_eq!(events.last()["response"]["status"], "completed");
    }
}

#[tokio::test]
async fn every_kind_of_item_comes_in_the_order_that_typed_clients_build_it_from() {
    let events = events_of(everything()).await;
    let call = [
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
    ];
    let mut expected = vec!["created", "in_progress"];
    expected.extend(["output_item.added", "reasoning_summary_part.added", "reasoning_summary_text.delta"]);
    expected.extend(["reasoning_summary_text.done", "reasoning_summary_part.done", "output_item.done"]);
    expected.extend(["output_item.added", "content_part.added", "output_text.delta"]);
    expected.extend(["output_text.done", "content_part.done", "output_item.done"]);
    expected.extend(call);
    expected.extend(call);
    expected.push("completed");
    assert_eq!(events.names(), expected);

    let refusal = events_of(refuses()).await;
    assert_eq!(
        refusal.names()[3..],
        [
            "content_part.added",
            "refusal.delta",
            "refusal.done",
            "content_part.done",
            "output_item.done",
            "completed"
        ]
    );
}

#[tokio::test]
async fn an_item_is_added_empty_and_done_in_full() {
    let events = events_of(everything()).await;
    let added: Vec<&Value> = events.named("output_item.added").iter().map(|event| &event["item"]).collect();
    assert_eq!(added[0]["summary"], json!([]));
    assert_eq!((&added[1]["content"], &added[1]["status"]), (&json!([]), &json!("in_progress")));
    assert_eq!((&added[2]["arguments"], &added[2]["name"]), (&json!(""), &json!("lookup")));
    let done: Vec<&Value> = events.named("output_item.done").iter().map(|event| &event["item"]).collect();
    assert_eq!(done[0]["summary"][0]["text"], "Orders have to be looked up one by one.");
    assert_eq!(done[1]["content"][0]["text"], "Let me look.");
    assert_eq!(done[2]["arguments"], "{\"id\":\"a rather long identifier of an order\"}");
    assert_eq!(done[3]["arguments"], "{}", "no arguments are an empty object, not an empty string");
    for (added, done) in added.iter().zip(&done) {
        assert_eq!((&added["id"], &added["type"]), (&done["id"], &done["type"]));
    }
}

#[tokio::test]
async fn the_response_at_the_end_repeats_every_item() {
    let events = events_of(everything()).await;
    let done: Vec<Value> =
        events.named("output_item.done").iter().map(|event| event["item"].clone()).collect();
    assert_eq!(events.last()["response"]["output"], Value::from(done));
}

#[tokio::test]
async fn every_event_about_an_item_says_which_and_where() {
    let events = events_of(everything()).await;
    let mut seen = BTreeSet::new();
    for event in events.0.iter().filter(|event| event.get("response").is_none()) {
        let index = usize::try_from(event["output_index"].as_u64().unwrap()).unwrap();
        let id = event.get("item_id").or_else(|| event["item"].get("id")).unwrap();
        assert_eq!(id, &events.last()["response"]["output"][index]["id"], "{event}");
        seen.insert(index);
        let name = event["type"].as_str().unwrap();
        let of_part = name.contains("content_part") || name.contains("output_text");
        assert_eq!(event.get("content_index"), of_part.then_some(&json!(0)), "{event}");
        assert_eq!(event.get("summary_index"), name.contains("summary").then_some(&json!(0)), "{event}");
    }
    assert_eq!(seen, BTreeSet::from([0, 1, 2, 3]));
}

#[tokio::test]
async fn pieces_join_to_what_the_done_events_say() {
    let text = "Grüße 😀👨‍👩‍👧 ".repeat(300);
    let decision = ReferenceDecision { content: Some(text.clone()), ..everything() };
    let events = events_of(decision).await;
    assert_eq!(events.joined("output_text.delta"), text);
    assert!(events.named("output_text.delta").len() > 10, "a long text comes in pieces");
    assert_eq!(events.named("output_text.done")[0]["text"], text.as_str());
    assert_eq!(events.joined("reasoning_summary_text.delta"), "Orders have to be looked up one by one.");
    let whole: String = events
        .named("function_call_arguments.done")
        .iter()
        .map(|event| event["arguments"].as_str().unwrap())
        .collect();
    assert_eq!(events.joined("function_call_arguments.delta"), whole);
    let refusal = events_of(refuses()).await;
    assert_eq!(refusal.named("refusal.done")[0]["refusal"], refusal.joined("refusal.delta").as_str());
}

#[tokio::test]
async fn stream_in_the_body_decides_and_not_the_accept_header() {
    let case = Case::of(vec![says("one"), says("two"), says("three")]).await;
    let url = format!("{}/responses", case.served.base_url());
    for (body, accept, expected) in [
        (streamed(), "application/json", "text/event-stream"),
        (request_with(json!({"stream": false})), "text/event-stream", "application/json"),
        (request(), "*/*", "application/json"),
    ] {
        let response = case.http.post(&url).json(&body).header("accept", accept).send().await.unwrap();
        assert_eq!(response.headers()["content-type"], expected);
        response.bytes().await.unwrap();
    }
}

#[tokio::test]
async fn a_streamed_answer_as_clients_see_it() {
    let case = Case::of(vec![everything()]).await;
    let response = case.post(&request_with(json!({"stream": true, "store": false}))).await;
    insta::assert_snapshot!("streamed_answer", response.text().await.unwrap());
}
