//! `wt record` of the agent, in front of a `wt serve` that plays its provider.

#![cfg(unix)]

use std::fs;

use windtunnel_testkit::{Folder, Program};

const SCRIPT: &str = r#"decisions = [
  { tool_calls = [{ name = "read_file", arguments = { path = "minutes.md" } }] },
  { tool_calls = [{ name = "write_file", arguments = { path = "summary.md", content = "Launch on 12 May." } }] },
  { content = "summary.md says that the launch is on 12 May." },
]
"#;

#[test]
fn a_recorded_session_passes_as_a_self_test_of_the_same_agent() {
    let agent = Program::new("acp-agent", env!("CARGO_BIN_EXE_acp-agent"));
    let wt = agent.beside("wt");
    let path = format!("{}:{}", agent.path().parent().unwrap().display(), std::env::var("PATH").unwrap());
    let folder = Folder::example("acp-agent").file("script.toml", SCRIPT);
    let call = |line: &str| folder.call(&wt, line).env("PATH", &path).env("OPENAI_API_KEY", "canary-key");

    let mut provider = call("serve --script script.toml").start();
    let upstream = provider.first_line();
    let line = format!("record . --scenario summary --upstream {upstream} --out made");
    call(&line).succeeds().complains("Recorded 3 requests: 3 decisions in 1 turn, 2 tool calls.");

    let scenario = folder.path("made/made.scenario.toml");
    let text = folder.read("made/made.scenario.toml");
    assert!(text.contains("prompt = \"Put what the minutes decide into summary.md.\""), "{text}");
    fs::write(&scenario, text.replace("(write here what a right answer must say)", "12 May")).unwrap();
    call("selftest made").succeeds().says("PASS made/made/recorded");
}
