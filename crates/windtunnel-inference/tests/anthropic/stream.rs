//! Streamed answers.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use windtunnel_api::ReferenceDecision;

use crate::harness::{Case, calls, of_type, says, streamed, thinks};

#[tokio::test]
async fn every_event_has_its_name_and_the_stream_ends_with_message_stop() {
    let case = Case::of(vec![says("done")]).await;
    let response = case.post(&streamed()).await;
    let raw = response.text().await.unwrap();
    assert!(raw.split_terminator("\n\n").all(|event| event.starts_with("event: ")), "{raw}");
    assert!(!raw.contains("[DONE]"));
    assert!(raw.ends_with("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"));
}

#[tokio::test]
async fn usage_is_in_the_first_event_and_cumulative_in_the_last() {
    let case = Case::of(vec![says("75 orders in all")]).await;
    let events = case.stream(&streamed()).await;
    let start = &events[0]["message"]["usage"];
    let end = &of_type(&events, "message_delta")[0]["usage"];
    assert!(start["input_tokens"].as_u64().unwrap() > 10);
    assert_eq!(start["output_tokens"], 1);
    assert_eq!(end["input_tokens"], start["input_tokens"]);
    assert!(end["output_tokens"].as_u64().unwrap() > 1);
}

#[tokio::test]
async fn the_message_starts_empty() {
    let events = Case::of(vec![says("done")]).await.stream(&streamed()).await;
    let mut start = events[0]["message"].clone();
    start.as_object_mut().unwrap().remove("usage");
    let expected = json!({
        "id": "msg_wt_1", "type": "message", "role": "assistant", "model": "claude-test",
        "content": [], "stop_reason": null, "stop_sequence": null, "stop_details": null,
    });
    assert_eq!(start, expected);
}

#[tokio::test]
async fn the_reason_to_stop_comes_once_before_the_end() {
    let refused = ReferenceDecision { refusal: true, ..says("I will not.") };
    let case = Case::of(vec![calls(), refused, says("done")]).await;
    for reason in ["tool_use", "refusal", "end_turn"] {
        let events = case.stream(&streamed()).await;
        let [.., delta, stop] = &events[..] else { panic!("{events:?}") };
        assert_eq!((&delta["type"], &stop["type"]), (&json!("message_delta"), &json!("message_stop")));
        assert_eq!(delta["delta"]["stop_reason"], reason);
        assert_eq!(of_type(&events, "message_delta").len(), 1);
    }
}

#[tokio::test]
async fn blocks_are_open_one_at_a_time_and_their_index_rises_from_zero() {
    let decision = ReferenceDecision { content: Some("Let me look.".to_owned()), ..calls() };
    let events = Case::of(vec![thinks("Orders live in the CRM.", decision)]).await.stream(&streamed()).await;
    let mut open: Option<u64> = None;
    let mut started = Vec::new();
    let mut with_deltas = BTreeSet::new();
    for event in &events {
        let index = event["index"].as_u64();
        match event["type"].as_str().unwrap() {
            "content_block_start" => {
                assert_eq!((open, index), (None, Some(started.len() as u64)));
                open = index;
                started.push(event["content_block"]["type"].as_str().unwrap());
            }
            "content_block_delta" => {
                assert_eq!(index, open);
                with_deltas.insert(index);
            }
            "content_block_stop" => assert_eq!(open.take(), index),
            _ => assert_eq!((open, index), (None, None)),
        }
    }
    assert_eq!(started, ["thinking", "text", "tool_use", "tool_use"]);
    assert_eq!(with_deltas.len(), 4);
}

#[tokio::test]
async fn tool_calls_start_with_an_empty_input_and_their_pieces_join_to_json() {
    let events = Case::of(vec![calls()]).await.stream(&streamed()).await;
    for (index, arguments) in ["{\"id\":\"a rather long identifier of an order\"}", "{}"].iter().enumerate() {
        let start = of_type(&events, "content_block_start")[index];
        let block = json!({"type": "tool_use", "id": format!("toolu_wt_1_{}", index + 1), "name": "lookup", "input": {}});
        assert_eq!(start["content_block"], block);
        let pieces: Vec<&str> = of_type(&events, "content_block_delta")
            .into_iter()
            .filter(|event| event["index"] == index)
            .map(|event| {
                assert_eq!(event["delta"]["type"], "input_json_delta");
                event["delta"]["partial_json"].as_str().unwrap()
            })
            .collect();
        assert_eq!(pieces.concat(), *arguments);
        assert_eq!(pieces.len() > 1, index == 0, "long arguments come in pieces");
    }
}

#[tokio::test]
async fn thinking_starts_unsigned_and_its_signature_is_the_last_delta() {
    let events = Case::of(vec![thinks("Orders live in the CRM. ".repeat(9).trim(), says("75"))])
        .await
        .stream(&streamed())
        .await;
    let start = of_type(&events, "content_block_start")[0];
    assert_eq!(start["content_block"], json!({"type": "thinking", "thinking": "", "signature": ""}));
    let deltas: Vec<&Value> = of_type(&events, "content_block_delta")
        .into_iter()
        .filter(|event| event["index"] == 0)
        .map(|event| &event["delta"])
        .collect();
    let (last, thinking) = deltas.split_last().unwrap();
    assert_eq!(last["type"], "signature_delta");
    assert!(!last["signature"].as_str().unwrap().is_empty());
    let text: String = thinking.iter().map(|delta| delta["thinking"].as_str().unwrap()).collect();
    assert_eq!(text, "Orders live in the CRM. ".repeat(9).trim());
}

#[tokio::test]
async fn text_is_cut_only_where_characters_end() {
    let text = "Grüße 😀👨‍👩‍👧 ".repeat(300);
    let events = Case::of(vec![says(&text)]).await.stream(&streamed()).await;
    let deltas = of_type(&events, "content_block_delta");
    assert!(deltas.len() > 10);
    let pieces: String = deltas.iter().map(|event| event["delta"]["text"].as_str().unwrap()).collect();
    assert_eq!(pieces, text);
}

#[tokio::test]
async fn an_answer_as_clients_see_it() {
    let decision = ReferenceDecision { content: Some("Let me look.".to_owned()), ..calls() };
    let case = Case::of(vec![thinks("Orders live in the CRM.", decision)]).await;
    insta::assert_snapshot!("streamed_answer", case.post(&streamed()).await.text().await.unwrap());
}
