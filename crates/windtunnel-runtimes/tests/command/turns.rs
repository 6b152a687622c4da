//! Turns that are processes of their own.

use serde_json::json;
use windtunnel_api::event::CapturedOutput;
use windtunnel_spi::{Message, RuntimeErrorKind, SessionId};

use crate::support::{Bench, say, text};

#[tokio::test]
async fn the_prompt_goes_in_and_the_output_without_white_space_comes_out() {
    assert_eq!(
        Bench::sh("read line; printf '\\n %s, %s \\n' \"$line\" $(wc -l)")
            .answer("hello\nyou")
            .await
            .unwrap(),
        "hello, 1"
    );
    let bench = Bench::new(&["printf", "<%s>", "{prompt}"]).with("prompt", json!("arg"));
    assert_eq!(
        bench.answer("two words; $HOME `ls`").await.unwrap(),
        "<two words; $HOME `ls`>",
        "no shell reads it"
    );
}

#[tokio::test]
async fn a_program_need_not_read_its_input() {
    let prompt = "x".repeat(1024 * 1024);
    assert_eq!(Bench::sh("echo done").answer(&prompt).await.unwrap(), "done");
    assert_eq!(Bench::sh("wc -c").answer(&prompt).await.unwrap(), "1048577");
}

#[tokio::test]
async fn it_runs_in_the_workspace_or_where_the_settings_say() {
    let bench = Bench::sh("pwd; echo $WT_WORKSPACE");
    let workspace = bench.world.workspace.clone();
    assert_eq!(bench.answer("").await.unwrap(), format!("{workspace}\n{workspace}"));
    let bench = Bench::sh("pwd").with("cwd", json!("."));
    assert_eq!(bench.answer("").await.unwrap(), bench.dir);
}

#[tokio::test]
async fn a_bad_end_is_a_failed_turn_whatever_was_printed() {
    let bench = Bench::sh("echo a fine answer; echo starting >&2; echo 'no model' >&2; exit 3");
    let mut agent = bench.agent().await;
    let error = say(agent.as_mut(), "go").await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Turn);
    assert_eq!(
        text(&error),
        "the agent ended with exit code 3; standard error ended with:\n  starting\n  no model"
    );
    let output = |source: &str, text: &str| CapturedOutput {
        source: source.to_owned(),
        text: text.to_owned(),
        omitted_bytes: 0,
    };
    assert_eq!(
        agent.output(),
        [output("agent stdout", "a fine answer\n"), output("agent stderr", "starting\nno model\n")]
    );

    let error = Bench::sh("kill -9 $$").answer("go").await.unwrap_err();
    assert_eq!(text(&error), "the agent was ended by signal 9; it wrote nothing to standard error");
}

#[tokio::test]
async fn a_slow_turn_says_its_limit_and_the_last_words() {
    let bench = Bench::sh("echo waiting for the model >&2; sleep 600").with("turn_timeout_s", json!(0.3));
    let error = bench.answer("go").await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Timeout);
    assert_eq!(
        text(&error),
        "the agent gave no answer within 0.3 s (turn_timeout_s); standard error: waiting for the model"
    );
    let mut bench = Bench::sh("sleep 600");
    bench.world.limits.turn = std::time::Duration::from_millis(200);
    let error = bench.answer("go").await.unwrap_err();
    assert!(text(&error).contains("within 0.2 s (timeouts.turn_s)"), "{error}");
}

#[tokio::test]
async fn the_bench_waits_longer_than_the_agent_so_that_the_agent_can_explain() {
    let bench = Bench::sh("true").with("turn_timeout_s", json!(60));
    assert!(bench.agent().await.turn_limit().unwrap().as_secs() > 60);
}

#[tokio::test]
async fn a_cancelled_case_is_no_failed_turn() {
    let bench = Bench::sh("echo ready >&2; sleep 600");
    let mut agent = bench.agent().await;
    let cancel = async {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        bench.world.cancel.cancel();
    };
    let (error, ()) = tokio::join!(say(agent.as_mut(), "go"), cancel);
    assert_eq!(error.unwrap_err().kind(), RuntimeErrorKind::Cancelled);
}

#[tokio::test]
async fn a_flood_is_no_answer() {
    let error = Bench::sh("yes").answer("go").await.unwrap_err();
    assert!(text(&error).starts_with("the agent printed more than 8388608 bytes as its answer"), "{error}");
}

#[tokio::test]
async fn one_json_line_may_be_the_answer() {
    let line = r#"{"reply": "75", "tool_calls": [{"name": "lookup", "arguments": {"id": 7}}]}"#;
    let bench = Bench::new(&["printf", "\\n%s\\n", line]).with("reply", json!("jsonl"));
    let reply = say(bench.agent().await.as_mut(), "go").await.unwrap();
    assert_eq!((reply.content.as_str(), reply.claimed_calls.len()), ("75", 1));
    for (script, expected) in [
        ("echo '{\"reply\": \"a\"}'; echo 'bye'", "the agent printed a second line after its reply: `bye`"),
        ("true", "the agent ended without a reply line on standard output"),
        ("echo Loading", "the agent printed a line that is no reply: `Loading`"),
    ] {
        let error = Bench::sh(script).with("reply", json!("jsonl")).answer("go").await.unwrap_err();
        assert!(text(&error).starts_with(expected), "{error}");
    }
}

#[tokio::test]
async fn only_the_newest_message_goes_in_and_earlier_ones_are_refused() {
    let bench = Bench::sh("cat");
    let mut agent = bench.agent().await;
    assert_eq!(say(agent.as_mut(), "one").await.unwrap().content, "one");
    assert_eq!(say(agent.as_mut(), "two").await.unwrap().content, "two");
    let shaped = [Message::user("before"), Message::user("now")];
    let error = agent.send(&shaped, &SessionId::new("s")).await.unwrap_err();
    assert!(text(&error).contains("cannot be given the earlier messages"), "{error}");
}

#[tokio::test]
async fn its_environment_is_allow_listed_and_its_secrets_are_redacted() {
    let bench = Bench::sh("env | grep -c CARGO; echo \"$MODE $KEY\"; echo $KEY >&2; exit 1")
        .with("env", json!({"MODE": "test", "KEY": "k-${CARGO_PKG_NAME}"}));
    let mut agent = bench.agent().await;
    let error = say(agent.as_mut(), "go").await.unwrap_err();
    assert_eq!(text(&error), "the agent ended with exit code 1; standard error: k-***");
    let printed: Vec<String> = agent.output().into_iter().map(|output| output.text).collect();
    assert_eq!(printed, ["0\ntest k-***\n", "k-***\n"]);
}
