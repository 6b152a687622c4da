//! Agents that run until they end, fail, or are told to.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use rustix::process::Signal;
use windtunnel_testkit::{Folder, eventually};

use crate::harness::{AGENT, CallOmw};

fn agent(brain: &str) -> Folder {
    Folder::new().file("omw.toml", AGENT).file("brain.rhai", brain)
}

#[test]
fn agents_run_once_and_what_they_log_is_on_standard_error() {
    let finished = agent(r#"omw::host::log("info", "working"); 7"#).omw("run").succeeds();
    assert_eq!(finished.stdout, "", "{finished}");
    finished.complains("working").complains("alice");
}

#[test]
fn an_agent_that_fails_is_exit_code_1() {
    agent(r#"throw "no luck";"#).omw("run").exits(1).complains("alice").complains("no luck");
}

#[test]
fn requests_that_are_wrong_are_exit_code_2() {
    let empty = Folder::new();
    empty.omw("run").exits(2).complains("omw.toml").complains("--config");
    empty.omw("run --config other.toml").exits(2).complains("other.toml");
    agent("let").omw("run").exits(2).complains("brain.rhai");
    let mock = agent("1").file("omw.toml", format!("{AGENT}[providers.llm]\nkind = \"mock\"\n"));
    mock.omw("run").exits(2).complains("mock").complains("openai");
}

#[test]
fn unknown_keys_are_named_and_ignored() {
    let folder =
        agent("1").file("omw.toml", format!("{AGENT}[tunables]\ninbox_buond = 3\n[assertions.alice]\n"));
    folder.omw("run").succeeds().complains("inbox_buond").complains("inbox_bound");
}

#[test]
fn a_signal_ends_agents_that_listen_after_their_last_words() {
    for signal in [Signal::INT, Signal::TERM] {
        let folder = agent(
            r#"omw::host::subscribe_lifecycle();
            omw::host::log("info", "ready");
            let event = omw::host::recv();
            omw::host::log("info", `last words: ${event.kind}`);"#,
        );
        let running = folder.omw("run").start();
        eventually("it is ready", || running.said().stderr.contains("ready").then_some(()));
        running.signal(signal);
        running.exits(0).complains("last words: shutdown");
    }
}

#[test]
fn a_second_signal_does_not_wait_for_a_brain_that_loops() {
    let folder = agent(r#"omw::host::log("info", "ready"); loop {}"#);
    let running = folder.omw("run").start();
    eventually("it is ready", || running.said().stderr.contains("ready").then_some(()));
    running.signal(Signal::INT);
    std::thread::sleep(Duration::from_millis(50));
    running.signal(Signal::INT);
    running.exits(0);
}

#[test]
fn a_loop_starts_agents_again_and_pauses_after_failures() {
    let folder = agent(
        r#"let n = omw::host::memory_get_as("n");
        n = if n == () { 1 } else { n + 1 };
        omw::host::memory_set_as("n", n);
        omw::host::log("info", `round ${n}`);
        if n < 3 { throw "again"; }
        omw::host::sleep_for(20);"#,
    );
    let running = folder.omw("loop").env("OMW__TUNABLES__LOOP_BACKOFF_START_MS", "5").start();
    eventually("it came to round 6", || running.said().stderr.contains("round 6").then_some(()));
    running.signal(Signal::TERM);
    running.exits(0);
}

#[test]
fn a_changed_script_takes_over_and_a_broken_one_does_not() {
    let folder = agent(r#"omw::host::log("info", "first"); omw::host::recv();"#);
    let running = folder.omw("run --watch").env("OMW__TUNABLES__WATCH_DEBOUNCE_MS", "20").start();
    let says = |text: &str| eventually(text, || running.said().stderr.contains(text).then_some(()));
    says("first");
    fs::write(folder.path("brain.rhai"), "let").unwrap();
    says("brain.rhai");
    fs::write(folder.path("brain.rhai"), r#"omw::host::log("info", "second"); omw::host::recv();"#).unwrap();
    says("second");
    running.signal(Signal::TERM);
    running.exits(0);
}

#[test]
fn a_mistake_in_a_parameter_does_not_show_its_value() {
    for (mistake, variable) in [
        ("[providers.llm]\nkind = \"openai\"\napi_key = 98765432123\n", None),
        ("[providers.llm]\nkind = \"openai\"\napi_key = [\"canary-list\"]\n", None),
        ("[providers.llm]\nkind = \"openai\"\nbase_url = \"ht!tp://u:canary-url@h\"\n", None),
        ("[tooling.t]\nkind = \"mcp\"\ntransport = \"stdio\"\ncommand = \"x\"\nenv = \"canary-env\"\n", None),
        (
            "[tooling.t]\nkind = \"mcp\"\ntransport = \"stdio\"\ncommand = \"x\"\nargs = \"--token=canary-args\"\n",
            None,
        ),
        ("", Some(("OMW__PROVIDERS__LLM", "canary-variable"))),
    ] {
        let folder = agent("1").file("omw.toml", format!("{AGENT}{mistake}"));
        let call = folder.omw("run");
        let call = variable.into_iter().fold(call, |call, (name, value)| call.env(name, value));
        let said = call.exits(2).stderr;
        assert!(!said.contains("canary") && !said.contains("98765432123"), "{mistake}\n{said}");
        assert!(said.contains("omw.toml:") || said.contains("OMW__PROVIDERS__LLM"), "{said}");
    }
}

#[test]
fn a_log_that_cannot_be_written_ends_nobody() {
    let folder = agent(r#"print("x"); omw::host::log("info", "y");"#);
    folder.shell(&crate::harness::program(), "$OMW run 2>/dev/full").succeeds();
}

#[test]
fn a_client_of_a_brain_that_fails_is_told_and_the_next_one_is_served() {
    let brain = r#"omw::host::subscribe_endpoint("desk");
        loop {
            let event = omw::host::recv();
            if event.kind != "endpoint-message" { continue; }
            if event.payload.messages[0].content == "fail" { throw "no luck"; }
            omw::host::stream_endpoint(event.payload.session, #{ content: "at your service", finish_reason: "stop" });
        }"#;
    let config = format!("{AGENT}[endpoint]\nkind = \"openai\"\nlisten = \"127.0.0.1:0\"\n");
    let folder = Folder::new().file("omw.toml", config).file("brain.rhai", brain);
    let running = folder.omw("loop").env("OMW__TUNABLES__LOOP_BACKOFF_START_MS", "5").start();
    let address = eventually("it listens", || {
        let said = running.said().stderr;
        said.split_once("http://").and_then(|(_, rest)| Some(rest.split_once("/v1")?.0.to_owned()))
    });
    let ask = |content: &str| {
        let body = format!(r#"{{"model":"desk","messages":[{{"role":"user","content":"{content}"}}]}}"#);
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let head = "POST /v1/chat/completions HTTP/1.1\r\nhost: desk\r\ncontent-type: application/json\r\nconnection: close";
        write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    eventually("it serves", || ask("hello").contains("at your service").then_some(()));
    let answer = ask("fail");
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("ended before it answered"), "{answer}");
    assert!(ask("hello").contains("at your service"));
    running.signal(Signal::TERM);
    running.exits(0);
}
