//! What is asked of this wire besides answers.

use serde_json::{Value, json};

use crate::harness::{Case, request, request_with, says};

#[tokio::test]
async fn a_warm_up_answers_nothing_uses_no_decision_and_can_be_gone_on_from() {
    let case = Case::of(vec![says("one"), says("two")]).await;
    let warm_up = json!({"model": "m", "input": [], "generate": false, "stream": true});
    let events = case.stream(&warm_up).await;
    assert_eq!(events.names(), ["created", "in_progress", "completed"]);
    let warm = &events.last()["response"];
    assert_eq!((&warm["output"], &warm["status"]), (&json!([]), &json!("completed")));
    assert_eq!(case.served.progress().consumed, 0);

    let first = case.ask(&request_with(json!({"previous_response_id": warm["id"]}))).await;
    assert_eq!(first["output"][0]["content"][0]["text"], "one");
    let again =
        case.ask(&json!({"model": "m", "generate": false, "previous_response_id": first["id"]})).await;
    assert_eq!(again["output"], json!([]));
    let second = case.ask(&request_with(json!({"previous_response_id": again["id"]}))).await;
    assert_eq!(second["output"][0]["content"][0]["text"], "two");
    let ids = [warm, &first, &again, &second].map(|answer| answer["id"].as_str().unwrap());
    assert!((1..ids.len()).all(|n| !ids[..n].contains(&ids[n])), "{ids:?}");
    assert!(case.served.progress().is_exact());
}

#[tokio::test]
async fn an_upgrade_to_a_web_socket_is_refused_so_that_clients_fall_back_at_once() {
    let case = Case::of(vec![says("done")]).await;
    let request = case
        .http
        .get(format!("{}/responses", case.served.base_url()))
        .header("connection", "Upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    assert_eq!(request.send().await.unwrap().status(), 426);
}

#[tokio::test]
async fn tokens_of_an_input_are_counted_without_using_a_decision() {
    let case = Case::of(vec![says("done")]).await;
    let counted: Value = case.post_to("/responses/input_tokens", &request()).await.json().await.unwrap();
    assert_eq!(counted["object"], "response.input_tokens");
    assert_eq!(counted["input_tokens"], case.ask(&request()).await["usage"]["input_tokens"]);
}
