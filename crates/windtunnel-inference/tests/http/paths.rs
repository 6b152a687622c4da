//! Addresses, headers, and requests that are not for the script.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use windtunnel_inference::{CaseScript, ScriptedServer};

use crate::harness::{Case, http, request, says};

#[tokio::test]
async fn every_spelling_of_the_path_below_a_case_answers() {
    let case = Case::of((0..12).map(|n| says(&n.to_string())).collect()).await;
    let root = case.served.base_url().strip_suffix("/v1").unwrap().to_owned();
    for (wire, conversation) in
        [("chat/completions", "messages"), ("responses", "input"), ("messages", "messages")]
    {
        let body = json!({"model": "m", "max_tokens": 99, conversation: [{"role": "user", "content": "Hi"}]});
        for (before, after) in [("/v1/", ""), ("/", ""), ("/v1/v1/", "/"), ("/v1/", "?api-version=1")] {
            let url = format!("{root}{before}{wire}{after}");
            let response = case.http.post(&url).json(&body).send().await.unwrap();
            assert_eq!(response.status(), StatusCode::OK, "{url}");
            response.bytes().await.unwrap();
        }
    }
}

#[tokio::test]
async fn cases_of_one_server_do_not_share_a_script_and_end_with_their_handle() {
    let server = ScriptedServer::new();
    let script = |text: &str| CaseScript { turns: vec![vec![says(text)]], ..CaseScript::default() };
    let (one, two) =
        (server.register(script("one")).await.unwrap(), server.register(script("two")).await.unwrap());
    let http = http();
    for (case, text) in [(&one, "one"), (&two, "two")] {
        case.begin_turn();
        let url = format!("{}/chat/completions", case.base_url());
        let answer: Value = http.post(url).json(&request()).send().await.unwrap().json().await.unwrap();
        assert_eq!(answer["choices"][0]["message"]["content"], text);
    }
    let url = format!("{}/chat/completions", one.base_url());
    drop(one);
    let response = http.post(url).json(&request()).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    assert_eq!(response.headers()["x-should-retry"], "false");
    insta::assert_snapshot!(response.text().await.unwrap(), @r#"{"error":{"message":"no case is served at this address; its agent may have outlived it","type":"invalid_request_error","param":null,"code":"not_found"}}"#);
}

#[tokio::test]
async fn paths_and_methods_that_are_not_served_say_which_are() {
    let case = Case::of(vec![says("done")]).await;
    let response = case.http.post(case.url("/embeddings")).json(&json!({})).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    let error: Value = response.json().await.unwrap();
    insta::assert_snapshot!(error["error"]["message"].as_str().unwrap(), @"POST /v1/embeddings is not served; there are POST /v1/chat/completions, POST /v1/responses, POST /v1/responses/input_tokens, POST /v1/messages, POST /v1/messages/count_tokens, GET /v1/models");
    let response = case.http.get(case.url("/chat/completions")).send().await.unwrap();
    assert_eq!(
        (response.status(), &response.headers()["allow"]),
        (StatusCode::METHOD_NOT_ALLOWED, &"POST".parse().unwrap())
    );
    assert!(case.served.progress().violations.is_empty(), "probing a server is not asking its script");
}

#[tokio::test]
async fn models_are_listed_and_any_name_is_one() {
    let case = Case::of(vec![says("done")]).await;
    let list: Value = case.http.get(case.url("/models")).send().await.unwrap().json().await.unwrap();
    assert_eq!((list["object"].as_str(), list["data"][0]["object"].as_str()), (Some("list"), Some("model")));
    let one: Value = case.http.get(case.url("/models/gpt-5")).send().await.unwrap().json().await.unwrap();
    assert_eq!(one["id"], "gpt-5");
}

#[tokio::test]
async fn every_answer_has_a_request_id_of_its_own() {
    let case = Case::of(vec![says("one"), says("two")]).await;
    for expected in ["req_wt_1", "req_wt_2"] {
        let response = case.post(&request(), &[]).await;
        assert_eq!(response.headers()["x-request-id"], expected);
        assert_eq!(response.headers()["request-id"], expected);
    }
}

#[tokio::test]
async fn any_key_header_is_accepted_and_none_is_kept() {
    let case = Case::of((0..4).map(|n| says(&n.to_string())).collect()).await;
    for header in ["authorization", "x-api-key", "api-key", "x-goog-api-key"] {
        assert_eq!(case.post(&request(), &[(header, "Bearer canary-key")]).await.status(), StatusCode::OK);
    }
    assert!(!format!("{:?}", case.served.drain_evidence().unwrap()).contains("canary-key"));
}

#[tokio::test]
async fn browsers_may_send_every_header_and_authorization_is_named() {
    let case = Case::of(vec![says("done")]).await;
    let asked = case
        .http
        .request(Method::OPTIONS, case.url("/chat/completions"))
        .header("origin", "http://localhost:3000")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "user-agent,x-stainless-os");
    let response = asked.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    assert_eq!(
        response.headers()["access-control-allow-headers"],
        "Authorization, user-agent,x-stainless-os"
    );
    assert_eq!(case.post(&request(), &[]).await.headers()["access-control-allow-origin"], "*");
}

#[tokio::test]
async fn connection_close_is_honoured_on_a_stream() {
    let case = Case::of(vec![says("done")]).await;
    let body = json!({"model": "m", "messages": [], "stream": true});
    let response = case.post(&body, &[("connection", "close")]).await;
    assert_eq!(response.headers()["connection"], "close");
    assert!(response.text().await.unwrap().ends_with("data: [DONE]\n\n"));
}
