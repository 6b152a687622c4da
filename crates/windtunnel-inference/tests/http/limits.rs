//! Bodies that are too large, encoded, or no requests at all.

use reqwest::StatusCode;
use serde_json::{Value, json};
use windtunnel_inference::server::MAX_BODY;

use crate::harness::{Case, says};
use crate::raw::RawConnection;

async fn error_of(response: reqwest::Response) -> (StatusCode, String) {
    let status = response.status();
    assert_eq!(response.headers()["x-should-retry"], "false");
    let error: Value = response.json().await.unwrap();
    (status, error["error"]["message"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn bodies_of_many_megabytes_are_taken() {
    let case = Case::of(vec![says("done")]).await;
    let messages = json!([{"role": "user", "content": "x".repeat(20 * 1024 * 1024)}]);
    let answer = case.ask(&json!({"model": "m", "messages": messages})).await;
    assert_eq!(answer["choices"][0]["message"]["content"], "done");
}

#[tokio::test]
async fn a_body_over_the_limit_is_a_413_that_says_the_limit() {
    let case = Case::of(vec![says("done")]).await;
    let request = case.http.post(case.url("/chat/completions")).body(vec![b' '; MAX_BODY + 1]);
    let (status, message) = error_of(request.send().await.unwrap()).await;
    assert_eq!(
        (status, message.as_str()),
        (StatusCode::PAYLOAD_TOO_LARGE, "the request body is larger than 32 MiB")
    );
}

#[tokio::test]
async fn a_client_that_asks_before_it_sends_too_much_is_told_at_once() {
    let case = Case::of(vec![says("done")]).await;
    for (headers, promised) in [("expect: 100-continue\r\n", MAX_BODY + 1), ("", 1_usize << 40)] {
        let headers = format!("{headers}content-type: application/json\r\ncontent-length: {promised}\r\n");
        let answer = RawConnection::to(&case).await.raw("POST", "/chat/completions", &headers, "").await;
        assert_eq!(answer.status, Some(413), "{headers}{}", String::from_utf8_lossy(&answer.bytes));
        assert!(answer.text().contains("the request body is larger than 32 MiB"), "{}", answer.text());
        assert_eq!(answer.header("connection"), Some("close"), "the rest of the body is no next request");
    }
}

#[tokio::test]
async fn an_encoded_body_is_refused_with_the_way_out() {
    let case = Case::of(vec![says("done")]).await;
    let request = case
        .http
        .post(case.url("/chat/completions"))
        .header("content-encoding", "gzip")
        .body(vec![0x1f, 0x8b]);
    let (status, message) = error_of(request.send().await.unwrap()).await;
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    insta::assert_snapshot!(message, @"request bodies with content-encoding gzip are not decoded here; send plain JSON");
}

#[tokio::test]
async fn a_request_that_was_not_understood_leaves_a_violation() {
    let case = Case::of(vec![says("done")]).await;
    for (body, expected) in [
        ("{\"messages\": ", "the request body is not JSON: "),
        ("{}", "`messages` is missing, expected a list"),
    ] {
        let request = case.http.post(case.url("/chat/completions")).body(body);
        let (status, message) = error_of(request.send().await.unwrap()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert!(message.starts_with(expected), "{message}");
        let violations = case.served.progress().violations;
        assert!(violations.last().unwrap().contains(expected), "{violations:?}");
    }
    assert_eq!(case.served.progress().consumed, 0);
}
