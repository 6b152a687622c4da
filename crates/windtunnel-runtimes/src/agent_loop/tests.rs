//! The loop against real workspace servers, and against servers that misbehave.

mod misbehaving;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::{Evidence, Role};
use windtunnel_api::config::LoopRuntime;
use windtunnel_api::pack::{ToolSpec, WorkspaceTools};
use windtunnel_api::{
    FaultKind, InferenceFault, ReferenceCase, ReferenceDecision, ReferenceKind, ReferenceToolCall,
};
use windtunnel_mcp::BenchTools;
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentRuntime, CaseWorld, Message, RuntimeError, RuntimeErrorKind, SessionId,
    ToolFactory, ToolHandle, ToolServer,
};

use super::plugin;

/// A workspace with running tool servers.
struct Bench {
    world: CaseWorld,
    servers: Vec<Box<dyn ToolServer>>,
    handles: Vec<Arc<dyn ToolHandle>>,
    folder: tempfile::TempDir,
}

impl Bench {
    async fn with_servers(names: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let world = CaseWorld::new("case-1", folder.path().to_str().unwrap());
        let mut servers = Vec::new();
        let mut handles = Vec::new();
        for name in names {
            let spec = ToolSpec::Workspace(WorkspaceTools::default());
            let mut server = BenchTools::new().server(name, &spec, &world).unwrap();
            handles.push(server.start().await.unwrap());
            servers.push(server);
        }
        Self { world, servers, handles, folder }
    }

    async fn agent(&self, spec: LoopRuntime, case: &ReferenceCase) -> Box<dyn AgentHandle> {
        provision(spec, self.world.clone(), case, self.handles.clone()).await
    }

    fn text_of(&self, path: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(path)).unwrap()
    }

    async fn stop(&mut self) {
        for server in &mut self.servers {
            server.stop().await;
        }
    }
}

async fn runtime(spec: LoopRuntime) -> Arc<dyn AgentRuntime> {
    plugin("loop", spec).build().await.unwrap()
}

async fn provision(
    spec: LoopRuntime,
    world: CaseWorld,
    case: &ReferenceCase,
    tools: Vec<Arc<dyn ToolHandle>>,
) -> Box<dyn AgentHandle> {
    let runtime = runtime(spec).await;
    let capable = runtime.reference().unwrap();
    capable.provision_reference(AgentConfig::new("wt-selftest", world), case, tools).await.unwrap()
}

fn case(decisions: Vec<ReferenceDecision>) -> ReferenceCase {
    ReferenceCase::new("known-good", ReferenceKind::Golden, decisions)
}

fn write(path: &str, content: &str) -> ReferenceToolCall {
    ReferenceToolCall::new("write_file", [("path", path.into()), ("content", content.into())])
}

fn says(text: &str) -> ReferenceDecision {
    ReferenceDecision::says(text)
}

fn session() -> SessionId {
    SessionId::new("s")
}

async fn send(
    agent: &mut Box<dyn AgentHandle>,
    text: &str,
) -> Result<windtunnel_spi::AgentReply, RuntimeError> {
    agent.send(&[Message::user(text)], &session()).await
}

/// The messages of each request that the agent made, and its decision.
fn requests(agent: &mut Box<dyn AgentHandle>) -> Vec<(Vec<Value>, Value)> {
    let seen = agent.drain_seam().unwrap();
    seen.into_iter()
        .map(|entry| match entry.value {
            Evidence::Inference { messages, decision, wire, .. } => {
                assert_eq!(wire, "in-process");
                (messages, decision)
            }
            other => panic!("{other:?}"),
        })
        .collect()
}

#[tokio::test]
async fn a_script_drives_real_tools_and_the_answer_is_its_last_content() {
    let mut bench = Bench::with_servers(&["files"]).await;
    let script = case(vec![ReferenceDecision::calls([write("out.md", "safe")]), says("artifact complete")]);
    let spec = LoopRuntime { system_prompt: Some("Be careful.".to_owned()), ..LoopRuntime::default() };
    let mut agent = bench.agent(spec, &script).await;

    let reply = send(&mut agent, "Create it.").await.unwrap();
    assert_eq!(reply.content, "artifact complete");
    assert_eq!(bench.text_of("out.md"), "safe");
    assert_eq!(reply.claimed_calls[0].tool, "write_file");
    assert!(agent.script_progress().unwrap().is_exact());

    let witnessed = bench.handles[0].call_log().unwrap();
    assert_eq!(witnessed.len(), 1, "the recorder stood in front of the tool");
    let seen = requests(&mut agent);
    let roles = |messages: &[Value]| {
        messages.iter().map(|m| m["role"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(roles(&seen[0].0), ["system", "user"]);
    assert_eq!(
        roles(&seen[1].0),
        ["system", "user", "assistant", "tool"],
        "the result went back to the model"
    );
    assert_eq!(seen[1].0[3]["tool_call_id"], seen[1].0[2]["tool_calls"][0]["id"]);

    agent.teardown().await;
    agent.teardown().await;
    assert!(send(&mut agent, "Again.").await.is_err(), "a torn down agent does not answer");
    bench.stop().await;
}

#[tokio::test]
async fn parallel_calls_are_all_made_and_their_results_keep_their_order() {
    let mut bench = Bench::with_servers(&["files"]).await;
    let calls = (0..5).map(|n| write(&format!("{n}.txt"), &n.to_string()));
    let reads =
        (0..5).rev().map(|n| ReferenceToolCall::new("read_file", [("path", format!("{n}.txt").into())]));
    let script = case(vec![ReferenceDecision::calls(calls), ReferenceDecision::calls(reads), says("done")]);
    let mut agent = bench.agent(LoopRuntime::default(), &script).await;
    let reply = send(&mut agent, "Go.").await.unwrap();
    let read: Vec<&Value> =
        reply.claimed_calls[5..].iter().map(|call| call.result.as_ref().unwrap()).collect();
    for (text, n) in read.iter().zip((0..5).rev()) {
        assert!(text.as_str().unwrap().contains(&n.to_string()), "{read:?}");
    }
    bench.stop().await;
}

#[tokio::test]
async fn tools_of_several_servers_are_told_apart_and_a_bare_scripted_name_is_a_violation() {
    let mut bench = Bench::with_servers(&["left", "right"]).await;
    let mut call = write("out.md", "x");
    call.name = "right__write_file".to_owned();
    let script = case(vec![
        ReferenceDecision::calls([call]),
        ReferenceDecision::calls([write("a", "b")]),
        says("done"),
    ]);
    let mut agent = bench.agent(LoopRuntime::default(), &script).await;
    let error = send(&mut agent, "Go.").await.unwrap_err();
    assert_eq!(bench.handles[0].call_log().unwrap().len(), 0);
    assert_eq!(
        bench.handles[1].call_log().unwrap()[0].value.tool,
        "write_file",
        "undecorated again at the server"
    );
    assert_eq!(error.kind(), RuntimeErrorKind::Turn);
    insta::assert_snapshot!(error, @"no decision in step 2: the model endpoint answered 400: the script has no answer: decision 2 calls `write_file`, but several offered tools could be meant: left__write_file, right__write_file; the request offers left__read_file, left__write_file, left__list_files, left__delete_file, right__read_file, right__write_file, right__list_files, right__delete_file");
    assert_eq!(agent.script_progress().unwrap().violations.len(), 1);
    bench.stop().await;
}

#[tokio::test]
async fn a_tool_that_fails_tells_the_model_and_the_turn_goes_on() {
    let mut bench = Bench::with_servers(&["files"]).await;
    let missing = ReferenceToolCall::new("read_file", [("path", "nowhere.md".into())]);
    let script = case(vec![ReferenceDecision::calls([missing]), says("there is none")]);
    let mut agent = bench.agent(LoopRuntime::default(), &script).await;
    assert_eq!(send(&mut agent, "Read it.").await.unwrap().content, "there is none");
    let told = requests(&mut agent)[1].0[2]["content"].clone();
    assert!(told.as_str().unwrap().starts_with("error: "), "{told}");
    bench.stop().await;
}

#[tokio::test]
async fn several_turns_keep_their_history_and_a_reset_forgets_it() {
    let mut script = case(Vec::new());
    script.turns = vec![vec![says("one")], vec![says("two")]];
    let mut agent = provision(LoopRuntime::default(), CaseWorld::new("c", "."), &script, Vec::new()).await;
    for round in 0..2 {
        assert_eq!(send(&mut agent, "first").await.unwrap().content, "one");
        assert_eq!(send(&mut agent, "second").await.unwrap().content, "two");
        let seen = requests(&mut agent);
        let contents: Vec<&Value> = seen[1].0.iter().map(|message| &message["content"]).collect();
        assert_eq!(contents, ["first", "one", "second"], "round {round}");
        agent.reset_state().await.unwrap();
    }
}

#[tokio::test]
async fn earlier_turns_put_into_the_history_reach_the_model_as_they_are() {
    let mut agent =
        provision(LoopRuntime::default(), CaseWorld::new("c", "."), &case(vec![says("ok")]), Vec::new())
            .await;
    let blank = Message { role: Role::Assistant, ..Message::user("") };
    agent.send(&[Message::user("before"), blank, Message::user("now")], &session()).await.unwrap();
    let expected = json!([
        {"role": "user", "content": "before"},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "now"},
    ]);
    assert_eq!(Value::from(requests(&mut agent).remove(0).0), expected);
}

#[tokio::test(start_paused = true)]
async fn scripted_faults_are_retried_as_a_client_would_and_show_in_the_evidence() {
    let fault = |status, retry_after| InferenceFault { retry_after, ..InferenceFault::status(status) };
    let faulty = ReferenceDecision { faults: vec![fault(429, Some(30.0)), fault(503, None)], ..says("done") };
    let mut agent =
        provision(LoopRuntime::default(), CaseWorld::new("c", "."), &case(vec![faulty]), Vec::new()).await;
    let started = tokio::time::Instant::now();
    assert_eq!(send(&mut agent, "Go.").await.unwrap().content, "done");
    assert_eq!(started.elapsed(), Duration::from_secs(31), "30 s as asked for, then a wait of its own");
    let decisions: Vec<Value> = requests(&mut agent).into_iter().map(|(_, decision)| decision).collect();
    assert_eq!(decisions[0]["fault"]["status"], 429);
    assert_eq!(decisions[2], json!({"content": "done"}));
}

#[tokio::test]
async fn an_agent_that_takes_a_truncated_answer_has_consumed_its_script() {
    let faults = vec![InferenceFault::of(FaultKind::Truncated)];
    let cut = ReferenceDecision { faults, ..says("Order A-17 cost 42 EUR.") };
    let mut agent =
        provision(LoopRuntime::default(), CaseWorld::new("c", "."), &case(vec![cut]), Vec::new()).await;
    let reply = send(&mut agent, "Go.").await.unwrap();
    assert!(!reply.content.is_empty() && !reply.content.contains("42 EUR"), "{}", reply.content);
    assert!(agent.script_progress().unwrap().is_exact(), "the gate decides");
}

#[tokio::test]
async fn an_agent_that_only_calls_tools_ends_at_its_step_limit() {
    let call = || ReferenceDecision::calls([ReferenceToolCall::new("list_files", [("path", ".".into())])]);
    let mut bench = Bench::with_servers(&["files"]).await;
    let spec = LoopRuntime { max_steps: 3, ..LoopRuntime::default() };
    let mut agent = bench.agent(spec, &case((0..9).map(|_| call()).collect())).await;
    let error = send(&mut agent, "Go.").await.unwrap_err();
    insta::assert_snapshot!(error, @"the agent asked the model 3 times without a final answer; raise max_steps under [runtimes.loop] in wt.toml if the task needs more");
    assert_eq!(agent.script_progress().unwrap().consumed, 3);
    bench.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_takes_too_long_ends_with_what_it_was_at() {
    let fault = InferenceFault::status(429).retry_after(100.0);
    let slow = ReferenceDecision { faults: vec![fault], ..says("done") };
    let mut world = CaseWorld::new("c", ".");
    world.limits.turn = Duration::from_secs(60);
    let mut agent = provision(LoopRuntime::default(), world, &case(vec![slow]), Vec::new()).await;
    // The bench's own limit was set first, and would otherwise be the first to pass.
    let limit = agent.turn_limit().unwrap();
    let error = tokio::time::timeout(limit, send(&mut agent, "Go.")).await.unwrap().unwrap_err();
    assert!(limit > Duration::from_secs(60), "{limit:?}");
    assert_eq!(error.kind(), RuntimeErrorKind::Timeout);
    insta::assert_snapshot!(error, @"the turn passed its limit of 60 s while waiting for the model in step 1");
}

#[tokio::test]
async fn a_cancelled_case_ends_the_turn() {
    let world = CaseWorld::new("c", ".");
    world.cancel.cancel();
    let mut agent = provision(LoopRuntime::default(), world, &case(vec![says("done")]), Vec::new()).await;
    assert_eq!(send(&mut agent, "Go.").await.unwrap_err().kind(), RuntimeErrorKind::Cancelled);
}

#[tokio::test]
async fn a_live_run_speaks_to_the_endpoint_and_keeps_its_traffic() {
    let server = windtunnel_inference::ScriptedServer::new();
    let turns = vec![vec![ReferenceDecision::calls([write("out.md", "live")]), says("done")]];
    let script = windtunnel_inference::CaseScript { turns, ..windtunnel_inference::CaseScript::default() };
    let endpoint = server.register(script).await.unwrap();
    endpoint.begin_turn();
    let mut bench = Bench::with_servers(&["files"]).await;
    let spec = LoopRuntime {
        model: Some("gpt-test".to_owned()),
        base_url: Some(endpoint.base_url().to_owned()),
        ..LoopRuntime::default()
    };
    let runtime = runtime(spec).await;
    let config = AgentConfig::new("wt-cli", bench.world.clone());
    let mut agent = runtime.provision(config, bench.handles.clone()).await.unwrap();
    let reply = send(&mut agent, "Go.").await.unwrap();
    assert_eq!((reply.content.as_str(), bench.text_of("out.md").as_str()), ("done", "live"));
    assert_eq!(reply.model_calls.unwrap().len(), 2);
    assert_eq!(agent.script_progress(), None);
    let seen = agent.drain_seam().unwrap();
    assert!(matches!(&seen[0].value, Evidence::Inference { wire, .. } if wire == "openai-chat"));
    assert_eq!(seen.len(), 2);
    bench.stop().await;
}
