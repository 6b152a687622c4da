//! The start of an agent: versions, logins, limits.

use std::time::Duration;

use serde_json::json;
use windtunnel_spi::RuntimeErrorKind;

use crate::support::{Bench, say, text};

#[tokio::test]
async fn another_protocol_version_is_told() {
    let Some(bench) = Bench::agent("version = 7") else { return };
    let error = bench.answer("go").await.unwrap_err();
    let expected = "initialize failed with error -32600: Invalid request: unsupported ACP protocol version 7";
    assert!(error.starts_with(expected), "{error}");
}

const LOGIN: &str = "auth = [{'id': 'browser', 'name': 'Log in'}, {'id': 'key', 'name': 'Use API_KEY'}]\n\
    logged_in = None\n\
    def new_session(params):\n\
    \x20   if logged_in is None: fail(-32000, 'Authentication required')\n\
    \x20   return {'sessionId': 's'}\n\
    def prompt(text):\n\
    \x20   say(logged_in)\n\
    \x20   return 'end_turn'";

#[tokio::test]
async fn a_login_is_asked_for_by_name() {
    let Some(bench) = Bench::agent(LOGIN) else { return };
    let error = bench.answer("go").await.unwrap_err();
    let expected = "the agent wants a login before session/new: it offers `browser` (Log in), `key` (Use API_KEY); set \
                    auth_method to one that needs no person, and give it what it needs with env or pass_env";
    assert!(error.starts_with(expected), "{error}");
    let bench = bench.with("auth_method", json!("key"));
    assert_eq!(bench.answer("go").await.unwrap(), "key");
    let error = bench.with("auth_method", json!("keys")).answer("go").await.unwrap_err();
    let expected =
        "the agent does not offer the auth_method `keys`: it offers `browser` (Log in), `key` (Use API_KEY)";
    assert!(error.starts_with(expected), "{error}");
}

#[tokio::test]
async fn an_agent_that_never_answers_passes_the_start_limit() {
    for (code, method) in
        [("time.sleep(600)", "initialize"), ("def new_session(params): time.sleep(600)", "session/new")]
    {
        let Some(mut bench) = Bench::agent(code) else { return };
        bench.world.limits.start = Duration::from_millis(500);
        let error = say(bench.start().await.as_mut(), "go").await.unwrap_err();
        assert_eq!(error.kind(), RuntimeErrorKind::Timeout);
        // A slow machine may need longer than that for the first answer.
        let expected = format!("the agent gave no answer to {method} within 0.5 s (timeouts.start_s)");
        let first = "the agent gave no answer to initialize within 0.5 s (timeouts.start_s)";
        assert!(text(&error).starts_with(&expected) || text(&error).starts_with(first), "{error}");
    }
}

#[tokio::test]
async fn a_turn_that_takes_too_long_is_ended() {
    let Some(bench) = Bench::agent("def prompt(text):\n    time.sleep(600)") else { return };
    let bench = bench.with("turn_timeout_s", json!(0.3));
    let error = say(bench.start().await.as_mut(), "go").await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Timeout);
    assert!(text(&error).starts_with("the agent gave no answer within 0.3 s (turn_timeout_s)"), "{error}");
}
