//! A server on this machine that answers by a script, and remembers what it was asked.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use windtunnel_api::Secret;
use windtunnel_process::ItemRef;
use windtunnel_process::transport::github::GitHub;

/// What a server answers to a comment.
pub(crate) const POSTED: &str = r#"{"id": 1, "user": {"login": "process-bot", "id": 7}, "body": "hello"}"#;

/// A token that nobody must see.
pub(crate) const TOKEN: &str = "ghp_canary0123456789";

/// What was asked.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The method, path and query.
    pub(crate) line: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

type Script = dyn Fn(usize, &Asked) -> Response + Send + Sync;

pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    task: JoinHandle<()>,
}

#[derive(Clone)]
struct Desk {
    script: Arc<Script>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Answers by a function of how many requests came before, and the request.
    pub(crate) async fn start(script: impl Fn(usize, &Asked) -> Response + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let desk = Desk { script: Arc::new(script), asked: Arc::clone(&asked) };
        let router = Router::new().fallback(answer).with_state(desk);
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, asked, task }
    }

    /// Answers all requests the same.
    pub(crate) async fn always(status: u16, headers: &[(&'static str, &str)], body: &str) -> Self {
        let headers: Vec<(&'static str, String)> =
            headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let body = body.to_owned();
        Self::start(move |_, _| {
            let headers: Vec<(&'static str, &str)> =
                headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            response(status, &headers, &body)
        })
        .await
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.line).collect()
    }

    pub(crate) fn github(&self) -> GitHub {
        github(&self.url)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(State(desk): State<Desk>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body: Bytes = axum::body::to_bytes(body, 1024 * 1024).await.unwrap();
    let asked = Asked {
        line: format!("{} {}", parts.method, parts.uri),
        headers: parts.headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    let before = {
        let mut list = desk.asked.lock().unwrap();
        list.push(asked.clone());
        list.len() - 1
    };
    (desk.script)(before, &asked)
}

pub(crate) fn response(status: u16, headers: &[(&str, &str)], body: &str) -> Response {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(Body::from(body.to_owned())).unwrap()
}

pub(crate) fn github(url: &str) -> GitHub {
    GitHub::builder(Secret::new(TOKEN)).base_url(url).time_limit(Duration::from_secs(20)).build().unwrap()
}

pub(crate) fn item() -> ItemRef {
    ItemRef { repo: "e2e/process.rs".parse().unwrap(), number: 42 }
}
