//! Servers and what is asked of them.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use futures::{FutureExt as _, StreamExt as _};
use http::StatusCode;
use omw::backend::BackendError;
use omw::config::{Params, Tunables};
use omw::tooling::mcp::McpTooling;
use omw::tooling::{CallMode, Tooling as _, UpdateStream};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use crate::shelf::Shelf;

/// What an HTTP server wants to see.
pub(crate) const TOKEN: &str = "canary-token";

/// The test server as a program, with its variables.
pub(crate) fn program(env: &Value) -> McpTooling {
    tooling(json!({"transport": "stdio", "command": shelf_program(), "env": env}))
}

/// A tooling with short pauses.
pub(crate) fn tooling(params: Value) -> McpTooling {
    let tunables = Tunables { tooling_connect_backoff_start_ms: 20, ..Tunables::default() };
    McpTooling::new(&Params::of_value(params), &tunables).unwrap()
}

pub(crate) fn shelf_program() -> String {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().and_then(|deps| deps.parent()).unwrap().join("examples/mcp_server");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "build the examples first: {}", program.display());
    program.to_str().unwrap().to_owned()
}

pub(crate) async fn call(tooling: &McpTooling, tool: &str, arguments: Value) -> Result<Value, BackendError> {
    let result = tooling.call_tool(tool, arguments, CallMode::Blocking).await?;
    Ok(serde_json::from_str(&result.content).unwrap())
}

/// The text of a call that has to succeed.
pub(crate) async fn call_text(tooling: &McpTooling, tool: &str, arguments: Value) -> String {
    let content = call(tooling, tool, arguments).await.unwrap();
    content[0]["text"].as_str().unwrap().to_owned()
}

pub(crate) async fn put(tooling: &McpTooling, uri: &str, text: &str) {
    call(tooling, "put", json!({"uri": uri, "text": text})).await.unwrap();
}

/// The next update, which has to come soon.
pub(crate) async fn next<T>(updates: &mut UpdateStream<T>) -> Result<T, BackendError> {
    let update = tokio::time::timeout(Duration::from_secs(10), updates.next());
    update.await.expect("no update within 10 s").expect("the subscription ended")
}

/// Whether an update is there that was not expected.
pub(crate) async fn has_more<T>(updates: &mut UpdateStream<T>) -> bool {
    tokio::time::sleep(Duration::from_millis(100)).await;
    updates.next().now_or_never().is_some()
}

/// Waits until a process is gone.
pub(crate) async fn assert_gone(pid: &str) {
    for _ in 0..100 {
        let alive = Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status().unwrap();
        if !alive.success() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("process {pid} is still there after 5 s");
}

/// The test server behind an address, in threads of its own, so that it can be killed with all its connections.
pub(crate) struct HttpShelf {
    runtime: Option<Runtime>,
    pub(crate) port: u16,
}

impl HttpShelf {
    pub(crate) fn start() -> Self {
        Self::start_at(0, true)
    }

    pub(crate) fn start_at(port: u16, sessions: bool) -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let shelf = Shelf::default();
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(sessions)
            .with_json_response(!sessions);
        let service: StreamableHttpService<Shelf, LocalSessionManager> =
            StreamableHttpService::new(move || Ok(shelf.clone()), Arc::default(), config);
        let router = Router::new().nest_service("/mcp", service).layer(middleware::from_fn(authorize));
        let (bound, port_of) = std::sync::mpsc::channel();
        runtime.spawn(async move {
            let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
            bound.send(listener.local_addr().unwrap().port()).unwrap();
            axum::serve(listener, router).await
        });
        Self { runtime: Some(runtime), port: port_of.recv().unwrap() }
    }

    /// A tooling that knows the way.
    pub(crate) fn tooling(&self) -> McpTooling {
        tooling_at(self.port)
    }

    /// Breaks all connections and stops to listen.
    pub(crate) async fn kill(mut self) -> u16 {
        let runtime = self.runtime.take().unwrap();
        tokio::task::spawn_blocking(move || runtime.shutdown_timeout(Duration::from_secs(5))).await.unwrap();
        self.port
    }
}

impl Drop for HttpShelf {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

pub(crate) fn tooling_at(port: u16) -> McpTooling {
    let url = format!("http://127.0.0.1:{port}/mcp?key=canary-query");
    tooling(json!({"transport": "http", "url": url, "auth_token": TOKEN}))
}

async fn authorize(request: Request, next: Next) -> Response {
    let authorization = request.headers().get("authorization").map(|value| value.to_str().unwrap());
    if authorization == Some(&format!("Bearer {TOKEN}")) {
        return next.run(request).await;
    }
    (StatusCode::UNAUTHORIZED, [("www-authenticate", "Bearer")], format!("not {authorization:?}"))
        .into_response()
}

pub(crate) fn pretty(value: impl serde::Serialize) -> String {
    serde_json::to_string_pretty(&value).unwrap()
}
