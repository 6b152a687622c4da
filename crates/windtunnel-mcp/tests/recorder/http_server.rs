//! Servers that already run behind an HTTP address.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use indexmap::IndexMap;
use rmcp::model::{CallToolRequest, ClientRequest};
use rmcp::service::PeerRequestOptions;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use windtunnel_api::pack::{HttpTools, ToolSpec};
use windtunnel_mcp::{BenchTools, RecorderLimits};
use windtunnel_spi::ToolFactory;

use crate::desk::Desk;
use crate::support::{Case, call, call_text, install_tls, params};

type Seen = Arc<Mutex<Vec<(String, Option<String>)>>>;

/// Serves on a free port; the answer is the address of `/mcp`.
async fn listen(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

async fn note(State(seen): State<Seen>, request: Request, next: Next) -> Response {
    let authorization =
        request.headers().get("authorization").map(|value| value.to_str().unwrap().to_owned());
    seen.lock().unwrap().push((request.method().to_string(), authorization));
    next.run(request).await
}

/// The desk with sessions or without; also what it was asked.
async fn desk(sessions: bool) -> (String, Seen) {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(sessions)
        .with_json_response(!sessions);
    let one = Desk::default();
    let service: StreamableHttpService<Desk, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(one.clone()), Arc::default(), config);
    let seen = Seen::default();
    let layer = middleware::from_fn_with_state(Arc::clone(&seen), note);
    (listen(Router::new().nest_service("/mcp", service).layer(layer)).await, seen)
}

fn spec(url: &str, headers: &[(&str, &str)]) -> ToolSpec {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    ToolSpec::Http(HttpTools { url: url.to_owned(), headers, effects: IndexMap::new() })
}

#[tokio::test]
async fn a_running_server_is_recorded_with_sessions_and_without() {
    for sessions in [true, false] {
        let (url, seen) = desk(sessions).await;
        let case = Case::new("remote");
        let mut served = case.start("desk", &spec(&url, &[])).await;
        assert_eq!(served.handle.served_tools().await.unwrap().len(), 8);
        for agent in [served.connect().await, served.connect_http().await] {
            assert_eq!(call_text(&agent, "add", json!({"a": 2, "b": 3})).await, "5");
            assert_eq!(agent.list_all_prompts().await.unwrap().len(), 1);
            agent.cancel().await.unwrap();
        }
        assert_eq!(served.calls().len(), 2);
        served.handle.refresh().await.unwrap();
        served.server.stop().await;
        let deleted = seen.lock().unwrap().iter().filter(|(method, _)| method == "DELETE").count();
        assert_eq!(deleted > 0, sessions, "sessions are ended at the server");
    }
}

#[tokio::test]
async fn streams_questions_and_progress_of_a_running_server_pass_through() {
    let (url, _) = desk(true).await;
    let case = Case::new("streams");
    let served = case.start("desk", &spec(&url, &[])).await;
    for agent in [served.connect().await, served.connect_http().await] {
        assert_eq!(call_text(&agent, "roots", json!({})).await, "file:///agent");
        let request =
            ClientRequest::CallToolRequest(CallToolRequest::new(params("slow", json!({"wait_ms": 20}))));
        let handle = agent.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap();
        handle.await_response().await.unwrap();
        let steps: Vec<f64> =
            agent.service().progress.lock().unwrap().iter().map(|(_, step)| *step).collect();
        assert_eq!(steps, [0.0, 1.0, 2.0, 3.0, 4.0]);
    }
}

#[tokio::test]
async fn a_header_s_secret_is_sent_and_never_kept() {
    let canary = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let (url, seen) = desk(true).await;
    let case = Case::new("canary");
    let served = case.start("desk", &spec(&url, &[("authorization", "Bearer ${CARGO_MANIFEST_DIR}")])).await;
    let agent = served.connect().await;
    call(&agent, "add", json!({"a": 1, "note": format!("I know {canary}")})).await;
    let echoed = call_text(&agent, "env", json!({"name": "CARGO_MANIFEST_DIR"})).await;
    assert_eq!(echoed, canary, "the agent sees what the server said");
    let expected = Some(format!("Bearer {canary}"));
    assert!(seen.lock().unwrap().iter().all(|(_, authorization)| *authorization == expected));
    let log = format!("{:?}", served.calls());
    assert!(log.contains("I know ***") && !log.contains(&canary), "{log}");

    let missing = spec(&url, &[("authorization", "Bearer ${NO_SUCH_VARIABLE}")]);
    let error = BenchTools::new().server("desk", &missing, &case.world).err().unwrap();
    insta::assert_snapshot!(error,
        @"tool server desk: variable NO_SUCH_VARIABLE is not set, and headers.authorization needs it: export NO_SUCH_VARIABLE before you start");
}

#[tokio::test]
async fn fields_that_nobody_knows_survive_the_whole_way() {
    let router = Router::new().route(
        "/mcp",
        post(|body: String| async move {
            let request: Value = serde_json::from_str(&body).unwrap();
            let kept = body.contains(r#""x-new" : [1.0, "\u0041"]"#);
            let answer = format!(
                "{{\n  \"x-extra\": 12345678901234567890123,\n \"kept\":{kept}, \"result\": {{ \"b\":1,\"a\":2 }}, \"id\": {} }}",
                request["id"]
            );
            ([("content-type", "application/json")], answer)
        }),
    );
    let url = listen(router).await;
    let case = Case::new("unknown");
    let served = case.start("odd", &spec(&url, &[])).await;
    let (reader, mut writer) = tokio::io::split(served.handle.connect().await.unwrap());
    let sent = "{\"id\":\"x\",\"method\":\"future/method\",\"x-new\" : [1.0, \"\\u0041\"]}\n";
    writer.write_all(sent.as_bytes()).await.unwrap();
    let line = BufReader::new(reader).lines().next_line().await.unwrap().unwrap();
    assert_eq!(
        line,
        r#"{   "x-extra": 12345678901234567890123,  "kept":true, "result": { "b":1,"a":2 }, "id": "x" }"#
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_or_no_mcp_server_is_a_clear_error() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let case = Case::new("nobody");
    let mut absent =
        BenchTools::new().server("desk", &spec(&format!("http://{address}/mcp"), &[]), &case.world).unwrap();
    let error = absent.start().await.err().unwrap().to_string().replace(&address.to_string(), "ADDRESS");
    insta::assert_snapshot!(error,
        @"tool server desk: nothing answers at http://ADDRESS/mcp: Connection refused (os error 111); start the server first");

    let url =
        listen(Router::new().route("/mcp", post(|| async { Redirect::temporary("http://elsewhere/mcp") })))
            .await;
    let served = case.start("desk", &spec(&url, &[])).await;
    let error = served.handle.served_tools().await.unwrap_err().to_string();
    insta::assert_snapshot!(error.replace(&url, "URL"),
        @"tool server desk: it cannot be initialised: it answers 307 Temporary Redirect to http://elsewhere/mcp: redirects are not followed, give the final address (URL)");

    let url = listen(Router::new().route("/mcp", post(|| async { "<html>".into_response() }))).await;
    let served = case.start("desk", &spec(&url, &[])).await;
    let error = served.handle.served_tools().await.unwrap_err().to_string();
    insta::assert_snapshot!(error.replace(&url, "URL"),
        @"tool server desk: it cannot be initialised: it answers 200 OK without an answer to the request: `<html>` (URL)");

    for url in ["ftp://x/", "not a url"] {
        let error = BenchTools::new().server("desk", &spec(url, &[]), &case.world).err().unwrap().to_string();
        assert!(error.contains(url), "{error}");
    }
}

#[tokio::test]
async fn errors_hold_no_part_of_a_secret_and_no_query() {
    let canary = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let start = "x".repeat(297);
    let echo = format!("{start}{canary} was refused");
    let url = listen(Router::new().route("/mcp", post(|| async { (StatusCode::UNAUTHORIZED, echo) }))).await;
    let case = Case::new("echo");
    let with_query = url.replace("http://", "http://user:pass@") + "?key=abc";
    let served =
        case.start("desk", &spec(&with_query, &[("authorization", "Bearer ${CARGO_MANIFEST_DIR}")])).await;
    let error = served.handle.served_tools().await.unwrap_err().to_string();
    assert!(error.ends_with(&format!("`{start}***…` ({url})")), "{error}");

    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let absent = spec(&format!("http://user:pass@{address}/mcp?key=abc"), &[]);
    let error = BenchTools::new().server("desk", &absent, &case.world).unwrap().start().await.err().unwrap();
    assert!(error.to_string().contains(&format!("nothing answers at http://{address}/mcp: ")), "{error}");
}

#[tokio::test]
async fn a_refresh_ends_the_sessions_of_agents_that_left_without_a_word() {
    let (url, seen) = desk(true).await;
    let case = Case::new("slots");
    let tools = BenchTools::new().with_limits(RecorderLimits { connections: 1, ..RecorderLimits::default() });
    let served = case.start_with(&tools, "desk", &spec(&url, &[])).await;
    let address = served.handle.url().await.unwrap();
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"},
    }});
    install_tls();
    let client = reqwest::Client::new();
    for _ in 0..3 {
        let request = client.post(&address).header("accept", "application/json, text/event-stream");
        let response = request.body(initialize.to_string()).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        served.handle.refresh().await.unwrap();
    }
    let deleted = seen.lock().unwrap().iter().filter(|(method, _)| method == "DELETE").count();
    assert_eq!(deleted, 3, "the server is told");
}

/// A server that answers `initialize` with a session, and everything else as it is told.
fn scripted(answer: impl Fn(&str) -> Response + Clone + Send + Sync + 'static) -> Router {
    Router::new().route(
        "/mcp",
        post(move |body: String| async move {
            let request: Value = serde_json::from_str(&body).unwrap();
            match request["method"].as_str() {
                Some("initialize") => {
                    let result = json!({"jsonrpc": "2.0", "id": request["id"], "result": {"protocolVersion": "2025-06-18"}});
                    let headers = [("content-type", "application/json"), ("mcp-session-id", "s")];
                    (headers, result.to_string()).into_response()
                }
                Some(method) if method.starts_with("notifications/") => StatusCode::ACCEPTED.into_response(),
                _ => answer(&request["id"].to_string()),
            }
        })
        .get(|headers: HeaderMap| async move {
            match headers.get("last-event-id").and_then(|id| id.to_str().ok()) {
                Some(id) => events(format!("data: {{\"id\":{id},\"result\":{{\"resumed\":true}}}}\n\n")),
                None => StatusCode::METHOD_NOT_ALLOWED.into_response(),
            }
        }),
    )
}

fn events(text: String) -> Response {
    ([("content-type", "text/event-stream")], text).into_response()
}

/// Initializes over memory and asks one thing; the answer.
async fn ask(case: &Case, router: Router) -> Value {
    let tools =
        BenchTools::new().with_limits(RecorderLimits { message_bytes: 10_000, ..RecorderLimits::default() });
    let url = listen(router).await;
    let served = case.start_with(&tools, "odd", &spec(&url, &[])).await;
    let (reader, mut writer) = tokio::io::split(served.handle.connect().await.unwrap());
    writer.write_all(b"{\"id\":0,\"method\":\"initialize\"}\n{\"id\":1,\"method\":\"x\"}\n").await.unwrap();
    let mut lines = BufReader::new(reader).lines();
    loop {
        let line = lines.next_line().await.unwrap().unwrap().replace(&url, "URL");
        let answer: Value = serde_json::from_str(&line).unwrap();
        if answer["id"] == 1 {
            return answer;
        }
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_taken_up_again() {
    let case = Case::new("resume");
    let router = scripted(|id| events(format!("id: {id}\nretry: 1\n\n")));
    assert_eq!(ask(&case, router).await, json!({"id": 1, "result": {"resumed": true}}));
}

#[tokio::test]
async fn every_way_not_to_answer_is_told_apart() {
    let case = Case::new("odd");
    let mut told = String::new();
    let ways: [fn(&str) -> Response; 6] = [
        |_| StatusCode::NOT_FOUND.into_response(),
        |_| events("data: {\"method\":\"n\"}\n\n".to_owned()),
        |_| "x".repeat(10_001).into_response(),
        |_| events(format!("data: {}\n\n", "x".repeat(10_001))),
        |_| (StatusCode::UNAUTHORIZED, "who are you?").into_response(),
        |_| (StatusCode::BAD_REQUEST, r#"{"id":null,"error":{"code":1,"message":"no"}}"#).into_response(),
    ];
    for way in ways {
        let answer = ask(&case, scripted(way)).await;
        told.push_str(answer["error"]["message"].as_str().unwrap());
        told.push('\n');
    }
    insta::assert_snapshot!(told, @r#"
    tool server odd has ended the session
    tool server odd ended its stream before the answer (URL)
    tool server odd sent more than 10000 bytes (URL)
    tool server odd sent an event of more than 10000 bytes (URL)
    tool server odd answers 401 Unauthorized: `who are you?` (URL)
    tool server odd answers 400 Bad Request: `{"id":null,"error":{"code":1,"message":"no"}}` (URL)
    "#);
}
