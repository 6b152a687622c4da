//! Agents over streamable HTTP, request by request.

use std::time::Duration;

use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use windtunnel_api::pack::{ToolSpec, WorkspaceTools};
use windtunnel_mcp::{BenchTools, RecorderLimits};
use windtunnel_spi::InjectedFailure;

use crate::support::{Case, install_tls};

const BOTH: &str = "application/json, text/event-stream";

struct Http {
    client: Client,
    url: String,
    session: Option<String>,
}

impl Http {
    fn new(url: String) -> Self {
        install_tls();
        Self { client: Client::new(), url, session: None }
    }

    async fn post(&self, accept: &str, body: &Value) -> Response {
        let mut request =
            self.client.post(&self.url).header("content-type", "application/json").header("accept", accept);
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session).header("mcp-protocol-version", "2025-06-18");
        }
        request.body(body.to_string()).send().await.unwrap()
    }

    async fn initialize(&mut self) {
        let response = self.post(BOTH, &initialize()).await;
        assert_eq!(response.headers()["content-type"], "application/json");
        self.session = Some(response.headers()["mcp-session-id"].to_str().unwrap().to_owned());
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        let accepted =
            self.post(BOTH, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        assert_eq!(accepted.status(), StatusCode::ACCEPTED);
    }
}

fn initialize() -> Value {
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

fn ping(id: u64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "ping"})
}

fn error(text: &str) -> String {
    let answer: Value = serde_json::from_str(text).unwrap();
    answer["error"]["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn answers_are_json_and_events_only_where_they_have_to_be() {
    let case = Case::new("json");
    let served = case.stdio().await;
    let mut http = Http::new(served.handle.url().await.unwrap());
    http.initialize().await;
    let response = http.post(BOTH, &ping(1)).await;
    assert_eq!(response.headers()["content-type"], "application/json");
    let response = http.post("text/event-stream", &ping(2)).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(
        response.text().await.unwrap(),
        "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n"
    );

    let meta = json!({"progressToken": "t"});
    let call =
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "slow", "_meta": meta}});
    let response = http.post(BOTH, &call).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let text = response.text().await.unwrap();
    assert_eq!(
        (text.matches("event: message").count(), text.matches(r#""progressToken":"t""#).count()),
        (6, 5),
        "{text}"
    );
    let response = http.post("application/json", &call).await;
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(response.json::<Value>().await.unwrap()["id"], 3);
    assert_eq!(http.post("image/png", &ping(4)).await.status(), StatusCode::NOT_ACCEPTABLE);
}

#[tokio::test]
async fn a_batch_is_answered_as_a_batch() {
    let case = Case::new("batch");
    let served = case.workspace().await;
    let mut http = Http::new(served.handle.url().await.unwrap());
    http.initialize().await;
    let mut answers: Value = http.post(BOTH, &json!([ping(1), ping(2)])).await.json().await.unwrap();
    let answers = answers.as_array_mut().unwrap();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!((answers.len(), &answers[0]["id"], &answers[1]["id"]), (2, &json!(1), &json!(2)));
    let twice = http.post(BOTH, &json!([ping(1), ping(1)])).await;
    assert_eq!(twice.status(), StatusCode::BAD_REQUEST);
    assert!(error(&twice.text().await.unwrap()).contains("two requests of the batch have the id 1"));
}

#[tokio::test]
async fn what_a_server_says_unasked_goes_to_the_open_stream() {
    let case = Case::new("unasked");
    let served = case.stdio().await;
    let mut http = Http::new(served.handle.url().await.unwrap());
    http.initialize().await;
    let session = http.session.clone().unwrap();
    let get =
        http.client.get(&http.url).header("accept", "text/event-stream").header("mcp-session-id", &session);
    let mut stream = get.send().await.unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "roots"}});
    let asking = {
        let (client, url, session) = (http.client.clone(), http.url.clone(), session.clone());
        tokio::spawn(async move {
            let post =
                client.post(url).header("accept", "application/json").header("mcp-session-id", session);
            post.body(ask.to_string()).send().await.unwrap().json::<Value>().await.unwrap()
        })
    };
    let event = String::from_utf8(stream.chunk().await.unwrap().unwrap().to_vec()).unwrap();
    let question: Value = serde_json::from_str(event.split_once("data: ").unwrap().1.trim()).unwrap();
    assert_eq!(question["method"], "roots/list");
    let roots =
        json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": [{"uri": "file:///here"}]}});
    assert_eq!(http.post(BOTH, &roots).await.status(), StatusCode::ACCEPTED);
    assert_eq!(asking.await.unwrap()["result"]["content"][0]["text"], "file:///here");
}

#[tokio::test]
async fn a_deleted_or_refreshed_session_is_gone_and_so_is_a_stopped_server() {
    let case = Case::new("gone");
    let mut served = case.workspace().await;
    let mut http = Http::new(served.handle.url().await.unwrap());
    http.initialize().await;
    let session = http.session.clone().unwrap();
    let delete = || http.client.delete(&http.url).header("mcp-session-id", &session).send();
    assert_eq!(delete().await.unwrap().status(), StatusCode::NO_CONTENT);
    assert_eq!(delete().await.unwrap().status(), StatusCode::NOT_FOUND);

    http.session = None;
    http.initialize().await;
    served.handle.refresh().await.unwrap();
    let refused = http.post(BOTH, &ping(1)).await;
    assert_eq!(refused.status(), StatusCode::NOT_FOUND);
    insta::assert_snapshot!(refused.text().await.unwrap(), @r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"this session has ended (its server was made fresh, or it was deleted): initialize again"}}"#);
    http.session = None;
    http.initialize().await;

    served.server.stop().await;
    let refused = http.post(BOTH, &ping(1)).await;
    assert_eq!(refused.status(), StatusCode::NOT_FOUND);
    let why = error(&refused.text().await.unwrap());
    assert!(
        why.starts_with("no tool server at /t/gone/files/") && why.contains("its case has ended"),
        "{why}"
    );
}

#[tokio::test]
async fn requests_out_of_order_or_form_are_refused_and_say_why() {
    let case = Case::new("form");
    let tools =
        BenchTools::new().with_limits(RecorderLimits { message_bytes: 1000, ..RecorderLimits::default() });
    let served = case.start_with(&tools, "files", &ToolSpec::Workspace(WorkspaceTools::default())).await;
    let http = Http::new(served.handle.url().await.unwrap());
    let send = |request: reqwest::RequestBuilder| async move {
        let response = request.send().await.unwrap();
        (response.status().as_u16(), error(&response.text().await.unwrap()))
    };
    let post = || http.client.post(&http.url).header("accept", BOTH);
    let (status, why) = send(post().body("{\"id\":1")).await;
    assert_eq!((status, why.starts_with("not JSON-RPC: EOF while parsing")), (400, true), "{why}");
    let (status, why) = send(post().body("x".repeat(1001))).await;
    assert_eq!((status, why.contains("1000 bytes")), (413, true), "{why}");
    let (status, why) = send(post().header("origin", "https://example.com").body(ping(1).to_string())).await;
    assert_eq!((status, why.contains("web pages")), (403, true), "{why}");
    assert_eq!(send(http.client.get(&http.url)).await.0, 400);
    assert_eq!(send(http.client.delete(&http.url)).await.0, 400);
    assert_eq!(send(http.client.put(&http.url)).await.0, 405);
    let elsewhere = http.url.replace("/mcp", "/mcp2");
    assert_eq!(send(http.client.post(elsewhere)).await.0, 404);
}

#[tokio::test]
async fn a_client_without_sessions_is_served_request_by_request() {
    let case = Case::new("stateless");
    let served = case.workspace().await;
    let http = Http::new(served.handle.url().await.unwrap());
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_files"}});
    for _ in 0..3 {
        let answer: Value = http.post(BOTH, &call).await.json().await.unwrap();
        assert_eq!(answer["result"]["structuredContent"], json!({"files": []}));
    }
    assert_eq!(served.calls().len(), 3);
}

#[tokio::test]
async fn a_session_that_ends_under_a_waiting_request_answers_it() {
    let case = Case::new("waiting");
    let served = case.workspace().await;
    let mut http = Http::new(served.handle.url().await.unwrap());
    http.initialize().await;
    served.handle.inject_failure("list_files", InjectedFailure::Timeout(Duration::from_secs(600)));
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_files"}});
    let (response, ()) = tokio::join!(http.post(BOTH, &call), async {
        while served.calls().is_empty() {
            tokio::task::yield_now().await;
        }
        served.handle.refresh().await.unwrap();
    });
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    assert_eq!(error(&response.text().await.unwrap()), "the session ended before the answer");
}
