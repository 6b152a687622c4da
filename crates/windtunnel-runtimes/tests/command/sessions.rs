//! A process that stays for the case.

use serde_json::json;
use windtunnel_spi::{Message, RuntimeErrorKind, SessionId};

use crate::support::{Bench, alive, say, text};

fn jsonl(script: &str) -> Bench {
    Bench::sh(script).with("prompt", json!("jsonl")).with("reply", json!("jsonl"))
}

/// Answers every line with its number, its process and the line itself as a string.
const ECHO: &str = r#"n=0; while read -r line; do n=$((n+1)); l=$(printf '%s' "$line" | sed 's/"/\\"/g');
    echo "{\"reply\": \"$n $$ $l\", \"turn\": $n}"; done"#;

fn words(reply: &str) -> (usize, u32, serde_json::Value) {
    let mut words = reply.splitn(3, ' ');
    let mut next = || words.next().unwrap();
    (next().parse().unwrap(), next().parse().unwrap(), serde_json::from_str(next()).unwrap())
}

#[tokio::test]
async fn one_process_answers_turn_after_turn() {
    let bench = jsonl(ECHO);
    let mut agent = bench.agent().await;
    agent.reset_state().await.unwrap();
    let first = words(&say(agent.as_mut(), "one").await.unwrap().content);
    let shaped = [Message::user("before"), Message::user("two")];
    let second = words(&agent.send(&shaped, &SessionId::new("s-2")).await.unwrap().content);
    assert_eq!((first.0, second.0), (1, 2));
    assert_eq!(first.1, second.1, "the same process");
    assert_eq!(first.2, json!({"prompt": "one", "session": "s-1", "turn": 1}));
    let history = json!([{"role": "user", "content": "before"}]);
    assert_eq!(second.2, json!({"prompt": "two", "session": "s-2", "turn": 2, "history": history}));
}

#[tokio::test]
async fn a_reset_starts_it_again_and_a_teardown_ends_it() {
    let bench = jsonl(ECHO);
    let mut agent = bench.agent().await;
    agent.reset_state().await.unwrap();
    let before = words(&say(agent.as_mut(), "one").await.unwrap().content);
    agent.reset_state().await.unwrap();
    let after = words(&say(agent.as_mut(), "one").await.unwrap().content);
    assert_eq!(after.0, 1, "turns count from 1 again");
    assert_ne!(before.1, after.1);
    let is_there = |pid: u32| std::path::Path::new(&format!("/proc/{pid}/stat")).exists();
    assert!(!cfg!(target_os = "linux") || (!is_there(before.1) && is_there(after.1)));
    agent.teardown().await;
    agent.teardown().await;
    assert!(!is_there(after.1));
    let error = say(agent.as_mut(), "late").await.unwrap_err();
    assert_eq!(text(&error), "the agent has been torn down");
}

#[tokio::test]
async fn an_end_in_the_middle_of_a_turn_is_told() {
    let error = jsonl("read line; echo 'Traceback' >&2; echo 'KeyError: 7' >&2; exit 1")
        .answer("go")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Turn);
    assert_eq!(
        text(&error),
        "the agent ended with exit code 1; standard error ended with:\n  Traceback\n  KeyError: 7"
    );
    let error = jsonl("exit 0").answer("go").await.unwrap_err();
    assert_eq!(text(&error), "the agent ended with exit code 0; it wrote nothing to standard error");
}

#[tokio::test]
async fn a_line_that_is_no_reply_fails_the_turn_and_ends_the_process() {
    let seconds = format!("778.{}", std::process::id());
    let bench = jsonl(&format!("read line; echo Loading; sleep {seconds}"));
    let mut agent = bench.agent().await;
    let error = say(agent.as_mut(), "go").await.unwrap_err();
    assert!(
        text(&error)
            .starts_with("the agent printed a line that is no reply: `Loading`; with reply = \"jsonl\""),
        "{error}"
    );
    assert_eq!(alive(&seconds), 0);
}

#[tokio::test]
async fn a_stale_line_is_not_taken_for_the_next_answer() {
    let bench = jsonl(
        "read l; echo '{\"reply\": \"a\", \"turn\": 1}'; read l; echo '{\"reply\": \"b\", \"turn\": 1}'; read l; sleep 600",
    );
    let mut agent = bench.agent().await;
    assert_eq!(say(agent.as_mut(), "one").await.unwrap().content, "a");
    let error = say(agent.as_mut(), "two").await.unwrap_err();
    assert!(text(&error).starts_with("the agent answered turn 1 when it was asked turn 2"), "{error}");
}

#[tokio::test]
async fn a_second_line_for_one_turn_fails_the_next_one() {
    let bench = jsonl(r#"read l; echo '{"reply": "a"}'; echo; echo '{"reply": "b"}'; read l; sleep 600"#);
    let mut agent = bench.agent().await;
    assert_eq!(say(agent.as_mut(), "one").await.unwrap().content, "a");
    let error = say(agent.as_mut(), "two").await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Turn);
    let expected = "the agent printed a line that nobody asked for: `{\"reply\": \"b\"}`; with reply";
    assert!(text(&error).starts_with(expected), "{error}");
}

#[tokio::test]
async fn a_line_before_the_first_turn_is_found_out_by_the_second_turn_at_the_latest() {
    let bench = jsonl(r#"echo '{"reply": "a"}'; read l; echo '{"reply": "b"}'; read l; sleep 600"#);
    let mut agent = bench.agent().await;
    let error = match say(agent.as_mut(), "one").await {
        // It took longer to start than anybody waits for such a line.
        Ok(_) => say(agent.as_mut(), "two").await.unwrap_err(),
        Err(error) => error,
    };
    assert!(text(&error).starts_with("the agent printed a line that nobody asked for: "), "{error}");
}

#[tokio::test]
async fn a_reported_error_and_a_slow_answer_are_told() {
    let error =
        jsonl("read l; echo '{\"error\": \"quota is used up\"}'; read l").answer("go").await.unwrap_err();
    assert_eq!(text(&error), "the agent reports: quota is used up; it wrote nothing to standard error");
    let bench = jsonl("echo thinking >&2; read l; sleep 600").with("turn_timeout_s", json!(0.3));
    let error = bench.answer("go").await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Timeout);
    assert_eq!(
        text(&error),
        "the agent gave no answer within 0.3 s (turn_timeout_s); standard error: thinking"
    );
}

#[tokio::test]
async fn a_line_without_end_is_bounded() {
    let error = jsonl("read l; yes | tr -d '\\n'").answer("go").await.unwrap_err();
    assert!(text(&error).starts_with("the agent's reply line is longer than 8388608 bytes"), "{error}");
}
