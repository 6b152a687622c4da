//! A server as a child process.

use std::time::{Duration, Instant};

use rmcp::model::{CallToolRequest, ClientRequest, GetPromptRequestParams, ReadResourceRequestParams};
use rmcp::service::PeerRequestOptions;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use windtunnel_api::EffectClass;
use windtunnel_api::pack::ToolSpec;
use windtunnel_mcp::{BenchTools, RecorderLimits};
use windtunnel_spi::ToolFactory;

use crate::support::{Agent, Case, call, call_text, params, stdio_spec};

async fn start_slow(agent: &Agent, wait_ms: u64) -> rmcp::service::RequestHandle<rmcp::RoleClient> {
    let request = CallToolRequest::new(params("slow", json!({"wait_ms": wait_ms})));
    agent
        .send_cancellable_request(ClientRequest::CallToolRequest(request), PeerRequestOptions::no_options())
        .await
        .unwrap()
}

#[tokio::test]
async fn everything_of_mcp_passes_through() {
    let case = Case::new("stdio");
    let served = case.stdio().await;
    for agent in [served.connect().await, served.connect_http().await] {
        assert_eq!(agent.list_all_tools().await.unwrap().len(), 8);
        assert_eq!(call_text(&agent, "add", json!({"a": 2, "b": 3})).await, "5");
        assert_eq!(agent.list_all_resources().await.unwrap()[0].uri, "desk://drawer");
        let read = agent.read_resource(ReadResourceRequestParams::new("desk://drawer")).await.unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap()["contents"][0]["text"], "pencils");
        assert_eq!(agent.list_all_prompts().await.unwrap()[0].name, "greet");
        let prompt = agent.get_prompt(GetPromptRequestParams::new("greet")).await.unwrap();
        assert_eq!(prompt.messages.len(), 1);
        assert_eq!(
            call_text(&agent, "roots", json!({})).await,
            "file:///agent",
            "the server can ask the agent"
        );
    }
    let tools: Vec<String> = served.calls().into_iter().map(|call| call.tool).collect();
    assert_eq!(tools, ["add", "roots", "add", "roots"]);
}

#[tokio::test]
async fn progress_arrives_in_order_at_the_agent_that_asked() {
    let case = Case::new("progress");
    let served = case.stdio().await;
    let agents = [served.connect().await, served.connect_http().await];
    let handles = [start_slow(&agents[0], 30).await, start_slow(&agents[1], 30).await];
    let tokens = handles.each_ref().map(|handle| handle.progress_token.0.clone());
    for handle in handles {
        handle.await_response().await.unwrap();
    }
    for (agent, token) in agents.iter().zip(tokens) {
        let expected: Vec<_> = (0..5).map(|step| (token.clone(), f64::from(step))).collect();
        assert_eq!(*agent.service().progress.lock().unwrap(), expected);
    }
}

#[tokio::test]
async fn a_cancellation_reaches_the_server() {
    let case = Case::new("cancellation");
    let served = case.stdio().await;
    for agent in [served.connect().await, served.connect_http().await] {
        served.handle.reset_call_log();
        let before: u64 = call_text(&agent, "cancelled", json!({})).await.parse().unwrap();
        let slow = start_slow(&agent, 60_000).await;
        while agent.service().progress.lock().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        slow.cancel(Some("enough".to_owned())).await.unwrap();
        let began = Instant::now();
        while call_text(&agent, "cancelled", json!({})).await != (before + 1).to_string() {
            assert!(began.elapsed() < Duration::from_secs(5), "the server never heard of it");
        }
        assert_eq!(served.calls()[1].tool, "slow");
    }
}

#[tokio::test]
async fn concurrent_calls_of_two_agents_are_answered_each_with_its_own() {
    let case = Case::new("concurrent");
    let served = case.stdio().await;
    let agents = [served.connect().await, served.connect_http().await, served.connect().await];
    let calls = (0..60_i64).map(|n| {
        let agent = &agents[usize::try_from(n).unwrap() % agents.len()];
        async move {
            let sum = call_text(agent, "add", json!({"a": n, "b": 1000, "wait_ms": (60 - n) % 7})).await;
            assert_eq!(sum, (n + 1000).to_string());
        }
    });
    futures::future::join_all(calls).await;
    let calls = served.calls();
    assert_eq!(calls.len(), 60);
    for call in calls {
        assert_eq!(call.result, json!((call.args["a"].as_i64().unwrap() + 1000).to_string()));
    }
}

#[tokio::test]
async fn a_refresh_gives_a_fresh_process_behind_the_same_address() {
    let case = Case::new("fresh");
    let served = case.stdio().await;
    let url = served.handle.url().await.unwrap();
    let agent = served.connect_http().await;
    call(&agent, "count", json!({})).await;
    let second = call(&served.connect().await, "count", json!({})).await;
    assert_eq!(second.structured_content, Some(json!({"count": 2})), "one process, shared");

    served.handle.refresh().await.unwrap();
    assert_eq!(served.handle.url().await.unwrap(), url);
    let fresh = call(&served.connect_http().await, "count", json!({})).await;
    assert_eq!(fresh.structured_content, Some(json!({"count": 1})));
    assert_eq!(served.calls().last().unwrap().result, json!({"count": 1}));
}

#[tokio::test]
async fn served_tools_are_asked_for_page_by_page_and_leave_no_trace() {
    let case = Case::new("served");
    let served = case.stdio().await;
    let tools = served.handle.served_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["add", "count", "fail", "slow", "roots", "cancelled", "die", "env"]);
    assert_eq!((tools[0].effect, tools[1].effect), (Some(EffectClass::Read), None));
    assert_eq!(tools[0].definition["description"], "a + b");
    assert!(served.calls().is_empty());
    let agent = served.connect().await;
    assert_eq!(
        call_text(&agent, "roots", json!({})).await,
        "file:///agent",
        "the server knows the agent, not the bench"
    );
}

#[tokio::test]
async fn a_server_that_dies_is_an_error_for_the_agent_and_leaves_no_evidence() {
    let case = Case::new("death");
    let served = case.stdio().await;
    let agent = served.connect().await;
    let error = agent.call_tool(params("die", json!({}))).await.unwrap_err().to_string();
    let expected = "tool server desk ended with exit code 3; its last words: the desk is on fire";
    assert!(error.contains(expected), "{error}");
    let error = agent.call_tool(params("add", json!({}))).await.unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
    let unavailable = "evidence of desk is unavailable: tool server desk ended with exit code 3 during the case; its last \
                       words: the desk is on fire";
    assert_eq!(served.handle.call_log().unwrap_err().to_string(), unavailable);
    served.handle.reset_call_log();
    assert_eq!(served.handle.call_log().unwrap_err().to_string(), unavailable, "it is still dead");
    let output = served.handle.output();
    assert_eq!(
        (output[0].source.as_str(), output[0].text.as_str()),
        ("desk stderr", "the desk is on fire\n")
    );

    served.handle.refresh().await.unwrap();
    assert!(served.handle.call_log().is_ok(), "another one is there");
    assert_eq!(call_text(&served.connect().await, "add", json!({"a": 1})).await, "1");
    assert_eq!(served.handle.output().len(), 1, "what the first process wrote is kept");
}

#[tokio::test]
async fn a_secret_of_the_environment_is_used_but_never_kept() {
    let canary = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let mut spec = stdio_spec();
    let ToolSpec::Stdio(tools) = &mut spec else { unreachable!() };
    tools.env.insert("TOKEN".to_owned(), "${CARGO_MANIFEST_DIR}".to_owned());
    let case = Case::new("secret");
    let served = case.start("desk", &spec).await;
    let seen = call_text(&served.connect().await, "env", json!({"name": "TOKEN"})).await;
    assert_eq!(seen, canary, "what passes through is not touched");
    assert_eq!(served.calls()[0].result, json!("***"));

    let ToolSpec::Stdio(tools) = &mut spec else { unreachable!() };
    tools.env.insert("TOKEN".to_owned(), "${NO_SUCH_VARIABLE}".to_owned());
    let error = BenchTools::new().server("desk", &spec, &case.world).err().unwrap();
    insta::assert_snapshot!(error,
        @"tool server desk: variable NO_SUCH_VARIABLE is not set, and env.TOKEN needs it: export NO_SUCH_VARIABLE before you start");
}

#[tokio::test]
async fn a_program_that_does_not_exist_or_speak_is_an_error() {
    let case = Case::new("absent");
    let mut spec = stdio_spec();
    let ToolSpec::Stdio(tools) = &mut spec else { unreachable!() };
    tools.command = vec!["no-such-program-anywhere".to_owned()];
    let mut absent = BenchTools::new().server("desk", &spec, &case.world).unwrap();
    let error = absent.start().await.err().unwrap().to_string();
    assert!(
        error.starts_with("tool server desk: program `no-such-program-anywhere` was not found"),
        "{error}"
    );

    tools_command(&mut spec, &["true"]);
    let served = case.start("desk", &spec).await;
    insta::assert_snapshot!(served.handle.served_tools().await.unwrap_err(),
        @"tool server desk: it cannot be initialised: it ended with exit code 0");
}

#[cfg(unix)]
#[tokio::test]
async fn a_server_that_is_cut_off_leaves_no_evidence() {
    let table = [
        ("printf '\\377\\n'", "sent something that is not UTF-8"),
        ("head -c 5000 /dev/zero | tr '\\0' x; echo", "sent a message of more than 1000 bytes"),
        ("exec >&-", "closed its output"),
    ];
    let tools =
        BenchTools::new().with_limits(RecorderLimits { message_bytes: 1000, ..RecorderLimits::default() });
    for (script, how) in table {
        let case = Case::new("cut");
        let mut spec = stdio_spec();
        tools_command(&mut spec, &["sh", "-c", &format!("read line; {script}; exec sleep 60")]);
        let served = case.start_with(&tools, "desk", &spec).await;
        let mut agent = served.handle.connect().await.unwrap();
        assert!(served.calls().is_empty());
        agent.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n").await.unwrap();
        let mut answer = String::new();
        BufReader::new(&mut agent).read_line(&mut answer).await.unwrap();
        assert!(answer.contains(how), "{answer}");
        assert_eq!(
            served.handle.call_log().unwrap_err().to_string(),
            format!("evidence of desk is unavailable: tool server desk {how} during the case")
        );
    }
}

fn tools_command(spec: &mut ToolSpec, command: &[&str]) {
    if let ToolSpec::Stdio(tools) = spec {
        tools.command = command.iter().map(|part| (*part).to_owned()).collect();
    }
}

#[tokio::test]
async fn stopping_ends_the_process_in_time() {
    let case = Case::new("stop");
    let mut served = case.stdio().await;
    let agent = served.connect().await;
    start_slow(&agent, 60_000).await;
    while served.calls().is_empty() {
        tokio::task::yield_now().await;
    }
    let began = Instant::now();
    served.server.stop().await;
    assert!(began.elapsed() < Duration::from_secs(2));
    let error = served.calls().remove(0).error.unwrap();
    assert_eq!(error, "the session with desk ended before the call was answered");
}
