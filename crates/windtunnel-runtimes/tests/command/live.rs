//! Live runs: the program asks its real model, and we stand in between where we know where that is.

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use windtunnel_api::artifact::evidence::{Evidence, ToolCall, Witness};
use windtunnel_api::surface::SurfaceStatus;
use windtunnel_api::{ReferenceDecision, ReferenceToolCall};
use windtunnel_inference::serve::{DecisionScript, ServingScript, serve};
use windtunnel_spi::AgentHandle;

use crate::reference::AGENT_WITH_A_TOOL;
use crate::support::{Bench, say, text};

/// The same over the other wires: the wire, the variable, and a program.
const OTHERS: [(&str, &str, &str); 2] = [
    (
        "openai-responses",
        "OPENAI_BASE_URL",
        r#"
import json, os, urllib.request

def ask(body):
    body |= {"model": "m", "tools": [{"type": "function", "name": "lookup", "parameters": {"type": "object"}}]}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/responses", json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)

items = [{"role": "user", "content": "go"}]
answer = ask({"input": items})
while calls := [item for item in answer["output"] if item["type"] == "function_call"]:
    items += answer["output"] + [{"type": "function_call_output", "call_id": call["call_id"], "output": "75"} for call in calls]
    answer = ask({"input": items})
print(answer["output"][0]["content"][0]["text"])
"#,
    ),
    (
        "anthropic-messages",
        "ANTHROPIC_BASE_URL",
        r#"
import json, os, urllib.request

def ask(messages):
    body = {"model": "m", "max_tokens": 99, "messages": messages, "tools": [{"name": "lookup", "input_schema": {"type": "object"}}]}
    headers = {"content-type": "application/json", "anthropic-version": "2023-06-01"}
    request = urllib.request.Request(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["content"]

messages = [{"role": "user", "content": "go"}]
content = ask(messages)
while calls := [block for block in content if block["type"] == "tool_use"]:
    results = [{"type": "tool_result", "tool_use_id": call["id"], "content": "75"} for call in calls]
    messages += [{"role": "assistant", "content": content}, {"role": "user", "content": results}]
    content = ask(messages)
print(content[0]["text"])
"#,
    ),
];

/// What answers as a provider would: one call and what came of it, over and over.
async fn provider() -> ServingScript {
    let call = ReferenceToolCall::new("lookup", [("token", "canary-live".into())]);
    let decisions = vec![ReferenceDecision::calls([call]), ReferenceDecision::says("75 orders")];
    let script = DecisionScript { decisions, ..DecisionScript::default() };
    serve(script, "127.0.0.1:0".parse().unwrap(), true, |_| ()).await.unwrap()
}

fn bench(inference: Value, env: Value) -> Bench {
    let bench = Bench::new(&["python3", "agent.py"]).with("cwd", json!(".")).with("inference", inference);
    bench.with("env", env).file("agent.py", AGENT_WITH_A_TOOL)
}

/// How many requests were seen, all of this conversation, and the calls.
fn seen(agent: &mut dyn AgentHandle) -> (usize, Vec<ToolCall>) {
    let mut requests = 0;
    let mut calls = Vec::new();
    for entry in agent.drain_seam().unwrap() {
        if let Evidence::Inference { messages, .. } = &entry.value {
            assert_eq!(messages.first().unwrap()["content"], "go");
            requests += 1;
        }
        if let Evidence::ToolCall(call) = entry.value {
            calls.push(call);
        }
    }
    (requests, calls)
}

#[tokio::test]
async fn what_a_program_asks_its_real_model_is_witnessed_and_so_are_the_calls_of_its_own_tools() {
    let provider = provider().await;
    let told = json!({"OPENAI_BASE_URL": provider.base_url(), "OPENAI_API_KEY": "canary-live"});
    let variables = json!({"base_url_env": "OPENAI_BASE_URL", "api_key_env": "OPENAI_API_KEY"});
    let upstream = json!({"base_url_env": "OPENAI_BASE_URL", "upstream": provider.base_url()});
    for (inference, env) in [(variables, told), (upstream, json!({"OPENAI_API_KEY": "canary-live"}))] {
        let bench = bench(inference.clone(), env);
        let mut agent = bench.agent().await;
        for run in 0..2 {
            agent.reset_state().await.unwrap();
            assert!(agent.surface().is_none(), "run {run} of {inference}");
            assert_eq!(say(agent.as_mut(), "go").await.unwrap().content, "75 orders");
            let (requests, calls) = seen(agent.as_mut());
            assert_eq!(requests, 2);
            let [ToolCall { server, tool, args, result, witness: Witness::Seam, .. }] = &calls[..] else {
                panic!("one call: {calls:?}")
            };
            assert_eq!((server.as_str(), tool.as_str(), result), ("", "lookup", &json!("75")));
            assert_eq!(args, &json!({"token": "***"}), "the key went by, and its name hides nothing");
            assert_eq!(agent.unwitnessed_calls(), None);
            let surface = agent.surface().unwrap();
            assert_eq!((surface.status, surface.tool_definitions.len()), (SurfaceStatus::Rendered, 1));
        }
    }
}

#[tokio::test]
async fn calls_are_paired_with_their_results_over_every_wire() {
    let provider = provider().await;
    for (wire, variable, program) in OTHERS {
        let inference = json!({"wire": wire, "base_url_env": variable, "upstream": provider.base_url()});
        let bench = bench(inference, json!({})).file("agent.py", program);
        let mut agent = bench.agent().await;
        agent.reset_state().await.unwrap();
        assert_eq!(say(agent.as_mut(), "go").await.unwrap().content, "75 orders", "{wire}");
        let (requests, calls) = seen(agent.as_mut());
        assert_eq!((requests, calls.len()), (2, 1), "{wire}");
        assert_eq!((&calls[0].result, &calls[0].extra), (&json!("75"), &None), "{wire}");
    }
}

#[tokio::test]
async fn what_a_gate_judges_is_not_hidden_for_looking_like_a_secret() {
    let provider = provider().await;
    let bench = bench(json!({"base_url_env": "OPENAI_BASE_URL", "upstream": provider.base_url()}), json!({}));
    let mut agent = bench.agent().await;
    agent.reset_state().await.unwrap();
    say(agent.as_mut(), "go").await.unwrap();
    let (_, calls) = seen(agent.as_mut());
    assert_eq!(calls[0].args, json!({"token": "canary-live"}));
}

#[tokio::test]
async fn a_model_that_cannot_be_reached_is_evidence_and_the_program_is_told() {
    let gone = { provider().await.base_url() };
    let bench = bench(json!({"base_url_env": "OPENAI_BASE_URL", "upstream": gone}), json!({}));
    let mut agent = bench.agent().await;
    agent.reset_state().await.unwrap();
    let error = text(&say(agent.as_mut(), "go").await.unwrap_err());
    assert!(error.contains("HTTP Error 502"), "{error}");
    let evidence = agent.drain_seam().unwrap();
    let [Evidence::Inference { decision, .. }] = &[&evidence[0].value][..] else { panic!("{evidence:?}") };
    assert_eq!(decision["fault"]["status"], 502);
}

#[tokio::test]
async fn where_the_model_is_unknown_nobody_is_in_between_and_that_is_said() {
    let own = json!({"base_url_env": "MY_MODEL"});
    let bench = Bench::sh("printenv MY_MODEL || echo unset").with("inference", own.clone());
    let mut agent = bench.agent().await;
    agent.reset_state().await.unwrap();
    assert_eq!(say(agent.as_mut(), "").await.unwrap().content, "unset");
    let unseen = agent.unwitnessed_calls().unwrap();
    insta::assert_snapshot!(unseen.reason, @"the model of the runtime bot is asked where nobody sees it: set inference.upstream to the base URL of its model, so that we stand in between");
    assert!(!unseen.own_only, "it has no others");
    let told_tools = Bench::sh("true").with("inference", own).with("tools", json!({"url_env": "MCP_URL"}));
    assert!(told_tools.agent().await.unwitnessed_calls().unwrap().own_only, "a recorder sees the others");
    let untold = Bench::sh("true").agent().await.unwitnessed_calls().unwrap();
    insta::assert_snapshot!(untold.reason, @"the model of the runtime bot is asked where nobody sees it: set inference, which says how it is told where its model is, so that we stand in between");
}

#[tokio::test]
async fn a_program_that_asks_elsewhere_than_it_is_told_is_found_out() {
    let inference = json!({"base_url_env": "OPENAI_BASE_URL", "upstream": "https://models.example/v1"});
    let bench = Bench::sh("echo done").with("inference", inference);
    let mut agent = bench.agent().await;
    agent.reset_state().await.unwrap();
    say(agent.as_mut(), "").await.unwrap();
    assert!(agent.drain_seam().unwrap().is_empty());
    insta::assert_snapshot!(agent.unwitnessed_calls().unwrap().reason, @"nothing was asked at the address of its model that the runtime bot is told of: does the program read OPENAI_BASE_URL?");
}

#[tokio::test]
async fn a_call_that_an_agent_ends_with_is_a_call() {
    let provider = provider().await;
    let ending = AGENT_WITH_A_TOOL.replace("while calls", "if calls");
    let bench = bench(json!({"base_url_env": "OPENAI_BASE_URL", "upstream": provider.base_url()}), json!({}));
    let bench = bench.file("agent.py", &ending);
    let mut agent = bench.agent().await;
    agent.reset_state().await.unwrap();
    say(agent.as_mut(), "go").await.unwrap();
    let (requests, calls) = seen(agent.as_mut());
    assert_eq!((requests, calls.len()), (1, 1));
    assert_eq!((calls[0].tool.as_str(), &calls[0].result), ("lookup", &Value::Null));
    assert_eq!(calls[0].extra, Some(json!({"answered": false})));
}

#[tokio::test]
async fn a_variable_of_the_providers_own_clients_needs_no_value() {
    let bench = Bench::sh("echo $ANTHROPIC_BASE_URL $KEY $1").with(
        "inference",
        json!({"wire": "anthropic-messages", "base_url_env": "ANTHROPIC_BASE_URL", "api_key_env": "KEY"}),
    );
    let mut agent = bench.agent().await;
    let told = say(agent.as_mut(), "").await.unwrap().content;
    let (address, path) = told.strip_prefix("http://127.0.0.1:").unwrap().split_at(1);
    assert!(address.parse::<u8>().is_ok() && !path.contains(['/', ' ']), "no /v1 and no key of ours: {told}");
}

#[test]
fn an_upstream_that_is_no_base_url_is_refused() {
    let refused = |inference: Value, env: Value| {
        let runtime = Bench::sh("true").with("inference", inference).with("env", env).runtime();
        text(&runtime.err().unwrap())
    };
    let upstream = refused(json!({"base_url_env": "X", "upstream": "models"}), json!({}));
    insta::assert_snapshot!(upstream, @"runtimes.bot: inference.upstream: the base URL of the provider is not one (relative URL without a base); expected something like https://api.openai.com/v1");
    let variable = refused(json!({"base_url_env": "X"}), json!({"X": "ftp://models.example"}));
    insta::assert_snapshot!(variable, @r#"runtimes.bot: X: the base URL of the provider is not one (its scheme is "ftp"); expected something like https://api.openai.com/v1"#);
}

#[tokio::test]
async fn an_answer_that_only_the_program_can_read_makes_the_evidence_unavailable() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        socket.readable().await.unwrap();
        let answer = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\ncall";
        socket.write_all(answer.as_bytes()).await.unwrap();
    });
    let asking = "import os, urllib.request as u\n\
        u.urlopen(u.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', b'{\"messages\": []}')).read()\n";
    let bench = bench(json!({"base_url_env": "OPENAI_BASE_URL", "upstream": base_url}), json!({}));
    let bench = bench.file("agent.py", asking);
    let mut agent = bench.agent().await;
    agent.reset_state().await.unwrap();
    say(agent.as_mut(), "go").await.unwrap();
    let error = agent.drain_seam().unwrap_err().to_string();
    insta::assert_snapshot!(error, @"evidence of the model is unavailable: an answer of /v1/chat/completions was not understood: expected value at line 1 column 1");
}
