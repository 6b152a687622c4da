//! What clients send, and what is read of it.

use serde_json::{Value, json};
use windtunnel_api::Evidence;

use crate::harness::{Case, request, request_with, says};

#[tokio::test]
async fn inputs_of_every_form_are_taken_and_kept_as_they_were_sent() {
    let items = json!([
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Be kind."}]},
        {"role": "user", "content": "How many?"},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
        {"type": "item_reference", "id": "msg_1"},
        {"type": "message", "role": "assistant", "id": "msg_1", "content": [{"type": "output_text", "text": "I look.", "annotations": []}]},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "orders"}},
        {"type": "custom_tool_call", "call_id": "c", "name": "exec", "input": "1"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "1"},
        {"type": "additional_tools", "role": "developer", "tools": []},
        {"type": "compaction", "encrypted_content": "x"},
        {"type": "of next year"},
    ]);
    let tools = json!([{"type": "namespace", "name": "n", "tools": []}, {"type": "custom", "name": "exec"}, {"type": "web_search"}, {"type": "of next year"}]);
    let case = Case::of(vec![says("one"), says("two")]).await;
    case.ask(&request_with(json!({"input": items, "tools": tools, "instructions": "Be brief."}))).await;
    case.ask(&request()).await;
    let seen = case.served.drain_evidence().unwrap();
    let messages: Vec<Value> = seen
        .iter()
        .map(|entry| match &entry.value {
            Evidence::Inference { wire, model, messages, .. } => {
                assert_eq!((wire.as_str(), model.as_str()), ("openai-responses", "gpt-test"));
                messages.clone().into()
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let said = json!([{"type": "message", "role": "user", "content": "How many orders?"}]);
    assert_eq!(messages, [items, said]);
}

#[tokio::test]
async fn a_pattern_for_chat_messages_fits_instructions_and_input() {
    let aside = json!([
        {"pattern": {"messages": [{"role": "system", "content": "^Generate a title"}]}, "content": "Title"},
        {"pattern": {"messages": [{"role": "user", "content": "^Summarise"}]}, "content": "Summary"},
    ]);
    let case = Case::with_asides(vec![says("done")], aside).await;
    for (body, expected) in [
        (json!({"instructions": "Generate a title", "input": "x"}), "Title"),
        (
            json!({"input": [{"role": "developer", "content": [{"type": "input_text", "text": "Generate a title"}]}]}),
            "Title",
        ),
        (json!({"input": "Summarise this"}), "Summary"),
        (json!({"input": "How many?"}), "done"),
    ] {
        assert_eq!(case.ask(&body).await["output"][0]["content"][0]["text"], expected, "{body}");
    }
    let progress = case.served.progress();
    assert_eq!((progress.asides, progress.consumed), (2 + 1, 1));
}

#[tokio::test]
async fn a_request_that_was_not_understood_is_a_400_that_says_where() {
    let case = Case::of(vec![says("done")]).await;
    for (body, expected) in [
        (json!({"model": "m"}), "`input` is missing, expected a string or a list of items"),
        (json!({"input": [7]}), "`input[0]` is a number, expected an object with a type"),
    ] {
        let response = case.post(&body).await;
        assert_eq!(response.status(), 400);
        let error: Value = response.json().await.unwrap();
        assert_eq!(error["error"]["message"], expected);
    }
}
