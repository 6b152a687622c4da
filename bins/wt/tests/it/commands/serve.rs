//! `wt serve`

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::harness::{CallWt, post};
use windtunnel_testkit::Folder;

const SCRIPT: &str = r#"decisions = [
  { tool_calls = [{ name = "lookup", arguments = { id = 7 } }] },
  { content = "75 orders" },
]

[[aside]]
pattern = { messages = [{ content = "^Generate a title" }] }
content = "A title"
"#;

fn request(text: &str) -> Value {
    let lookup =
        json!({ "type": "function", "function": { "name": "lookup", "parameters": { "type": "object" } } });
    json!({ "model": "any", "messages": [{ "role": "user", "content": text }], "tools": [lookup] })
}

#[test]
fn a_script_is_served_decision_by_decision_until_it_is_over() {
    let folder = Folder::new().file("script.toml", SCRIPT);
    let mut serving = folder.wt("serve --script script.toml --listen 127.0.0.1:0").start();
    let url = serving.first_line() + "/chat/completions";

    let first = post(&url, &request("How many?"));
    assert_eq!(first.status, 200, "{first:?}");
    assert_eq!(first.body["choices"][0]["message"]["tool_calls"][0]["function"]["name"], "lookup");

    let title = post(&url, &request("Generate a title for this."));
    assert_eq!(title.body["choices"][0]["message"]["content"], "A title");

    let second = post(&url, &request("How many, then?"));
    assert_eq!(second.body["choices"][0]["message"]["content"], "75 orders");

    serving.signal(Signal::TERM);
    serving.exits(0).complains("served 2 of 2 decisions").complains("POST /v1/chat/completions 200");
}

#[test]
fn a_question_too_many_is_refused_so_that_no_client_retries() {
    let folder = Folder::new().file("script.toml", "decisions = [{ content = 'hello' }]\n");
    let mut serving = folder.wt("serve --script script.toml").start();
    let url = serving.first_line() + "/chat/completions";
    assert_eq!(post(&url, &request("Hi.")).status, 200);

    let refused = post(&url, &request("And now?"));
    assert_eq!(refused.status, 400, "{refused:?}");
    assert_eq!(refused.header("x-should-retry"), Some("false"), "{refused:?}");
    assert!(refused.body["error"]["message"].is_string(), "{refused:?}");

    serving.signal(Signal::INT);
    serving.exits(1).complains("served 1 of 1 decisions");
}

#[test]
fn a_script_that_is_not_used_up_is_a_failure() {
    let folder = Folder::new().file("script.yaml", "turns:\n- - content: one\n- - content: two\n");
    let mut serving = folder.wt("serve --script script.yaml").start();
    let url = serving.first_line() + "/chat/completions";
    assert_eq!(post(&url, &request("Hi.")).status, 200);
    serving.signal(Signal::TERM);
    serving.exits(1).complains("served 1 of 2 decisions");
}

#[test]
fn a_script_that_repeats_begins_again_when_it_ends() {
    let folder =
        Folder::new().file("script.toml", "decisions = [{ content = 'one' }, { content = 'two' }]\n");
    let mut serving = folder.wt("serve --script script.toml --repeat").start();
    let url = serving.first_line() + "/chat/completions";
    for expected in ["one", "two", "one"] {
        assert_eq!(post(&url, &request("Hi.")).body["choices"][0]["message"]["content"], expected);
    }
    serving.signal(Signal::TERM);
    serving.exits(0).complains("served 3 decisions");
}

#[test]
fn the_ready_line_is_the_base_url_alone_and_stderr_says_what_clients_take_it_from() {
    let folder = Folder::new().file("script.toml", SCRIPT);
    let mut serving = folder.wt("serve --script script.toml --repeat").start();
    let url = serving.first_line();
    serving.signal(Signal::TERM);
    let shown = serving.exits(0);
    let root = url.strip_suffix("/v1").unwrap();
    shown.complains(&format!("OPENAI_BASE_URL={url}\nANTHROPIC_BASE_URL={root}\n"));
}

#[test]
fn a_signal_right_after_the_ready_line_is_a_graceful_end() {
    let folder = Folder::new().file("script.toml", SCRIPT);
    for signal in [Signal::TERM, Signal::INT].repeat(5) {
        let mut serving = folder.wt("serve --script script.toml --repeat").start();
        serving.first_line();
        serving.signal(signal);
        serving.exits(0).complains("served 0 decisions");
    }
}

#[test]
fn an_address_that_is_taken_is_refused() {
    let folder = Folder::new().file("script.toml", SCRIPT);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let shown = folder.wt(&format!("serve --script script.toml --listen {address}")).exits(2);
    shown.complains(&address.to_string());
}
