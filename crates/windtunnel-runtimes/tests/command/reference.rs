//! Self-tests: the model is a script, the program is real.

use std::process::Command;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::{ReferenceCase, ReferenceDecision, ReferenceKind, ReferenceToolCall};
use windtunnel_runtimes::command::CommandAgents;
use windtunnel_spi::{AgentHandle, AgentRuntime};

use crate::support::{Bench, addressed, say};

/// Asks the model once and prints what it says. With `jsonl` it does so for every line.
const AGENT: &str = r#"
import json, os, sys, urllib.request

def ask(prompt):
    body = {"model": "m", "messages": [{"role": "user", "content": prompt}]}
    headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]

if sys.argv[1:] == ["jsonl"]:
    for line in sys.stdin:
        print(json.dumps({"reply": ask(json.loads(line)["prompt"])}), flush=True)
else:
    print(ask(sys.stdin.read().strip()))
"#;

/// Runs the one tool that it has by itself, as often as the model wants.
pub(crate) const AGENT_WITH_A_TOOL: &str = r#"
import json, os, urllib.request

def ask(messages):
    tools = [{"type": "function", "function": {"name": "lookup", "parameters": {"type": "object"}}}]
    body = {"model": "m", "messages": messages, "tools": tools}
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ.get("OPENAI_API_KEY", "")}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]

messages = [{"role": "user", "content": "go"}]
while calls := (message := ask(messages)).get("tool_calls"):
    messages.append(message)
    messages += [{"role": "tool", "tool_call_id": call["id"], "content": "75"} for call in calls]
print(message["content"])
"#;

fn bench(mode: &[&str]) -> Option<Bench> {
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no python3");
        return None;
    }
    let command = [&["python3", "agent.py"], mode].concat();
    let inference = json!({"base_url_env": "OPENAI_BASE_URL", "api_key_env": "OPENAI_API_KEY"});
    Some(Bench::new(&command).with("cwd", json!(".")).with("inference", inference).file("agent.py", AGENT))
}

fn case(turns: &[&str]) -> ReferenceCase {
    let mut case = ReferenceCase::new("known-good", ReferenceKind::Golden, []);
    case.turns = turns.iter().map(|&turn| vec![ReferenceDecision::says(turn)]).collect();
    case
}

async fn agent(bench: &Bench, case: &ReferenceCase) -> Box<dyn AgentHandle> {
    agent_of(&bench.runtime().unwrap(), bench, case).await
}

async fn agent_of(runtime: &CommandAgents, bench: &Bench, case: &ReferenceCase) -> Box<dyn AgentHandle> {
    let reference = runtime.reference().unwrap();
    reference.provision_reference(bench.config(), case, vec![addressed("crm")]).await.unwrap()
}

#[tokio::test]
async fn the_script_answers_in_place_of_the_model() {
    for (mode, prompt) in [(&[][..], "stdin"), (&["jsonl"], "jsonl")] {
        let Some(bench) = bench(mode) else { return };
        let reply = if prompt == "jsonl" { "jsonl" } else { "stdout" };
        let bench = bench.with("prompt", json!(prompt)).with("reply", json!(reply));
        let mut agent = agent(&bench, &case(&["75 orders", "bye"])).await;
        agent.reset_state().await.unwrap();
        assert_eq!(say(agent.as_mut(), "How many?").await.unwrap().content, "75 orders");
        assert_eq!(say(agent.as_mut(), "Thanks").await.unwrap().content, "bye");
        let progress = ScriptProgress { decisions: 2, consumed: 2, ..ScriptProgress::default() };
        assert_eq!(agent.script_progress(), Some(progress.clone()));
        let seen = agent.drain_seam().unwrap();
        let asked: Vec<_> = seen
            .iter()
            .filter_map(|entry| match &entry.value {
                Evidence::Inference { messages, .. } => messages.first()?["content"].as_str(),
                _ => None,
            })
            .collect();
        assert_eq!(asked, ["How many?", "Thanks"]);
        agent.teardown().await;
        assert_eq!(agent.script_progress(), Some(progress), "it can still be asked");
    }
}

#[tokio::test]
async fn a_tool_is_the_programs_own_unless_it_is_told_where_the_server_is() {
    let script = vec![
        ReferenceDecision::calls([ReferenceToolCall::new("lookup", [("id", 7.into())])]),
        ReferenceDecision::says("75 orders"),
    ];
    let case = ReferenceCase::new("known-good", ReferenceKind::Golden, script);
    for (tools, witnessed) in [(json!(null), 1), (json!({"url_env": "MCP_URL"}), 0)] {
        let Some(bench) = bench(&[]) else { return };
        let bench = bench.with("tools", tools.clone()).file("agent.py", AGENT_WITH_A_TOOL);
        let mut agent = agent(&bench, &case).await;
        agent.reset_state().await.unwrap();
        assert_eq!(say(agent.as_mut(), "go").await.unwrap().content, "75 orders");
        let seen = agent.drain_seam().unwrap();
        let calls = seen.iter().filter(|entry| matches!(&entry.value, Evidence::ToolCall(_))).count();
        assert_eq!(calls, witnessed, "tools = {tools}");
    }
}

#[tokio::test]
async fn a_reset_rewinds_the_script() {
    let Some(bench) = bench(&[]) else { return };
    let mut agent = agent(&bench, &case(&["75 orders"])).await;
    for _ in 0..2 {
        agent.reset_state().await.unwrap();
        assert_eq!(say(agent.as_mut(), "How many?").await.unwrap().content, "75 orders");
    }
    assert!(agent.script_progress().unwrap().is_exact());
}

#[tokio::test]
async fn a_teardown_removes_the_substitution() {
    let bench =
        Bench::sh("echo $OPENAI_BASE_URL").with("inference", json!({"base_url_env": "OPENAI_BASE_URL"}));
    let runtime = bench.runtime().unwrap();
    let mut agent = agent_of(&runtime, &bench, &case(&["x"])).await;
    let base_url = say(agent.as_mut(), "").await.unwrap().content;
    let address =
        base_url.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    let status = async |url: &str| {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let path = url.split_once(&address).unwrap().1;
        let request =
            format!("POST {path}/chat/completions HTTP/1.1\r\nhost: {address}\r\ncontent-length: 0\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut begin = [0; "HTTP/1.1 200".len()];
        stream.read_exact(&mut begin).await.unwrap();
        String::from_utf8_lossy(&begin).into_owned()
    };
    assert_eq!(status(&base_url).await, "HTTP/1.1 400", "an empty request is looked at");
    agent.teardown().await;
    assert_eq!(status(&base_url).await, "HTTP/1.1 404");
}
