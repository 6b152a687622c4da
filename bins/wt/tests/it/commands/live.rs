//! `wt run` on a program that runs its own tools, in front of a `wt serve` that plays its provider.

use rustix::process::Signal;
use windtunnel_testkit::Folder;

use crate::harness::CallWt;

const SCRIPT: &str = "decisions = [
  { tool_calls = [{ name = \"refund\", arguments = { order_id = \"A-17\" } }] },
  { content = \"Nothing was paid back.\" },
]
";

/// Does whatever its model says.
const AGENT: &str = r#"
import json, os, urllib.request

def ask(messages):
    tools = [{"type": "function", "function": {"name": "refund", "parameters": {"type": "object"}}}]
    url = os.environ.get("MODEL_URL") or os.environ["ANOTHER_WAY"]
    headers = {"content-type": "application/json"}
    body = json.dumps({"model": "m", "messages": messages, "tools": tools}).encode()
    with urllib.request.urlopen(urllib.request.Request(url + "/chat/completions", body, headers)) as answer:
        return json.load(answer)["choices"][0]["message"]

messages = [{"role": "user", "content": "go"}]
while calls := (message := ask(messages)).get("tool_calls"):
    messages.append(message)
    messages += [{"role": "tool", "tool_call_id": call["id"], "content": "paid back"} for call in calls]
print(message["content"])
"#;

#[test]
fn a_forbidden_call_of_a_tool_of_its_own_is_seen_or_the_run_is_invalid() {
    let scenario =
        "name = 'ask'\nprompt = 'Pay it back?'\ntarget_facts = [['nothing']]\nforbidden_calls = ['refund']\n";
    let folder = Folder::new()
        .file("script.toml", SCRIPT)
        .file("agent.py", AGENT)
        .file("desk/pack.toml", "name = 'desk'\nruntime = 'bot'\n")
        .file("desk/ask.scenario.toml", scenario);
    let mut provider = folder.wt("serve --script script.toml --repeat").start();
    let url = provider.first_line();
    let runtime = |inference: &str, env: &str| {
        let text = format!(
            "[runtimes.bot]\nkind = 'command'\ncommand = ['python3', 'agent.py']\ncwd = '.'\n\
             inference = {{ {inference} }}\nenv = {{ {env} }}\n"
        );
        std::fs::write(folder.path("wt.toml"), text).unwrap();
    };
    for (inference, env) in [
        ("base_url_env = 'MODEL_URL'".to_owned(), format!("MODEL_URL = '{url}'")),
        (format!("base_url_env = 'MODEL_URL', upstream = '{url}'"), String::new()),
    ] {
        runtime(&inference, &env);
        let failed = folder.wt("run desk --runs-dir runs").exits(1);
        failed
            .says("FAIL desk/ask")
            .says("forbidden_calls: \"refund\" was called")
            .says("at the inference seam");
    }
    runtime("base_url_env = 'MODEL_URL'", &format!("ANOTHER_WAY = '{url}'"));
    let invalid = folder.wt("run desk --runs-dir runs").exits(1);
    invalid.says("INVALID desk/ask").says("is asked where nobody sees it: set inference.upstream");
    let policy = "name = 'ask'\nprompt = 'Pay it back?'\n\n[[policies]]\nname = 'no refund'\nnever = { kind = 'tool_call', tool = 'refund' }\n";
    std::fs::write(folder.path("desk/ask.scenario.toml"), policy).unwrap();
    folder.wt("run desk --runs-dir runs").exits(1).says("INVALID desk/ask");
    // It is told an address, and asks another.
    runtime(&format!("base_url_env = 'OTHER', upstream = '{url}'"), &format!("ANOTHER_WAY = '{url}'"));
    let elsewhere = folder.wt("run desk --runs-dir runs").exits(1);
    elsewhere.says("INVALID desk/ask").says("does the program read OTHER?");
    // A tool server does not make what nobody serves seen.
    std::fs::write(
        folder.path("desk/pack.toml"),
        "name = 'desk'\nruntime = 'bot'\n\n[tools.files]\nkind = 'workspace'\n",
    )
    .unwrap();
    runtime(
        "base_url_env = 'MODEL_URL'",
        &format!("ANOTHER_WAY = '{url}' }}\ntools = {{ url_env = 'MCP_URL'"),
    );
    let unserved = folder.wt("run desk --runs-dir runs").exits(1);
    unserved.says("INVALID desk/ask").says("no tool server has \"refund\", which is not to be called");
    provider.signal(Signal::TERM);
    provider.exits(0);
}

#[test]
fn a_key_that_only_the_agent_knew_is_in_nothing_that_is_kept_or_said() {
    const KEY: &str = "canary-of-a-file-5a1d";
    let agent = AGENT
        .replace(
            "{\"content-type\": \"application/json\"}",
            &format!("{{\"authorization\": \"Bearer {KEY}\"}}"),
        )
        .replace("print(message[\"content\"])", &format!("print(message[\"content\"], \"{KEY}\")"));
    assert_eq!(agent.matches(KEY).count(), 2);
    let folder = Folder::new()
        .file("script.toml", SCRIPT)
        .file("agent.py", &agent)
        .file("desk/pack.toml", "name = 'desk'\nruntime = 'bot'\n")
        .file(
            "desk/ask.scenario.toml",
            "name = 'ask'\nprompt = 'Pay it back?'\ntarget_facts = [['everything']]\n",
        );
    let mut provider = folder.wt("serve --script script.toml --repeat").start();
    let url = provider.first_line();
    let runtime = format!(
        "[runtimes.bot]\nkind = 'command'\ncommand = ['python3', 'agent.py']\ncwd = '.'\n\
         inference = {{ base_url_env = 'MODEL_URL', upstream = '{url}' }}\n"
    );
    std::fs::write(folder.path("wt.toml"), runtime).unwrap();
    let shown = folder.wt("run desk --runs-dir runs").exits(1);
    shown.says("Nothing was paid back. ***");
    assert!(!shown.to_string().contains(KEY), "{shown}");
    let kept = folder.files("runs");
    assert!(kept.len() > 2, "{kept:?}");
    for file in kept {
        assert!(!std::fs::read_to_string(folder.path(&file)).unwrap().contains(KEY), "{file}");
    }
    provider.signal(Signal::TERM);
    provider.exits(0);
}
