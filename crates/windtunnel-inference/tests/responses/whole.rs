//! What clients read in a whole answer, rule by rule.

use serde_json::{Value, json};

use crate::harness::{Case, calls, everything, refuses, request, request_with, says, streamed};

#[tokio::test]
async fn text_has_annotations_even_if_there_are_none() {
    let answer = Case::of(vec![says("done")]).await.ask(&request()).await;
    let message = json!({
        "type": "message", "id": "msg_wt_1", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "annotations": [], "logprobs": [], "text": "done"}],
    });
    assert_eq!(answer["output"], json!([message]));
}

#[tokio::test]
async fn a_refusal_is_a_part_of_its_own_kind() {
    let answer = Case::of(vec![refuses()]).await.ask(&request()).await;
    let part = json!({"type": "refusal", "refusal": "I will not help with that, however you ask."});
    assert_eq!(answer["output"][0]["content"], json!([part]));
    assert_eq!(answer["status"], "completed");
}

#[tokio::test]
async fn usage_adds_up_and_has_its_details() {
    let case = Case::of(vec![says("done"), says("done")]).await;
    for usage in [
        case.ask(&request()).await["usage"].clone(),
        case.stream(&streamed()).await.last()["response"]["usage"].clone(),
    ] {
        let tokens = |name: &str| usage[name].as_u64().unwrap();
        assert!(tokens("input_tokens") > 10 && tokens("output_tokens") > 0);
        assert_eq!(tokens("total_tokens"), tokens("input_tokens") + tokens("output_tokens"));
        assert_eq!(usage["input_tokens_details"]["cached_tokens"], 0);
        assert_eq!(usage["output_tokens_details"]["reasoning_tokens"], 0);
    }
    let usage = Case::of(vec![everything()]).await.ask(&request()).await["usage"].clone();
    let reasoning = usage["output_tokens_details"]["reasoning_tokens"].as_u64().unwrap();
    assert!(reasoning > 0 && reasoning < usage["output_tokens"].as_u64().unwrap(), "{usage}");
}

#[tokio::test]
async fn ids_are_unique_per_answer_and_the_same_for_every_case() {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let case = Case::of(vec![everything(), says("done")]).await;
        runs.push([case.ask(&request()).await, case.ask(&request()).await]);
    }
    assert_eq!(runs[0], runs[1], "ids, times and usage are the case's");
    let ids = |answer: &Value| -> Vec<String> {
        let items = answer["output"].as_array().unwrap().iter();
        items.chain([answer]).map(|thing| thing["id"].as_str().unwrap().to_owned()).collect()
    };
    let mut all = [ids(&runs[0][0]), ids(&runs[0][1])].concat();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count, "{all:?}");
}

#[tokio::test]
async fn reasoning_can_be_replayed_if_that_is_asked_for_or_nothing_is_stored() {
    let include = json!(["reasoning.encrypted_content"]);
    for (fields, replayable) in [
        (json!({}), false),
        (json!({"include": []}), false),
        (json!({"include": include}), true),
        (json!({"store": false}), true),
    ] {
        let case = Case::of(vec![everything(), everything()]).await;
        let whole = case.ask(&request_with(fields.clone())).await["output"][0].clone();
        let mut streamed = fields.clone();
        streamed["stream"] = true.into();
        let events = case.stream(&request_with(streamed)).await;
        let done = &events.named("output_item.done")[0]["item"];
        for item in [&whole, done] {
            assert_eq!(item["type"], "reasoning");
            assert_eq!(item["encrypted_content"].is_string(), replayable, "{fields}: {item}");
        }
        assert_ne!(whole["encrypted_content"].is_string().then_some(&whole), Some(done), "one per answer");
        assert!(events.named("output_item.added")[0]["item"].get("encrypted_content").is_none());
    }
}

#[tokio::test]
async fn parallel_calls_have_an_item_id_and_a_call_id_each() {
    let answer = Case::of(vec![calls()]).await.ask(&request()).await;
    let call = |n: usize, arguments: &str| {
        json!({
            "type": "function_call", "id": format!("fc_wt_1_{n}"), "status": "completed",
            "call_id": format!("call_wt_1_{n}"), "name": "lookup", "arguments": arguments,
        })
    };
    assert_eq!(
        answer["output"],
        json!([call(1, "{\"id\":\"a rather long identifier of an order\"}"), call(2, "{}")])
    );
}

#[tokio::test]
async fn a_whole_answer_as_clients_see_it() {
    insta::assert_json_snapshot!("whole_answer", Case::of(vec![everything()]).await.ask(&request()).await);
}
