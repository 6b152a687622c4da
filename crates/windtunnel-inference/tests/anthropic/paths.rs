//! Addresses, headers and errors.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::harness::{Case, request, says};

#[tokio::test]
async fn every_spelling_of_the_path_answers() {
    let case = Case::of((0..4).map(|n| says(&n.to_string())).collect()).await;
    for path in ["/v1/messages", "/messages", "/v1/v1/messages", "/v1/messages?beta=true"] {
        let response = case.http.post(case.url(path)).json(&request()).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn any_key_header_is_fine_and_the_request_has_an_id() {
    let case = Case::of((0..3).map(|n| says(&n.to_string())).collect()).await;
    for (name, value) in [("authorization", "Bearer sk-1"), ("x-api-key", "sk-1"), ("user-agent", "none")] {
        let request = case.http.post(case.url("/v1/messages")).header(name, value).json(&request());
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{name}");
        assert!(response.headers()["request-id"].to_str().unwrap().starts_with("req_wt_"));
    }
}

#[tokio::test]
async fn asking_beyond_the_script_is_an_error_in_the_providers_words_that_no_retry_changes() {
    let case = Case::of(vec![]).await;
    let response = case.post(&request()).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(response.headers()["x-should-retry"], "false");
    let error: Value = response.json().await.unwrap();
    assert_eq!(error["type"], "error");
    assert_eq!(error["error"]["type"], "invalid_request_error");
}

#[tokio::test]
async fn a_body_that_is_no_request_is_an_error_with_the_place() {
    let case = Case::of(vec![says("done")]).await;
    let response = case.post(&json!({"messages": "hi"})).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let error: Value = response.json().await.unwrap();
    assert_eq!(error["error"]["message"], "`messages` is a string, expected a list");
}

#[tokio::test]
async fn tokens_are_counted_without_using_up_a_decision() {
    let case = Case::of(vec![says("done")]).await;
    let post = case.http.post(case.url("/v1/messages/count_tokens")).json(&request());
    let count: Value = post.send().await.unwrap().json().await.unwrap();
    assert_eq!(case.served.progress().consumed, 0);
    let counted = &case.ask(&request()).await["usage"]["input_tokens"];
    assert_eq!(count, json!({ "input_tokens": counted }));
}

#[tokio::test]
async fn models_come_in_the_shape_that_the_client_knows() {
    let case = Case::of(vec![]).await;
    let get = async |path: &str| {
        let request = case.http.get(case.url(path)).header("anthropic-version", "2023-06-01");
        request.send().await.unwrap().json::<Value>().await.unwrap()
    };
    let list = get("/v1/models").await;
    assert_eq!((&list["has_more"], &list["data"][0]["type"]), (&json!(false), &json!("model")));
    assert_eq!(list["first_id"], list["data"][0]["id"]);
    let model = get("/v1/models/claude-test").await;
    assert_eq!((&model["id"], &model["lifecycle"]), (&json!("claude-test"), &json!("active")));
}

#[tokio::test]
async fn what_is_not_served_is_an_error_in_the_words_of_the_client() {
    let case = Case::of(vec![]).await;
    let post = case.http.post(case.url("/v1/messages/batches")).header("anthropic-version", "2023-06-01");
    let response = post.json(&request()).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    let error: Value = response.json().await.unwrap();
    assert_eq!((&error["type"], &error["error"]["type"]), (&json!("error"), &json!("not_found_error")));
}
