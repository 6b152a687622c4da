//! Servers that play a provider.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use futures::{StreamExt as _, stream};
use omw::exchange::{ChatDelta, ChatRequest, Message};
use omw::prelude::*;
use omw::provider::openai::{OpenAiProvider, OpenAiProviderParams};
use serde_json::Value;
use windtunnel_api::Secret;

pub(crate) const KEY: &str = "sk-canary-123456";

/// What a server was asked.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

/// A server that answers everything in one way.
pub(crate) struct Playing {
    pub(crate) base_url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Playing {
    pub(crate) async fn new(answer: impl Fn(&Asked) -> Response + Clone + Send + Sync + 'static) -> Self {
        let asked = Arc::<Mutex<Vec<Asked>>>::default();
        let log = Arc::clone(&asked);
        let app = Router::new().fallback(move |request: Request| async move {
            let (head, body) = request.into_parts();
            let body = serde_json::from_slice(&to_bytes(body, usize::MAX).await.unwrap()).unwrap_or_default();
            let path = head.uri.path_and_query().unwrap().to_string();
            let asked = Asked { path, headers: head.headers, body };
            log.lock().unwrap().push(asked.clone());
            answer(&asked)
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { base_url, asked }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn provider(&self) -> OpenAiProvider {
        provider_at(&self.base_url)
    }

    /// The text that a chat fails with; the server's address is left out.
    pub(crate) async fn failure(&self) -> String {
        let error = self.provider().chat(question()).await.unwrap_err().to_string();
        error.replace(&self.base_url, "<base>")
    }
}

pub(crate) fn provider_at(base_url: &str) -> OpenAiProvider {
    let params = OpenAiProviderParams {
        base_url: base_url.to_owned(),
        api_key: Some(Secret::new(KEY)),
        ..OpenAiProviderParams::default()
    };
    OpenAiProvider::new(params).unwrap()
}

pub(crate) fn question() -> ChatRequest {
    let message =
        Message { role: "user".to_owned(), content: Some("How many?".to_owned()), ..Message::default() };
    ChatRequest { model: "m".to_owned(), messages: vec![message], ..ChatRequest::default() }
}

/// A body in pieces of so many bytes, each sent by itself.
pub(crate) fn events(text: &str, size: usize) -> Response {
    let pieces: Vec<_> = text.as_bytes().chunks(size).map(Bytes::copy_from_slice).collect();
    // The pause lets the connection send what it has.
    let pieces = stream::unfold(pieces.into_iter(), |mut pieces| async move {
        tokio::task::yield_now().await;
        Some((Ok::<_, std::convert::Infallible>(pieces.next()?), pieces))
    });
    event_stream(Body::from_stream(pieces))
}

/// The same, after which the connection breaks.
pub(crate) fn broken_events(text: &str) -> Response {
    let text = Bytes::copy_from_slice(text.as_bytes());
    let end = stream::once(async {
        // The piece has to leave before the connection does.
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        Err(std::io::Error::other("broken"))
    });
    let pieces = stream::iter([Ok(text)]).chain(end);
    event_stream(Body::from_stream(pieces))
}

/// The same, after which nothing comes and the connection stays.
pub(crate) fn hanging_events(text: &str) -> Response {
    let text = Bytes::copy_from_slice(text.as_bytes());
    let pieces = stream::iter([Ok::<_, std::convert::Infallible>(text)]).chain(stream::pending());
    event_stream(Body::from_stream(pieces))
}

pub(crate) fn event_stream(body: Body) -> Response {
    ([("content-type", "text/event-stream")], body).into_response()
}

/// A chunk with this delta, as an event.
pub(crate) fn chunk(delta: &Value, finish_reason: Option<&str>) -> String {
    let choice = serde_json::json!({"index": 0, "delta": delta, "finish_reason": finish_reason});
    format!("data: {}\n\n", serde_json::json!({"object": "chat.completion.chunk", "choices": [choice]}))
}

pub(crate) fn says(text: &str) -> ChatDelta {
    ChatDelta { content: Some(text.to_owned()), ..ChatDelta::default() }
}
