//! Agents that end when they should not, and agents that do not end.

use std::time::Duration;

use windtunnel_spi::{AgentHandle, RuntimeErrorKind};

#[cfg(target_os = "linux")]
use crate::stage::until;
use crate::stage::{SOON, Stage, say};

async fn tear_down(mut agent: Box<dyn AgentHandle>) {
    tokio::time::timeout(SOON, agent.teardown()).await.unwrap();
}

#[tokio::test]
async fn a_turn_without_anybody_to_answer_says_how_each_agent_ended() {
    let stage =
        Stage::new("\"early\"").agent("bob", "omw::host::whoami(); ()").agent("carol", "throw \"no\"");
    let mut agent = stage.start().await;
    let error = say(agent.as_mut(), "go").await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Turn);
    insta::assert_snapshot!(error, @r#"no agent is left to answer: alice ended with "early"; bob ended; carol failed: Runtime error: no (line 1, position 1)"#);
    let again = say(agent.as_mut(), "still there?").await.unwrap_err();
    assert_eq!(again.to_string(), error.to_string());
    tear_down(agent).await;
}

#[tokio::test]
async fn an_agent_that_fails_during_its_turn_says_why_and_can_be_torn_down_or_reset() {
    let stage = Stage::replying("if count == 2 { throw \"out of ideas\" } `${count}`");
    let mut agent = stage.start().await;
    assert_eq!(say(agent.as_mut(), "one").await.unwrap(), "1");
    let error = say(agent.as_mut(), "two").await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Turn);
    insta::assert_snapshot!(error, @r"
    no agent is left to answer: alice failed: Runtime error: out of ideas (line 1, position 44)
    in call to function 'reply' (line 10, position 16)
    ");
    let again = say(agent.as_mut(), "three").await.unwrap_err();
    assert_eq!(again.to_string(), error.to_string());
    agent.reset_state().await.unwrap();
    assert_eq!(say(agent.as_mut(), "one").await.unwrap(), "1");
    say(agent.as_mut(), "two").await.unwrap_err();
    tear_down(agent).await;
}

#[tokio::test]
async fn an_agent_that_ends_in_its_turn_does_not_take_its_answer_with_it() {
    let stage = Stage::new(
        r#"omw::host::subscribe_endpoint("desk");
        let session = omw::host::recv().payload.session;
        omw::host::stream_endpoint(session, #{ content: "bye" });
        omw::host::stream_endpoint(session, #{ finish_reason: "stop" });"#,
    );
    let mut agent = stage.start().await;
    assert_eq!(say(agent.as_mut(), "one").await.unwrap(), "bye");
    let error = say(agent.as_mut(), "two").await.unwrap_err();
    assert_eq!(error.to_string(), "no agent is left to answer: alice ended");
}

#[tokio::test]
async fn a_turn_over_its_limit_says_where_the_agents_were() {
    let stage = Stage::replying("loop {}").agent("bob", "omw::host::sleep_for(3600000)");
    let stage = stage.turn_limit(Duration::from_millis(300));
    let mut agent = stage.start().await;
    let error = say(agent.as_mut(), "go").await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Timeout);
    insta::with_settings!({ filters => [(r"for \d+\.\d s", "for N s")] }, {
        insta::assert_snapshot!(error, @"the turn passed its limit of 0.3 s: alice was in its own code after memory_set for N s, after 4 calls, with an empty inbox; bob was in sleep_for for N s, after 1 call, with an empty inbox");
    });
    tear_down(agent).await;
}

#[tokio::test]
async fn a_case_that_is_cancelled_ends_the_turn() {
    let stage = Stage::replying("loop {}");
    let mut agent = stage.start().await;
    let (answer, ()) = tokio::join!(say(agent.as_mut(), "go"), async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        stage.world.cancel.cancel();
    });
    let error = answer.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Cancelled);
    assert_eq!(error.to_string(), "the case was cancelled during the turn");
}

/// How many threads of this process run an agent's brain, by their name.
#[cfg(target_os = "linux")]
fn threads(agent: &str) -> usize {
    let is_it = |path: std::path::PathBuf| {
        std::fs::read_to_string(path.join("comm")).is_ok_and(|name| name.trim_end() == format!("omw:{agent}"))
    };
    std::fs::read_dir("/proc/self/task").unwrap().flatten().filter(|entry| is_it(entry.path())).count()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_agent_that_is_dropped_ends_its_run_and_its_threads() {
    // No other test has agents of these names.
    let stage =
        Stage::new("loop {}").agent("looping", "loop {}").agent("sleeping", "omw::host::sleep_for(3600000)");
    let agent = stage.start().await;
    let alive = || threads("looping") + threads("sleeping");
    until("both are at work", || alive() == 2).await;
    drop(agent);
    until("their threads have ended", || alive() == 0).await;
}
