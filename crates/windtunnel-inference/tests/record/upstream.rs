//! A provider, and a recorder in front of it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use futures::stream;
use serde_json::{Value, json};
use windtunnel_api::config::Wire;
use windtunnel_inference::record::{Recorder, Redaction, Session, Upstreams, Witnessed};

/// What the provider answers with.
#[derive(Clone, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    /// Sent one by one, with a pause in between.
    pub(crate) pieces: Vec<String>,
    /// Whether the connection breaks off at the end.
    pub(crate) breaks_off: bool,
}

impl Answer {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            pieces: vec![body.to_string()],
            breaks_off: false,
        }
    }

    pub(crate) fn events(events: &[Value]) -> Self {
        let mut pieces: Vec<String> = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        pieces.push("data: [DONE]\n\n".to_owned());
        Self {
            status: 200,
            headers: vec![("content-type", "text/event-stream; charset=utf-8".to_owned())],
            pieces,
            breaks_off: false,
        }
    }
}

/// A message of the model as Chat Completions has it.
pub(crate) fn says(content: &str) -> Value {
    message(&json!({"role": "assistant", "content": content}), "stop")
}

/// A decision to call tools as Chat Completions has it: id, name, arguments.
pub(crate) fn calls(calls: &[(&str, &str, Value)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(id, name, arguments)| {
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments.to_string()}})
        })
        .collect();
    message(&json!({"role": "assistant", "content": null, "tool_calls": calls}), "tool_calls")
}

fn message(message: &Value, finish: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    })
}

/// A request as the provider got it.
#[derive(Clone, Debug)]
pub(crate) struct Got {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) body: Bytes,
}

#[derive(Clone, Default)]
struct Provider {
    answers: Arc<Mutex<Vec<Answer>>>,
    got: Arc<Mutex<Vec<Got>>>,
}

/// A recorder in front of a provider that gives these answers, one after the other.
pub(crate) struct Stage {
    provider: Provider,
    pub(crate) recorder: Recorder,
    pub(crate) http: reqwest::Client,
}

impl Stage {
    pub(crate) async fn with(answers: Vec<Answer>) -> Self {
        Self::in_front_of(answers, "", Redaction::default()).await
    }

    /// `userinfo` stands in the address of the provider.
    pub(crate) async fn in_front_of(mut answers: Vec<Answer>, userinfo: &str, redaction: Redaction) -> Self {
        answers.reverse();
        let provider = Provider { answers: Arc::new(Mutex::new(answers)), ..Provider::default() };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{userinfo}{}/v1", listener.local_addr().unwrap());
        let app = Router::new().fallback(answer).with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        let upstreams = Upstreams::of(Some(&base), Some(&base), false).unwrap();
        let recorder = Recorder::start("127.0.0.1:0".parse().unwrap(), upstreams, redaction).await.unwrap();
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { provider, recorder, http }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.recorder.base_url(Wire::OpenAiChat))
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> reqwest::Response {
        self.http.post(self.url(path)).json(body).send().await.unwrap()
    }

    /// Asks over Chat Completions and reads the answer to its end.
    pub(crate) async fn chat(&self, body: &Value) {
        self.post("/chat/completions", body).await.bytes().await.unwrap();
    }

    pub(crate) fn got(&self) -> Vec<Got> {
        self.provider.got.lock().unwrap().clone()
    }

    pub(crate) async fn session(&self) -> Session {
        self.recorder.take(Witnessed::default()).await.unwrap()
    }
}

async fn answer(State(provider): State<Provider>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let got = Got {
        method: parts.method.to_string(),
        target: parts.uri.to_string(),
        headers: parts.headers,
        body: axum::body::to_bytes(body, usize::MAX).await.unwrap(),
    };
    provider.got.lock().unwrap().push(got);
    let answer = provider.answers.lock().unwrap().pop().expect("no more requests were expected");
    let mut response = Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        response = response.header(*name, value);
    }
    let end = answer.breaks_off.then(|| Err(std::io::Error::other("cut")));
    let pieces = answer.pieces.into_iter().map(|piece| Ok(Bytes::from(piece))).chain(end);
    let paced = stream::unfold(pieces, |mut pieces| async move {
        let piece = pieces.next()?;
        tokio::time::sleep(Duration::from_millis(2)).await;
        Some((piece, pieces))
    });
    response.body(Body::from_stream(paced)).unwrap()
}
