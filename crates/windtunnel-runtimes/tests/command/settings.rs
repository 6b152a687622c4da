//! Wrong settings are refused before anything runs.

use serde_json::json;
use windtunnel_spi::{AgentRuntime, RuntimeErrorKind};

use crate::support::{Bench, say, text};

fn refused(bench: &Bench) -> String {
    let error = bench.runtime().map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Config);
    text(&error)
}

#[test]
fn every_mistake_names_its_field_and_the_way_out() {
    let inference = json!({"base_url_env": "OPENAI_BASE_URL"});
    let table = [
        (Bench::new(&["sh", "{promt}"]), "command[1]: unknown placeholder {promt}: did you mean {prompt}?"),
        (Bench::new(&["{prompt}"]), "command[0]: the program itself cannot hold a placeholder"),
        (Bench::new(&[]), "command is empty: write [\"program\", \"argument\", …]"),
        (
            Bench::sh("true").with("prompt", json!("arg")),
            "prompt = \"arg\" needs {prompt} in an argument of command",
        ),
        (Bench::sh("{prompt}"), "command holds {prompt}, which is only filled in with prompt = \"arg\""),
        (
            Bench::sh("true").with("prompt", json!("jsonl")),
            "prompt = \"jsonl\" keeps the process, which cannot answer with all of its output: add reply = \"jsonl\"",
        ),
        (Bench::sh("{base_url}"), "command holds {base_url}, but there is no inference to fill it in from"),
        (
            Bench::sh("true").with("inference", json!({})),
            "inference: nothing tells the program where the model is: set base_url_env, or put {base_url} into command",
        ),
        (Bench::sh("{config_file}"), "command holds {config_file}, but there is no tools.config_file"),
        (
            Bench::sh("true").with("turn_timeout_s", json!(0)),
            "turn_timeout_s: expected seconds above 0, found 0",
        ),
        (
            Bench::sh("true").with("env", json!({"KEY": "${NO_SUCH_KEY}"})),
            "variable NO_SUCH_KEY is not set, and env.KEY needs it: export NO_SUCH_KEY before you start",
        ),
        (
            Bench::sh("true")
                .file("mcp.j2", "{{ server }}")
                .with("tools", json!({"config_file": {"template": "mcp.j2"}}))
                .with("inference", inference),
            "mcp.j2 uses an unknown variable server: did you mean servers?",
        ),
        (
            Bench::sh("true").with("aside", json!([{"pattern": {"$nto": 1}, "content": "x"}])),
            "aside[0].pattern: ",
        ),
    ];
    for (bench, expected) in table {
        let error = refused(&bench);
        assert!(
            error.starts_with("runtimes.bot: ") && error.contains(expected),
            "{error}\nexpected {expected}"
        );
    }
}

#[test]
fn a_program_that_does_not_exist_is_looked_for_at_once() {
    let bench = Bench::new(&["./bot.sh"]);
    let expected =
        format!("runtimes.bot: command: program `./bot.sh` was not found: looked for {}/bot.sh", bench.dir);
    assert_eq!(refused(&bench), expected);
    let error = refused(&Bench::new(&["no-such-program-anywhere"]));
    assert!(
        error.contains("program `no-such-program-anywhere` was not found: looked for it in PATH ("),
        "{error}"
    );
}

#[tokio::test]
async fn a_live_run_fills_in_the_base_url_where_the_model_is_known() {
    let bench = Bench::sh("echo {base_url}").with("inference", json!({}));
    assert!(bench.runtime().unwrap().reference().is_some());
    let error = say(bench.agent().await.as_mut(), "go").await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Config);
    insta::assert_snapshot!(text(&error), @"runtimes.bot: command holds {base_url}, and nothing says where the model of a live run is: set inference.upstream");
    let known = Bench::sh("echo {base_url}").with("inference", json!({"upstream": "https://models.example"}));
    let told = known.answer("go").await.unwrap();
    assert!(told.starts_with("http://127.0.0.1:") && told.ends_with("/v1"), "{told}");
    let key = Bench::sh("echo {api_key} {base_url}")
        .with("inference", json!({"upstream": "https://models.example"}));
    insta::assert_snapshot!(text(&key.answer("go").await.unwrap_err()), @"runtimes.bot: command holds {api_key}, which only a self-test fills in: for live runs let the program read it from a variable (inference.api_key_env, pass_env)");
    assert!(Bench::sh("true").runtime().unwrap().reference().is_none(), "no inference, no self-test");
}

#[test]
fn variables_have_names_and_templates_are_files() {
    for (field, value, expected) in [
        (
            "inference",
            json!({"base_url_env": ""}),
            "inference.base_url_env: expected the name of a variable, found \"\"",
        ),
        (
            "inference",
            json!({"base_url_env": "A", "api_key_env": "B=C"}),
            "inference.api_key_env: expected the name of a variable, found \"B=C\"",
        ),
        ("tools", json!({"url_env": "A=B"}), "tools.url_env: expected the name of a variable, found \"A=B\""),
        (
            "tools",
            json!({"config_file": {"env": "A", "template": "/dev/zero"}}),
            "tools.config_file: the template /dev/zero is no regular file",
        ),
    ] {
        let error = text(&Bench::sh("true").with(field, value).runtime().err().unwrap());
        assert_eq!(error, format!("runtimes.bot: {expected}"));
    }
}
