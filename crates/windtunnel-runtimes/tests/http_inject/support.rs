//! Endpoints that answer as a closure says, and what they were asked.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use windtunnel_api::config::HttpInjectRuntime;
use windtunnel_runtimes::http_inject;
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentReply, AgentRuntime, CaseWorld, Message, RuntimeError, RuntimePlugin,
    SessionId,
};

type Answers = dyn Fn(&str, &Value) -> Response + Send + Sync;

/// A request: its path, its body, and its `authorization`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) body: Value,
    pub(crate) authorization: Option<String>,
}

#[derive(Clone)]
struct Desk {
    answers: Arc<Answers>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// A running endpoint.
pub(crate) struct Endpoint {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Endpoint {
    /// Serves `/wt/…` with these answers until the test ends.
    pub(crate) async fn serve(answers: impl Fn(&str, &Value) -> Response + Send + Sync + 'static) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let desk = Desk { answers: Arc::new(answers), asked: Arc::clone(&asked) };
        let app = Router::new().fallback(answer).with_state(desk);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, asked }
    }

    pub(crate) fn spec(&self) -> HttpInjectRuntime {
        HttpInjectRuntime::at(&self.url)
    }

    /// What was asked, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The paths and bodies of what was asked, as lines.
    pub(crate) fn transcript(&self) -> String {
        let line = |Asked { path, body, .. }: Asked| format!("{path} {body}");
        self.asked().into_iter().map(line).collect::<Vec<_>>().join("\n")
    }

    pub(crate) async fn runtime(&self) -> Arc<dyn AgentRuntime> {
        plugin(&self.spec()).build().await.unwrap()
    }

    pub(crate) async fn agent(&self) -> Box<dyn AgentHandle> {
        self.runtime().await.provision(config(), Vec::new()).await.unwrap()
    }
}

async fn answer(State(desk): State<Desk>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let path = uri.path().to_owned();
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let response = (desk.answers)(&path, &body);
    let authorization = headers.get("authorization").and_then(|value| value.to_str().ok()).map(str::to_owned);
    desk.asked.lock().unwrap().push(Asked { path, body, authorization });
    response
}

pub(crate) fn plugin(spec: &HttpInjectRuntime) -> Arc<dyn RuntimePlugin> {
    http_inject::plugin("desk", spec).unwrap()
}

pub(crate) fn config() -> AgentConfig {
    AgentConfig::new("wt-cli", CaseWorld::new("case-1", "/tmp"))
}

pub(crate) async fn say(agent: &mut dyn AgentHandle, text: &str) -> Result<AgentReply, RuntimeError> {
    agent.send(&[Message::user(text)], &SessionId::new("s-1")).await
}

/// An answer with status 200.
pub(crate) fn ok(body: &Value) -> Response {
    axum::Json(body).into_response()
}

pub(crate) fn status(status: u16) -> Response {
    StatusCode::from_u16(status).unwrap().into_response()
}

/// A turn's answer that keeps the contract.
pub(crate) fn replies(text: &str) -> Response {
    ok(&json!({"wt_inject": 1, "reply": text, "tool_calls": []}))
}

/// An endpoint without any of the optional routes, which repeats what it is told.
pub(crate) fn echo(path: &str, body: &Value) -> Response {
    match path {
        "/wt/inject" => replies(body["text"].as_str().unwrap_or("nothing")),
        "/wt/reset" => status(204),
        _ => status(404),
    }
}
