//! The same agent in every language: whole runs with a scripted model and scripted tools.
#![cfg(all(feature = "rhai", feature = "mock"))]
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use std::fs;
use std::sync::Arc;

use camino::Utf8Path;
use omw::config::{Source, load};
use omw::prelude::*;

const CONFIG: &str = r#"
agents.solver = { runtime = "script", script = "brain" }
memory.solver.question = "how many?"

[providers.llm]
kind = "mock"
turns = [
  { tool_calls = [{ id = "c1", name = "count", arguments = { of = "legs" } }] },
  { content = "eight", reasoning = "a spider" },
]

[tooling.zoo]
kind = "mock"
delay_ms = 0
tools = [{ name = "count", input_schema = { type = "object" } }]
tool_calls = [
  { name = "count", result = "8" },
  { name = "count", result = "8", structured_content = { legs = 8 } },
]
"#;

const RHAI: &str = r#"
let llm = omw::provider::get("llm");
let zoo = omw::tooling::get("zoo");
let messages = [#{role: "user", content: omw::host::memory_get("question")}];
let reply = llm.chat("m", messages, zoo.list_tools());
let asked = reply.tool_calls[0];
let queued = zoo.call_tool(asked.name, asked.arguments);
let event = omw::host::recv();
let direct = zoo.call_tool_blocking("count", #{});
messages.push(#{role: "assistant", tool_calls: reply.tool_calls});
messages.push(#{role: "tool", tool_call_id: asked.id, content: event.payload.content[0].text});
let stream = llm.chat_stream("m", messages, []);
let answer = "";
loop {
    let event = omw::host::recv();
    if event.kind == "chat-end" { break }
    answer += event.payload.reasoning ?? "";
    answer += ": " + (event.payload.content ?? "");
}
`${asked.arguments.of} ${event.id == queued} ${direct.structured_content.legs} ${answer}`
"#;

#[cfg(feature = "js")]
const JS: &str = r#"
const llm = omw.provider.get("llm");
const zoo = omw.tooling.get("zoo");
const messages = [{role: "user", content: omw.host.memoryGet("question")}];
const reply = llm.chat("m", messages, zoo.listTools());
const asked = reply.toolCalls[0];
const queued = zoo.callTool(asked.name, asked.arguments);
const event = omw.host.recv();
const direct = zoo.callToolBlocking("count", {});
messages.push({role: "assistant", toolCalls: reply.toolCalls});
messages.push({role: "tool", toolCallId: asked.id, content: event.payload.content[0].text});
const stream = llm.chatStream("m", messages, []);
let answer = "";
for (let event; (event = omw.host.recv()).kind !== "chat-end";) {
    answer += event.payload.reasoning ?? "";
    answer += ": " + (event.payload.content ?? "");
}
`${asked.arguments.of} ${event.id === queued} ${direct.structuredContent.legs} ${answer}`
"#;

/// How the agent ended, and all that it was seen to ask.
async fn run(kind: &str, script: &str) -> (RunOutcome, Vec<TraceEvent>) {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path()).unwrap();
    fs::write(path.join("omw.toml"), format!("{CONFIG}\n[runtime.script]\nkind = \"{kind}\"\n")).unwrap();
    fs::write(path.join("brain"), script).unwrap();
    let config = load(&Source::file(path.join("omw.toml"))).unwrap().config;
    let (trace, events) = TraceSender::channel();
    let run = Run::builder(Arc::new(config), &Registries::standard()).trace(trace).start().await.unwrap();
    let mut report = run.finish().await;
    (report.agents.remove(0).outcome, events.try_iter().collect())
}

#[tokio::test]
async fn a_rhai_brain_asks_calls_and_reads_its_inbox() {
    let (outcome, _) = run("rhai", RHAI).await;
    assert_eq!(outcome, RunOutcome::Exited("legs true 8 a spider: : eight".to_owned()));
}

#[cfg(feature = "js")]
#[tokio::test]
async fn a_js_brain_leaves_the_same_trace_as_a_rhai_brain() {
    let without_ids = |events: Vec<TraceEvent>| -> Vec<_> {
        events.into_iter().map(TraceEvent::into_candidate).map(|event| masked(&event.to_string())).collect()
    };
    let (rhai, seen) = run("rhai", RHAI).await;
    let (js, seen_of_js) = run("js", JS).await;
    assert_eq!(js, rhai);
    assert_eq!(without_ids(seen_of_js), without_ids(seen));
}

/// A text without the ids that are new in each run.
#[cfg(feature = "js")]
fn masked(text: &str) -> String {
    let words = text
        .split('"')
        .map(|word| if word.len() == 36 && word.matches('-').count() == 4 { "id" } else { word });
    words.collect::<Vec<_>>().join("\"")
}
