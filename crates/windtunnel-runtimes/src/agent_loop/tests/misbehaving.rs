//! Servers on the other end of a connection that do what servers may do, and what they should not.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};
use windtunnel_api::artifact::evidence::ToolCall;
use windtunnel_spi::{EvidenceUnavailable, InjectedFailure, ServedTool, Stamped, ToolError};

use super::*;

/// Answers each line of a connection, which is counted from 0.
type Answer = fn(connection: usize, request: &Value) -> Step;

/// What a server does after a line.
enum Step {
    Say(Vec<Value>),
    SayAndLeave(Vec<Value>),
    Leave,
}

use Step::{Leave, Say, SayAndLeave};

/// A tool server that is a function.
struct FakeServer {
    answer: Answer,
    connections: Arc<AtomicUsize>,
}

impl FakeServer {
    fn handle(answer: Answer) -> Arc<dyn ToolHandle> {
        Arc::new(Self { answer, connections: Arc::default() })
    }
}

#[async_trait]
impl ToolHandle for FakeServer {
    fn server(&self) -> &'static str {
        "fake"
    }

    async fn url(&self) -> Result<String, ToolError> {
        Err(ToolError::new("fake", "has no address"))
    }

    async fn connect(&self) -> Result<DuplexStream, ToolError> {
        let (ours, theirs) = tokio::io::duplex(256);
        let (answer, connection) = (self.answer, self.connections.fetch_add(1, Ordering::Relaxed));
        tokio::spawn(async move {
            let (reader, mut writer) = tokio::io::split(ours);
            let mut lines = BufReader::new(reader).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let (answers, stay) = match answer(connection, &serde_json::from_str(&line).unwrap()) {
                    Say(answers) => (answers, true),
                    SayAndLeave(answers) => (answers, false),
                    Leave => (Vec::new(), false),
                };
                for answer in answers {
                    writer.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
                }
                if !stay {
                    return;
                }
            }
        });
        Ok(theirs)
    }

    async fn served_tools(&self) -> Result<Vec<ServedTool>, ToolError> {
        let tool = |name: &str| ServedTool {
            name: name.to_owned(),
            definition: json!({"name": name}),
            effect: None,
        };
        Ok(vec![tool("a"), tool("b")])
    }

    fn call_log(&self) -> Result<Vec<Stamped<ToolCall>>, EvidenceUnavailable> {
        Ok(Vec::new())
    }

    fn reset_call_log(&self) {}

    async fn refresh(&self) -> Result<(), ToolError> {
        Ok(())
    }

    fn inject_failure(&self, _tool: &str, _failure: InjectedFailure) {}
}

/// What every server here answers to all but calls: two pages of tools, a ping before the second.
fn hello(request: &Value) -> Vec<Value> {
    let id = &request["id"];
    let result = |result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
    match (request["method"].as_str(), request["params"]["cursor"].as_str()) {
        (Some("initialize"), _) => {
            vec![result(json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}))]
        }
        (Some("tools/list"), None) => vec![result(json!({"tools": [{"name": "a"}], "nextCursor": "2"}))],
        (Some("tools/list"), Some("2")) => vec![
            json!({"jsonrpc": "2.0", "id": "p", "method": "ping"}),
            json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}),
            result(json!({"tools": [{"name": "b"}]})),
        ],
        _ => Vec::new(),
    }
}

fn text(request: &Value, text: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": request["id"], "result": {"content": [{"type": "text", "text": text}]}})
}

fn call(name: &str, n: usize) -> ReferenceToolCall {
    ReferenceToolCall::new(name, [("n", n.into())])
}

async fn play(
    answer: Answer,
    decisions: Vec<ReferenceDecision>,
    limit: Duration,
) -> Result<Vec<String>, RuntimeError> {
    let mut world = CaseWorld::new("c", ".");
    world.limits.turn = limit;
    let mut agent =
        provision(LoopRuntime::default(), world, &case(decisions), vec![FakeServer::handle(answer)]).await;
    let reply = send(&mut agent, "Go.").await?;
    let text = |result: Option<Value>| result.unwrap().as_str().unwrap().to_owned();
    Ok(reply.claimed_calls.into_iter().map(|call| text(call.result)).collect())
}

const LIMIT: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_list_in_pages_pings_and_notifications_are_part_of_the_conversation() {
    let answer: Answer = |_, request| match request["method"].as_str() {
        Some("tools/call") => Say(vec![text(request, request["params"]["name"].as_str().unwrap())]),
        _ => Say(hello(request)),
    };
    let decisions = vec![ReferenceDecision::calls([call("b", 1), call("a", 1)]), says("done")];
    assert_eq!(play(answer, decisions, LIMIT).await.unwrap(), ["b", "a"]);
}

#[tokio::test]
async fn many_large_parallel_calls_do_not_block_each_other() {
    // Each call is larger than the pipe, and is answered at once.
    let answer: Answer = |_, request| match request["method"].as_str() {
        Some("tools/call") => {
            Say(vec![text(request, &"y".repeat(5000)), json!({"jsonrpc": "2.0", "method": "n"})])
        }
        _ => Say(hello(request)),
    };
    let big = ReferenceToolCall::new("a", [("text", "x".repeat(5000).into())]);
    let decisions = vec![ReferenceDecision::calls(vec![big; 20]), says("done")];
    assert_eq!(play(answer, decisions, LIMIT).await.unwrap().len(), 20);
}

#[tokio::test]
async fn a_server_that_was_replaced_between_calls_is_connected_again() {
    let answer: Answer = |connection, request| match request["method"].as_str() {
        Some("tools/call") if connection == 0 => SayAndLeave(vec![text(request, "first server")]),
        Some("tools/call") => Say(vec![text(request, "second server")]),
        _ => Say(hello(request)),
    };
    let decisions = vec![
        ReferenceDecision::calls([call("a", 1)]),
        ReferenceDecision::calls([call("a", 2)]),
        says("done"),
    ];
    let texts = play(answer, decisions, LIMIT).await.unwrap();
    assert_eq!(texts, ["first server", "second server"]);
}

#[tokio::test]
async fn a_connection_that_ends_in_a_call_is_an_error_for_the_model_and_not_made_twice() {
    let answer: Answer = |connection, request| match request["method"].as_str() {
        Some("tools/call") if connection == 0 => Leave,
        Some("tools/call") => Say(vec![text(request, "after")]),
        _ => Say(hello(request)),
    };
    let decisions = vec![
        ReferenceDecision::calls([call("a", 1)]),
        ReferenceDecision::calls([call("a", 2)]),
        says("done"),
    ];
    let texts = play(answer, decisions, LIMIT).await.unwrap();
    assert_eq!(texts, ["error: tool server fake: the connection was closed before the answer", "after"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_never_answers_ends_the_turn_at_its_limit() {
    let answer: Answer = |_, request| Say(hello(request));
    let error =
        play(answer, vec![ReferenceDecision::calls([call("a", 1)]), says("done")], LIMIT).await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Timeout);
    insta::assert_snapshot!(error, @"the turn passed its limit of 5 s while waiting for a in step 1");
}

#[tokio::test]
async fn errors_of_a_server_are_told_to_the_model() {
    let answer: Answer = |_, request| match request["method"].as_str() {
        Some("tools/call") => Say(vec![
            json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32602, "message": "bad n"}}),
        ]),
        _ => Say(hello(request)),
    };
    let decisions = vec![ReferenceDecision::calls([call("a", 1)]), says("done")];
    assert_eq!(play(answer, decisions, LIMIT).await.unwrap(), ["error: bad n (error -32602)"]);
}

#[tokio::test]
async fn a_server_that_speaks_no_json_rpc_is_named() {
    let answer: Answer = |_, _| Say(vec![json!("hello")]);
    let error = play(answer, vec![says("done")], LIMIT).await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Start);
    assert!(error.to_string().starts_with("tool server fake: a message is no JSON-RPC: "), "{error}");
}
