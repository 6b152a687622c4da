//! Requests that go on from an earlier answer, and those that only prepare one.

use serde_json::{Value, json};
use windtunnel_api::Evidence;

use crate::harness::{Case, calls, request, request_with, says};

#[tokio::test]
async fn an_answer_goes_on_from_an_earlier_one_with_everything_said_before() {
    let case = Case::of(vec![calls(), says("75"), says("80")]).await;
    let first = case.ask(&request()).await;
    let outputs = json!([{"type": "function_call_output", "call_id": "call_wt_1_1", "output": "75"}]);
    let second =
        case.ask(&request_with(json!({"input": outputs, "previous_response_id": first["id"]}))).await;
    assert_eq!(second["previous_response_id"], first["id"]);
    let more =
        request_with(json!({"input": "And now?", "previous_response_id": second["id"], "stream": true}));
    let third = case.stream(&more).await.last()["response"].clone();
    assert_eq!(third["output"][0]["content"][0]["text"], "80");

    let seen = case.served.drain_evidence().unwrap();
    let Evidence::Inference { messages, .. } = &seen.last().unwrap().value else { panic!() };
    let said = |text: &str| json!({"type": "message", "role": "user", "content": text});
    let expected = [
        &[said("How many orders?")][..],
        first["output"].as_array().unwrap(),
        outputs.as_array().unwrap(),
        second["output"].as_array().unwrap(),
        &[said("And now?")],
    ];
    assert_eq!(messages, &expected.concat());
}

#[tokio::test]
async fn an_answer_that_is_unknown_or_was_not_stored_cannot_be_gone_on_from() {
    let case = Case::of(vec![says("one"), says("two")]).await;
    let unstored = case.ask(&request_with(json!({"store": false}))).await;
    for id in [&unstored["id"], &json!("resp_of_another_case")] {
        let response = case.post(&request_with(json!({"previous_response_id": id}))).await;
        assert_eq!(response.status(), 400);
        let error: Value = response.json().await.unwrap();
        assert_eq!(error["error"]["code"], "previous_response_not_found");
    }
    assert_eq!(case.served.progress().consumed, 1);
}

#[tokio::test]
async fn a_pattern_sees_what_was_said_before_too() {
    let aside = json!([{"pattern": {"messages": [{"content": "^How many"}, {"content": "^Summarise"}]}, "content": "Summary"}]);
    let case = Case::with_asides(vec![says("75")], aside).await;
    let first = case.ask(&request()).await;
    let more = json!({"input": "Summarise this", "previous_response_id": first["id"]});
    assert_eq!(case.ask(&more).await["output"][0]["content"][0]["text"], "Summary");
}
