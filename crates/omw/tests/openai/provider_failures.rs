//! Servers that misbehave.

use std::time::Duration;

use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use futures::StreamExt as _;
use omw::prelude::*;
use serde_json::json;

use crate::servers::{
    KEY, Playing, broken_events, chunk, events, hanging_events, provider_at, question, says,
};

#[tokio::test]
async fn a_status_comes_with_what_the_server_says() {
    let mut texts = Vec::new();
    for (status, body) in [
        (
            400,
            json!({"error": {"message": "messages: too many", "type": "invalid_request_error"}}).to_string(),
        ),
        (404, json!({"error": "model 'm' not found"}).to_string()),
        (429, json!({"message": "slow down"}).to_string()),
        (502, "<h1>Bad gateway</h1>".to_owned()),
        (503, String::new()),
        (302, String::new()),
    ] {
        let status = StatusCode::from_u16(status).unwrap();
        let location = [("location", "http://127.0.0.1:9/elsewhere")];
        let server = Playing::new(move |_| (status, location, body.clone()).into_response()).await;
        texts.push(server.failure().await);
        assert_eq!(server.asked().len(), 1, "nothing is asked twice");
    }
    insta::assert_snapshot!(texts.join("\n"), @"
    the provider answered 400: messages: too many
    the provider answered 404: model 'm' not found
    the provider answered 429: slow down
    the provider answered 502: <h1>Bad gateway</h1>
    the provider answered 503: no message
    the provider answered 302: no message
    ");
}

#[tokio::test]
async fn a_server_that_shows_the_key_does_not_get_it_into_our_errors() {
    let long = "~".repeat(597);
    let mut texts = Vec::new();
    for answer in [
        |long: &str| (StatusCode::UNAUTHORIZED, format!("{long}{KEY}")).into_response(),
        |_: &str| {
            events(&format!("data: {}\n\n", json!({"error": {"message": format!("bad key {KEY}")}})), 5)
        },
        |_: &str| events(&format!("data: Bearer {KEY}\n\n"), 5),
        |_: &str| axum::Json(json!({"error": {"message": format!("bad key {KEY}")}})).into_response(),
    ] {
        let long = long.clone();
        let server = Playing::new(move |_| answer(&long)).await;
        texts.push(server.failure().await.replace('~', ""));
        assert!(!format!("{:?}", server.provider()).contains(KEY));
    }
    insta::assert_snapshot!(texts.join("\n"), @"
    the provider answered 401: ***
    the provider broke its answer off with an error: bad key ***
    the answer of <base>/chat/completions cannot be understood: expected value at line 1 column 1 in Bearer ***
    the answer of <base>/chat/completions cannot be understood: expected a stream of events, found application/json: bad key ***
    ");
}

#[tokio::test]
async fn a_stream_that_ends_before_the_answer_does_is_an_error_after_what_came() {
    let first = chunk(&json!({"content": "one"}), None);
    let mut texts = Vec::new();
    for broken in [true, false] {
        let first = first.clone();
        let server =
            Playing::new(move |_| if broken { broken_events(&first) } else { events(&first, 1000) }).await;
        let mut stream = server.provider().chat_stream(question()).await.unwrap();
        assert_eq!(stream.next().await.unwrap().unwrap(), says("one"));
        let error = stream.next().await.unwrap().unwrap_err().to_string();
        texts.push(error.replace(&server.base_url, "<base>"));
        assert!(stream.next().await.is_none(), "the error is the last item");
    }
    insta::assert_snapshot!(texts.join("\n"), @"
    the answer of <base>/chat/completions broke off: unexpected EOF during chunk size line
    the answer of <base>/chat/completions broke off: it ends without a finish reason
    ");
}

#[tokio::test]
async fn a_connection_that_breaks_or_hangs_after_the_finish_reason_does_no_harm() {
    for end in [broken_events, hanging_events] {
        let server = Playing::new(move |_| end(&chunk(&json!({"content": "7"}), Some("stop")))).await;
        let provider = server.provider().with_patience(Duration::from_millis(200));
        assert_eq!(provider.chat(question()).await.unwrap().content.as_deref(), Some("7"));
    }
}

#[tokio::test]
async fn a_server_that_falls_silent_is_given_up() {
    let patience = Duration::from_millis(200);
    let server = Playing::new(|_| hanging_events(&chunk(&json!({"content": "one"}), None))).await;
    let provider = server.provider().with_patience(patience);
    let mut stream = provider.chat_stream(question()).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), says("one"));
    let error = stream.next().await.unwrap().unwrap_err().to_string();
    assert_eq!(error, format!("{}/chat/completions sent nothing for 0.2 s", server.base_url));

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let error =
        provider_at(&base_url).with_patience(patience).chat(question()).await.unwrap_err().to_string();
    assert_eq!(error, format!("{base_url}/chat/completions sent nothing for 0.2 s"));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://user:canary-pw@{}/v1?key=canary-query", listener.local_addr().unwrap());
    let shown = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let error = provider_at(&base_url).chat(question()).await.unwrap_err().to_string();
    assert!(error.starts_with(&format!("{shown}/chat/completions cannot be reached: ")), "{error}");
    let error = provider_at(&base_url).list_models().await.unwrap_err().to_string();
    assert!(error.starts_with(&format!("{shown}/models cannot be reached: ")), "{error}");
    assert!(!error.contains("canary"), "{error}");
}

#[tokio::test]
async fn answers_that_are_none_say_what_is_wrong() {
    let mut texts = Vec::new();
    for answer in [
        || events("data: <html>\n\n", 1000),
        || events("data: {\"choices\": 7}\n\n", 1000),
        || events("data: {\"error\": {\"message\": \"overloaded\"}}\n\n", 1000),
        || axum::Json(json!({"choices": [{"message": {"content": "7"}}]})).into_response(),
        || "plain text".into_response(),
        || axum::response::Html("<h1>Sign in</h1>").into_response(),
        || StatusCode::NO_CONTENT.into_response(),
    ] {
        texts.push(Playing::new(move |_| answer()).await.failure().await);
    }
    let list = Playing::new(|_| axum::Json(json!({"models": []})).into_response()).await;
    let error = list.provider().list_models().await.unwrap_err().to_string();
    texts.push(error.replace(&list.base_url, "<base>"));
    insta::assert_snapshot!(texts.join("\n"), @r#"
    the answer of <base>/chat/completions cannot be understood: expected value at line 1 column 1 in <html>
    the answer of <base>/chat/completions cannot be understood: invalid type: integer `7`, expected a sequence at line 1 column 13 in {"choices": 7}
    the provider broke its answer off with an error: overloaded
    the answer of <base>/chat/completions cannot be understood: expected a stream of events, found application/json: {"choices":[{"message":{"content":"7"}}]}
    the answer of <base>/chat/completions broke off: it ends without a finish reason
    the answer of <base>/chat/completions cannot be understood: expected a stream of events, found text/html: <h1>Sign in</h1>
    the answer of <base>/chat/completions broke off: it ends without a finish reason
    the answer of <base>/models cannot be understood: missing field `data` at line 1 column 13
    "#);
}

#[tokio::test]
async fn an_event_that_never_ends_is_refused() {
    let server = Playing::new(|_| {
        let line = format!("data: {}", "x".repeat(9 * 1024 * 1024));
        events(&line, 1024 * 1024)
    })
    .await;
    insta::assert_snapshot!(server.failure().await, @"the answer of <base>/chat/completions is too large: an event of more than 8 MiB");
}

/// Time is not real here: it passes at once where everything waits.
#[tokio::test(start_paused = true)]
async fn a_list_of_models_is_waited_for_no_longer_than_five_seconds() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let started = tokio::time::Instant::now();
    let error = provider_at(&base_url).list_models().await.unwrap_err().to_string();
    assert_eq!(error, format!("{base_url}/models sent nothing for 5 s"));
    assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());
}
