//! A whole run, from its files to its end: an agent in a script and one in code, with a scripted model and a scripted tool.
#![cfg(all(feature = "rhai", feature = "mock"))]

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use camino::Utf8Path;
use omw::config::{Source, load};
use omw::prelude::*;
use serde_json::Value;

const CONFIG: &str = r#"
[agents.asker]
runtime = "script"
script = "asker.rhai"

[agents.greeter]
runtime = "code"
script = "greeter"

[runtime.script]
kind = "rhai"

[runtime.code]
kind = "greeter"

[providers.llm]
kind = "mock"
turns = [
  { tool_calls = [{ id = "c1", name = "lookup", arguments = { name = "Ada" } }] },
  { content = "Hello, Countess." },
]

[tooling.register]
kind = "mock"
delay_ms = 0
tools = [{ name = "lookup", input_schema = { type = "object" } }]
tool_calls = [{ name = "lookup", result = "Countess of Lovelace" }]

[memory.asker]
name = "Ada"
"#;

const ASKER: &str = r#"
omw::host::subscribe_agent("greeter");
let name = omw::host::memory_get("name");
loop {
    omw::host::send_agent("greeter", name);
    let event = omw::host::try_recv();
    if event != () {
        return event.payload;
    }
    omw::host::sleep_for(1);
}
"#;

/// Greets the first agent that names somebody, in the words of the model.
struct Greeter;

impl Brain for Greeter {
    fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
        greet(&**host).map_err(|error| BrainError::Failed(error.to_string()))
    }
}

fn greet(host: &dyn Host) -> HostResult<Option<String>> {
    host.subscribe_agent("asker")?;
    let Event::Message(name) = host.recv()?.event else {
        return Err(HostError::failed("only the asker speaks to it"));
    };
    let tools = host.list_tools("register")?;
    let mut request = ChatRequest { model: "m".into(), tools, ..ChatRequest::default() };
    request.messages.push(Message { role: "user".into(), content: Some(name), ..Message::default() });
    loop {
        let reply = host.chat("llm", request.clone())?;
        let Some(call) = reply.tool_calls.first() else {
            host.send_agent("asker", &reply.content.unwrap_or_default())?;
            return Ok(None);
        };
        let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
        let result = host.call_tool_blocking("register", &call.name, arguments)?;
        let answer = Message { role: "tool".into(), content: Some(result.content), ..Message::default() };
        request.messages.push(answer);
    }
}

#[tokio::test]
async fn two_agents_a_model_and_a_tool_come_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(folder.path()).unwrap();
    let path = folder.join("omw.toml");
    fs::write(&path, CONFIG).unwrap();
    fs::write(folder.join("asker.rhai"), ASKER).unwrap();
    let config = Arc::new(load(&Source::file(path)).unwrap().config);
    let mut registries = Registries::standard();
    registries.runtimes.add("greeter", |_, _| Ok(Arc::new(Native::new("greeter", Arc::new(Greeter)))));

    let (trace, events) = TraceSender::channel();
    let run = Run::builder(config, &registries).trace(trace).start().await.unwrap();
    let report = tokio::time::timeout(Duration::from_secs(20), run.finish()).await.unwrap();

    let outcomes: Vec<_> = report.agents.iter().map(|end| (end.name.as_str(), &end.outcome)).collect();
    let exited = RunOutcome::Exited("Hello, Countess.".into());
    assert_eq!(outcomes, [("asker", &exited), ("greeter", &RunOutcome::Completed)]);
    assert_eq!(report.snapshots.providers["llm"]["turns_remaining"], 0);
    assert_eq!(report.snapshots.tooling["register"]["calls"][0]["arguments"]["name"], "Ada");

    let groups = group(events.try_iter());
    let greeter: Vec<_> = groups["greeter"].iter().map(line).collect();
    insta::assert_snapshot!(greeter.join("\n"), @r#"
    call subscribe_agent null
    opened agent
    returned subscribe_agent an id
    inbound message "Ada"
    call list_tools null
    returned list_tools [{"name":"lookup","title":null,"description":null,"input_schema":{"type":"object"},"output_schema":null,"annotations":null}]
    call chat null
    returned chat {"content":null,"reasoning":null,"tool_calls":[{"id":"c1","name":"lookup","arguments":{"name":"Ada"}}],"finish_reason":"tool_calls","usage":null}
    call call_tool_blocking {"name":"Ada"}
    returned call_tool_blocking {"content":[{"type":"text","text":"Countess of Lovelace"}],"structured_content":null,"is_error":false}
    call chat null
    returned chat {"content":"Hello, Countess.","reasoning":null,"tool_calls":[],"finish_reason":"stop","usage":null}
    call send_agent "Hello, Countess."
    returned send_agent true
    outcome "completed"
    "#);
}

/// An event in a few words, the same in every run.
fn line(event: &TraceEvent) -> String {
    if let TraceEvent::Returned { op, uuid: Some(_), .. } = event {
        return format!("returned {op} an id");
    }
    let seen = event.clone().into_candidate();
    let word = |key: &str| seen[key].as_str().unwrap_or_default().to_owned();
    match word("kind").as_str() {
        "inbound" => format!("inbound {} {}", word("event"), seen["payload"]["data"]),
        "outcome" => format!("outcome {}", seen["outcome"]),
        kind @ ("opened" | "closed") => {
            format!("{kind} {} {}", word("source"), word("reason")).trim().to_owned()
        }
        kind => {
            let detail = &seen["detail"];
            let said = ["arguments", "payload", "result"].iter().find_map(|key| detail.get(key));
            format!("{kind} {} {}", word("op"), said.unwrap_or(&Value::Null))
        }
    }
}
