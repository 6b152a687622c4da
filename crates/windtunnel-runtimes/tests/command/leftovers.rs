//! Nothing that an agent started outlives it.

#![cfg(target_os = "linux")]

use std::time::Duration;

use serde_json::json;
use windtunnel_spi::RuntimeErrorKind;

use crate::support::{Bench, alive, say};

fn unique(n: u32) -> String {
    format!("779.{}{n}", std::process::id())
}

#[tokio::test]
async fn a_grandchild_in_a_session_of_its_own_ends_with_its_turn() {
    let seconds = unique(1);
    let bench = Bench::sh(&format!("setsid sleep {seconds} >&- 2>&- & sleep 0.2; echo done"));
    assert_eq!(bench.answer("go").await.unwrap(), "done");
    assert_eq!(alive(&seconds), 0);
}

#[tokio::test]
async fn a_grandchild_in_a_session_of_its_own_ends_with_the_agent() {
    let seconds = unique(2);
    let bench = Bench::sh(&format!(
        "setsid sleep {seconds} & read l; echo '{{\"reply\": \"done\"}}'; sleep {seconds}"
    ))
    .with("prompt", json!("jsonl"))
    .with("reply", json!("jsonl"));
    let mut agent = bench.agent().await;
    assert_eq!(say(agent.as_mut(), "go").await.unwrap().content, "done");
    assert!(alive(&seconds) > 0);
    agent.teardown().await;
    assert_eq!(alive(&seconds), 0);
}

#[tokio::test]
async fn a_grandchild_in_a_session_of_its_own_ends_when_time_is_up() {
    for prompt in ["stdin", "jsonl"] {
        let seconds = unique(3);
        let reply = if prompt == "jsonl" { "jsonl" } else { "stdout" };
        let bench = Bench::sh(&format!("setsid sleep {seconds} & sleep {seconds}"))
            .with("prompt", json!(prompt))
            .with("reply", json!(reply))
            .with("turn_timeout_s", json!(0.5));
        let error = bench.answer("go").await.unwrap_err();
        assert_eq!(error.kind(), RuntimeErrorKind::Timeout);
        assert_eq!(alive(&seconds), 0, "{prompt}");
    }
}

#[tokio::test]
async fn a_turn_that_nobody_waits_for_any_more_is_ended() {
    let seconds = unique(4);
    let bench = Bench::sh(&format!("setsid sleep {seconds} & sleep {seconds}"));
    let mut agent = bench.agent().await;
    assert!(tokio::time::timeout(Duration::from_millis(300), say(agent.as_mut(), "go")).await.is_err());
    for _ in 0..500 {
        if alive(&seconds) == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} processes are left", alive(&seconds));
}

#[tokio::test]
async fn teardown_waits_for_the_end_of_a_turn_that_nobody_waits_for() {
    let seconds = unique(5);
    let bench = Bench::sh(&format!("trap '' TERM; setsid sleep {seconds} & sleep {seconds}"));
    let mut agent = bench.agent().await;
    assert!(tokio::time::timeout(Duration::from_millis(300), say(agent.as_mut(), "go")).await.is_err());
    agent.teardown().await;
    assert_eq!(alive(&seconds), 0);
}
