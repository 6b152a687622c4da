//! What clients of Chat Completions read, rule by rule.

use serde_json::{Value, json};
use windtunnel_api::ReferenceDecision;

use crate::harness::{Case, calls, request, request_with, says};

/// All deltas of a stream, in order.
fn deltas(events: &[Value]) -> Vec<&Value> {
    events.iter().filter_map(|event| event["choices"].get(0)).map(|choice| &choice["delta"]).collect()
}

async fn streamed_calls() -> Vec<Value> {
    Case::of(vec![calls(), says("done")]).await.stream(&request_with(json!({"stream": true}))).await
}

#[tokio::test]
async fn every_delta_of_a_call_carries_its_index_and_only_the_first_its_id_type_and_name() {
    let events = streamed_calls().await;
    let call_deltas: Vec<&Value> = deltas(&events)
        .into_iter()
        .filter_map(|delta| delta.get("tool_calls"))
        .map(|calls| &calls[0])
        .collect();
    for index in 0..2 {
        let of_call: Vec<&&Value> = call_deltas.iter().filter(|delta| delta["index"] == index).collect();
        let id = format!("call_wt_1_{}", index + 1);
        let first = json!({"index": index, "id": id, "type": "function", "function": {"name": "lookup", "arguments": ""}});
        assert_eq!(**of_call[0], first);
        let mut arguments = String::new();
        for later in &of_call[1..] {
            let keys: Vec<&String> = later.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["index", "function"], "neither id nor name, not even as null");
            let function = later["function"].as_object().unwrap();
            assert_eq!(function.keys().collect::<Vec<_>>(), ["arguments"]);
            arguments += function["arguments"].as_str().unwrap();
        }
        let expected = ["{\"id\":\"a rather long identifier of an order\"}", "{}"][index];
        assert_eq!(arguments, expected);
    }
    assert!(call_deltas.len() > 4, "long arguments come in pieces");
}

#[tokio::test]
async fn calls_of_a_whole_answer_have_a_type_and_arguments_as_a_json_string() {
    let case = Case::of(vec![calls(), says("done")]).await;
    let answer = case.ask(&request()).await;
    let call = &answer["choices"][0]["message"]["tool_calls"];
    assert_eq!(call[0]["type"], "function");
    assert_eq!(call[0]["function"]["arguments"], "{\"id\":\"a rather long identifier of an order\"}");
    assert_eq!(
        call[1]["function"]["arguments"], "{}",
        "no arguments are an empty object, not an empty string"
    );
    assert_eq!(answer["choices"][0]["finish_reason"], "tool_calls");
}

#[tokio::test]
async fn the_last_content_chunk_has_the_finish_reason() {
    let case = Case::of(vec![calls(), says("done")]).await;
    for reason in ["tool_calls", "stop"] {
        let events = case.stream(&request_with(json!({"stream": true}))).await;
        let reasons: Vec<&Value> = events.iter().map(|event| &event["choices"][0]["finish_reason"]).collect();
        let (last, before) = reasons.split_last().unwrap();
        assert_eq!(**last, reason);
        assert!(before.iter().all(|reason| reason.is_null()), "{before:?}");
    }
}

#[tokio::test]
async fn usage_comes_in_one_more_chunk_and_only_if_asked_for() {
    let case = Case::of(vec![says("one"), says("two")]).await;
    let unasked = case.stream(&request_with(json!({"stream": true}))).await;
    assert!(unasked.iter().all(|event| event.get("usage").is_none()));

    let asked =
        case.stream(&request_with(json!({"stream": true, "stream_options": {"include_usage": true}}))).await;
    let (last, before) = asked.split_last().unwrap();
    assert_eq!(last["choices"], json!([]));
    assert!(last["usage"]["total_tokens"].as_u64().unwrap() > 0);
    assert!(before.iter().all(|event| event["usage"].is_null() && event["choices"].get(0).is_some()));
}

#[tokio::test]
async fn a_whole_answer_always_has_usage_that_adds_up() {
    let answer = Case::of(vec![says("done")]).await.ask(&request()).await;
    let tokens = |name: &str| answer["usage"][name].as_u64().unwrap();
    assert!(tokens("prompt_tokens") > 10 && tokens("completion_tokens") > 0);
    assert_eq!(tokens("total_tokens"), tokens("prompt_tokens") + tokens("completion_tokens"));
}

#[tokio::test]
async fn the_first_chunk_has_the_role_and_refusal_and_logprobs_are_null() {
    let case = Case::of(vec![says("done"), says("done")]).await;
    let events = case.stream(&request_with(json!({"stream": true}))).await;
    assert_eq!(
        events[0]["choices"][0]["delta"],
        json!({"role": "assistant", "content": "", "refusal": null})
    );
    assert!(events.iter().all(|event| event["choices"][0].get("logprobs") == Some(&Value::Null)));
    let answer = case.ask(&request()).await;
    let choice = answer["choices"][0].as_object().unwrap();
    assert_eq!(choice["logprobs"], Value::Null);
    assert_eq!(
        choice["message"],
        json!({"role": "assistant", "content": "done", "refusal": null, "annotations": []})
    );
}

#[tokio::test]
async fn reasoning_comes_first_but_for_the_role_and_its_tokens_are_counted() {
    let decision = ReferenceDecision { reasoning: Some("Orders are in the CRM.".to_owned()), ..says("75") };
    let case = Case::of(vec![decision.clone(), decision]).await;
    let events = case.stream(&request_with(json!({"stream": true}))).await;
    assert_eq!(deltas(&events)[0], &json!({"role": "assistant", "content": "", "refusal": null}));
    assert_eq!(deltas(&events)[1], &json!({"reasoning_content": "Orders are in the CRM."}));
    let answer = case.ask(&request()).await;
    assert_eq!(answer["choices"][0]["message"]["reasoning_content"], "Orders are in the CRM.");
    assert_eq!(answer["usage"]["completion_tokens_details"]["reasoning_tokens"], 6);
}

#[tokio::test]
async fn a_refusal_has_a_field_of_its_own_and_no_content() {
    let decision = ReferenceDecision { refusal: true, ..says("I cannot help with that.") };
    let case = Case::of(vec![decision.clone(), decision]).await;
    let answer = case.ask(&request()).await;
    let choice = &answer["choices"][0];
    assert_eq!(
        (&choice["message"]["content"], choice["finish_reason"].as_str()),
        (&Value::Null, Some("stop"))
    );
    assert_eq!(choice["message"]["refusal"], "I cannot help with that.");
    let events = case.stream(&request_with(json!({"stream": true}))).await;
    assert_eq!(deltas(&events)[0], &json!({"role": "assistant", "content": null, "refusal": null}));
    assert_eq!(deltas(&events)[1], &json!({"refusal": "I cannot help with that."}));
}

#[tokio::test]
async fn text_beside_calls_comes_before_them() {
    let decision = ReferenceDecision { content: Some("Let me look.".to_owned()), ..calls() };
    let events = Case::of(vec![decision]).await.stream(&request_with(json!({"stream": true}))).await;
    assert_eq!(deltas(&events)[1], &json!({"content": "Let me look."}));
    assert!(deltas(&events)[2].get("tool_calls").is_some());
}

#[tokio::test]
async fn text_is_cut_only_where_characters_end() {
    let text = "Grüße 😀👨‍👩‍👧 ".repeat(300);
    let events = Case::of(vec![says(&text)]).await.stream(&request_with(json!({"stream": true}))).await;
    let pieces: Vec<&str> =
        deltas(&events).into_iter().filter_map(|delta| delta["content"].as_str()).collect();
    assert_eq!(pieces.concat(), text);
    assert!(pieces.len() > 10);
    assert!(pieces.iter().all(|piece| !piece.contains('\u{fffd}')));
}

#[tokio::test]
async fn stream_in_the_body_decides_and_not_the_accept_header() {
    let case = Case::of(vec![says("one"), says("two"), says("three")]).await;
    for (body, accept, expected) in [
        (request_with(json!({"stream": true})), "application/json", "text/event-stream"),
        (request_with(json!({"stream": false})), "text/event-stream", "application/json"),
        (request(), "*/*", "application/json"),
    ] {
        let response = case.post(&body, &[("accept", accept)]).await;
        assert_eq!(response.headers()["content-type"], expected);
        response.bytes().await.unwrap();
    }
}

#[tokio::test]
async fn ids_are_unique_per_answer_and_the_same_for_every_case() {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let case = Case::of(vec![calls(), says("done")]).await;
        runs.push([case.ask(&request()).await, case.ask(&request()).await]);
    }
    assert_eq!(runs[0], runs[1], "ids, times and usage are the case's");
    assert_ne!(runs[0][0]["id"], runs[0][1]["id"]);
}

#[tokio::test]
async fn developer_is_system_and_text_parts_are_text_for_asides() {
    let aside = json!([{"pattern": {"messages": [{"role": "system", "content": "^Generate a title"}]}, "content": "Title"}]);
    let case = Case::with_asides(vec![says("done")], aside).await;
    for message in [
        json!({"role": "system", "content": "Generate a title"}),
        json!({"role": "developer", "content": "Generate a title"}),
        json!({"role": "developer", "content": [{"type": "text", "text": "Generate a title"}]}),
    ] {
        let answer = case.ask(&json!({"model": "m", "messages": [message]})).await;
        assert_eq!(answer["choices"][0]["message"]["content"], "Title");
    }
    assert_eq!(case.ask(&request()).await["choices"][0]["message"]["content"], "done");
    let progress = case.served.progress();
    assert_eq!((progress.asides, progress.consumed), (3, 1));
}

#[tokio::test]
async fn a_message_that_ends_in_an_image_does_not_hide_the_text_before_it() {
    let aside = json!([{"pattern": {"messages": [{"content": "^Describe"}]}, "content": "A cat"}]);
    let case = Case::with_asides(vec![says("done")], aside).await;
    let image = json!([{"type": "image_url", "image_url": {"url": "data:,"}}]);
    let messages = json!([{"role": "user", "content": "Describe it"}, {"role": "user", "content": image}]);
    let answer = case.ask(&json!({"model": "m", "messages": messages})).await;
    assert_eq!(answer["choices"][0]["message"]["content"], "A cat");
}

#[tokio::test]
async fn an_answer_as_clients_see_it() {
    let case = Case::of(vec![calls(), says("75 orders")]).await;
    insta::assert_json_snapshot!("whole_answer", case.ask(&request()).await);
    let response = case
        .post(&request_with(json!({"stream": true, "stream_options": {"include_usage": true}})), &[])
        .await;
    insta::assert_snapshot!("streamed_answer", response.text().await.unwrap());
}
