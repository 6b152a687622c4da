//! What is sent, and answers as they should be.

use std::sync::Arc;
use std::time::Duration;

use axum::response::IntoResponse as _;
use futures::StreamExt as _;
use omw::exchange::{ChatReply, ChatRequest, Tool, ToolCall};
use omw::prelude::*;
use omw::provider::openai::{OpenAiProvider, OpenAiProviderParams};
use serde_json::json;
use tokio::sync::Notify;
use windtunnel_api::Secret;

use crate::servers::{KEY, Playing, chunk, event_stream, events, question, says};

/// Everything that servers of the field put into a stream.
fn lively_stream() -> String {
    let call = |piece| chunk(&json!({"tool_calls": [piece]}), None);
    [
        ": processing\r\n\r\n".to_owned(),
        chunk(&json!({"role": "assistant", "content": ""}), None).replace('\n', "\r\n"),
        chunk(&json!({"reasoning": "hm, "}), None),
        chunk(&json!({"reasoning_content": "well"}), None).replace('\n', "\r"),
        format!("event: message\nid: 7\n{}", chunk(&json!({"content": "Grüße, "}), None)),
        chunk(&json!({"content": "🌍!"}), None),
        call(json!({"index": 1, "id": "c1", "type": "function", "function": {"name": "look", "arguments": ""}})),
        call(json!({"index": 1, "function": {"arguments": "{\"a\":"}})),
        call(json!({"index": 1, "id": "", "function": {"name": null, "arguments": "1}"}})),
        call(json!({"index": 2, "id": "c2", "type": "function", "function": {"name": "find", "arguments": "{}"}})),
        chunk(&json!({}), Some("tool_calls")),
        "data: {\"choices\": [], \"usage\": {\"total_tokens\": 7}}\n\n".to_owned(),
        "data: [DONE]\n\n".to_owned(),
        "data: nobody reads this\n\n".to_owned(),
    ]
    .concat()
}

#[tokio::test]
async fn an_answer_is_read_however_its_bytes_are_cut() {
    let text = |text: &str| Some(text.to_owned());
    let call = |id: &str, name: &str, arguments: &str| ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let expected = ChatReply {
        content: text("Grüße, 🌍!"),
        reasoning: text("hm, well"),
        tool_calls: vec![call("c1", "look", "{\"a\":1}"), call("c2", "find", "{}")],
        finish_reason: text("tool_calls"),
        usage: text("{\"total_tokens\": 7}"),
    };
    for size in [1, 2, 3, 7, 100, 10_000] {
        let server = Playing::new(move |_| events(&lively_stream(), size)).await;
        assert_eq!(server.provider().chat(question()).await.unwrap(), expected, "cut every {size} bytes");
    }
}

#[tokio::test]
async fn pieces_arrive_while_the_server_is_still_talking() {
    let go_on = Arc::new(Notify::new());
    let wait = Arc::clone(&go_on);
    let server = Playing::new(move |_| {
        let wait = Arc::clone(&wait);
        let first = chunk(&json!({"content": "one"}), None);
        let second = chunk(&json!({"content": "two"}), Some("stop"));
        let rest = futures::stream::once(async move {
            wait.notified().await;
            Ok::<_, std::convert::Infallible>(second)
        });
        event_stream(axum::body::Body::from_stream(futures::stream::iter([Ok(first)]).chain(rest)))
    })
    .await;
    let mut stream = server.provider().chat_stream(question()).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), says("one"));
    go_on.notify_one();
    let last = stream.next().await.unwrap().unwrap();
    assert_eq!((last.content.as_deref(), last.finish_reason.as_deref()), (Some("two"), Some("stop")));
    assert!(stream.next().await.is_none(), "without [DONE], but with a finish reason");
}

#[tokio::test]
async fn dropping_the_stream_ends_the_request() {
    struct Gone(Arc<Notify>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }
    let gone = Arc::new(Notify::new());
    let noticed = Arc::clone(&gone);
    let server = Playing::new(move |_| {
        let gone = Gone(Arc::clone(&noticed));
        let first = chunk(&json!({"content": "one"}), None);
        let pieces = futures::stream::unfold((Some(first), gone), |(first, gone)| async move {
            match first {
                Some(first) => Some((Ok::<_, std::convert::Infallible>(first), (None, gone))),
                None => std::future::pending().await,
            }
        });
        event_stream(axum::body::Body::from_stream(pieces))
    })
    .await;
    let mut stream = server.provider().chat_stream(question()).await.unwrap();
    stream.next().await.unwrap().unwrap();
    drop(stream);
    tokio::time::timeout(Duration::from_secs(10), gone.notified()).await.expect("the server sees it");
}

#[tokio::test]
async fn the_request_is_a_streamed_chat_completion_with_everyone_s_params() {
    let server = Playing::new(|_| events(&chunk(&json!({"content": "7"}), Some("stop")), 1000)).await;
    let params = json!({
        "base_url": format!("{}/?api-version=3", server.base_url),
        "api_key": KEY,
        "params": {"temperature": 0, "top_p": 0.5, "stream": false},
    });
    let provider = OpenAiProvider::new(serde_json::from_value(params).unwrap()).unwrap();
    let request = ChatRequest {
        tools: vec![Tool {
            name: "look".to_owned(),
            input_schema: json!({"type": "object"}),
            ..Tool::default()
        }],
        params: Some(json!({"temperature": 1})),
        ..question()
    };
    provider.chat(request).await.unwrap();
    let asked = &server.asked()[0];
    assert_eq!(asked.path, "/v1/chat/completions?api-version=3");
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(asked.headers["accept"], "text/event-stream");
    assert_eq!(
        asked.body,
        json!({
            "model": "m",
            "messages": [{"role": "user", "content": "How many?"}],
            "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}],
            "stream": true,
            "temperature": 1,
            "top_p": 0.5,
        })
    );
}

#[tokio::test]
async fn without_a_key_nothing_is_authorized() {
    let server = Playing::new(|_| events("data: [DONE]\n\n", 1000)).await;
    for api_key in [None, Some(Secret::new(" \n"))] {
        let params = OpenAiProviderParams {
            base_url: server.base_url.clone(),
            api_key,
            ..OpenAiProviderParams::default()
        };
        let reply = OpenAiProvider::new(params).unwrap().chat(question()).await.unwrap();
        assert_eq!(reply, ChatReply::default());
    }
    assert!(server.asked().iter().all(|asked| !asked.headers.contains_key("authorization")));
}

#[tokio::test]
async fn models_are_listed_in_the_server_s_order() {
    let server = Playing::new(|asked| {
        assert_eq!(asked.path, "/v1/models");
        axum::Json(json!({"object": "list", "data": [{"id": "small", "object": "model"}, {"id": "large"}]}))
            .into_response()
    })
    .await;
    assert_eq!(server.provider().list_models().await.unwrap(), ["small", "large"]);
    assert_eq!(server.asked()[0].headers["authorization"], format!("Bearer {KEY}"));
}

#[tokio::test]
async fn the_configured_model_stands_in_for_a_list_that_there_is_none_of() {
    let empty = Playing::new(|_| axum::Json(json!({"data": []})).into_response()).await;
    let failing = Playing::new(|_| axum::http::StatusCode::NOT_FOUND.into_response()).await;
    for server in [empty, failing] {
        let params = OpenAiProviderParams {
            base_url: server.base_url.clone(),
            model: Some("mine".to_owned()),
            ..OpenAiProviderParams::default()
        };
        assert_eq!(OpenAiProvider::new(params).unwrap().list_models().await.unwrap(), ["mine"]);
    }
}
