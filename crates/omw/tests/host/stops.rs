//! Stops in every call.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use omw::prelude::*;
use serde_json::json;

use crate::doubles::{Tools, Voice, ask};
use crate::stage::{Stage, finish, until_in, value};

type Wait = fn(&dyn Host) -> HostResult<()>;

/// Every call that waits, and how it waits for ever.
const WAITS: [(&str, Wait); 10] = [
    ("recv", |host| host.recv().map(drop)),
    ("chat", |host| host.chat("voice", ask("never")).map(drop)),
    ("call_tool_blocking", |host| host.call_tool_blocking("mute", "never", json!({})).map(drop)),
    ("list_tools", |host| host.list_tools("mute").map(drop)),
    ("list_resources", |host| host.list_resources("mute").map(drop)),
    ("read_resource", |host| host.read_resource("mute", "a:b").map(drop)),
    ("list_resource_templates", |host| host.list_resource_templates("mute").map(drop)),
    ("sleep_until", |host| host.sleep_until(i64::MAX)),
    ("sleep_cron", |host| host.sleep_cron("0 0 0 1 1 * 2099")),
    ("sleep_for", |host| host.sleep_for(u64::MAX)),
];

fn stage(pace: Pace) -> Stage {
    Stage::new()
        .tuned(|tunables| tunables.recv_timeout_secs = u64::MAX)
        .provider("voice", Voice(pace))
        .tooling("mute", move |_| Tools { is_mute: true, ..Tools::new(pace) })
}

/// A brain that waits, and tells how the wait ended, how long that took from its stop, and whether it could tidy up then.
fn waits(wait: Wait) -> impl Fn(&dyn Host) -> HostResult<String> {
    move |host| {
        let text = wait(host).map_or_else(|error| error.to_string(), |()| "returned".to_owned());
        host.memory_set("tidied", "up")?;
        Ok(text)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_raises_in_every_call_that_waits() {
    for pace in [Pace::Free, Pace::Stepped] {
        for (op, wait) in WAITS {
            let handle = stage(pace).agent("alice", waits(wait)).start().await;
            until_in(handle.control(), "alice", op);
            let start = Instant::now();
            handle.control().shutdown();
            let report = finish(handle).await;
            let expected = if op == "sleep_for" { "returned" } else { "agent shutting down" };
            assert_eq!(value(&report, "alice"), expected, "{op}");
            assert!(start.elapsed() < Duration::from_secs(2), "{op} took {:?}", start.elapsed());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brain_that_sleeps_again_and_again_is_told_of_the_stop_the_second_time() {
    let handle = Stage::new()
        .tuned(|tunables| tunables.reload_grace_secs = 60)
        .agent("alice", |host| {
            host.memory_set("at", "work")?;
            let mut rounds = 0;
            loop {
                match host.sleep_for(3_600_000) {
                    Ok(()) => rounds += 1,
                    Err(error) => return Ok(format!("{error} after {rounds}")),
                }
            }
        })
        .start()
        .await;
    until_in(handle.control(), "alice", "sleep_for");
    handle.control().shutdown();
    assert_eq!(value(&finish(handle).await, "alice"), "agent shutting down after 1");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_ends_every_call_that_waits_and_the_brain_cannot_go_on() {
    for (op, wait) in WAITS {
        let stage = stage(Pace::Free);
        let record = stage.record();
        let handle = stage.agent("alice", waits(wait)).start().await;
        until_in(handle.control(), "alice", op);
        let start = Instant::now();
        handle.control().stop_agent("alice");
        let report = finish(handle).await;
        assert_eq!(report.agents[0].outcome, RunOutcome::Stopped, "{op}");
        assert!(!report.agents[0].abandoned, "{op}");
        assert!(start.elapsed() < Duration::from_secs(1), "{op} took {:?}", start.elapsed());
        assert!(!record.of("alice").iter().any(|event| event["op"] == "memory_set"), "{op}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_interrupt_no_call_does_anything() {
    fn tried<T>(result: HostResult<T>) -> Option<HostError> {
        result.err()
    }
    let errors = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&errors);
    let stage = stage(Pace::Stepped);
    let record = stage.record();
    let handle = stage
        .agent("alice", move |host| {
            host.memory_get("at work")?;
            while !host.stop().is_interrupted() {
                std::thread::yield_now();
            }
            *seen.lock().unwrap() = vec![
                tried(host.list_models("voice")),
                tried(host.chat("voice", ask("a"))),
                tried(host.chat_stream("voice", ask("a"))),
                tried(host.list_tools("mute")),
                tried(host.call_tool("mute", "add", json!({}))),
                tried(host.call_tool_blocking("mute", "add", json!({}))),
                tried(host.list_resources("mute")),
                tried(host.read_resource("mute", "a:b")),
                tried(host.list_resource_templates("mute")),
                tried(host.subscribe_resource_list("mute")),
                tried(host.unsubscribe_resource_list("mute", "1")),
                tried(host.subscribe_resource("mute", "a:b")),
                tried(host.unsubscribe_resource("mute", "1")),
                tried(host.wait_for(1)),
                tried(host.wait_until(i64::MAX)),
                tried(host.wait_cron("* * * * * *")),
                tried(host.cancel_timer("1")),
                tried(host.sleep_for(0)),
                tried(host.sleep_until(i64::MAX)),
                tried(host.sleep_cron("* * * * * *")),
                tried(host.subscribe_lifecycle()),
                tried(host.unsubscribe_lifecycle("1")),
                tried(host.subscribe_agent("alice")),
                tried(host.unsubscribe_agent("1")),
                tried(host.send_agent("alice", "x")),
                tried(host.recv()),
                tried(host.try_recv()),
                tried(host.memory_get("a")),
                tried(host.memory_set("a", "b")),
                tried(host.memory_remove("a")),
            ];
            host.cancel("1");
            host.log("info", "still there");
            assert_eq!(host.whoami(), "alice");
            Ok(String::new())
        })
        .start()
        .await;
    crate::stage::until("the brain runs", || {
        handle.control().whereabouts("alice").is_some_and(|at| at.calls > 0)
    });
    handle.control().stop_agent("alice");
    finish(handle).await;
    let errors = errors.lock().unwrap().clone();
    assert_eq!(errors.len(), 30);
    for (index, error) in errors.into_iter().enumerate() {
        assert_eq!(error, Some(HostError::Stopped(StopReason::Stopped)), "call {index}");
    }
    let calls = record.of("alice").into_iter().filter(|event| event["kind"] == "call").count();
    assert_eq!(calls, 1, "only the first was recorded");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_sees_the_record_of_a_call_can_stop_it_before_it_is_carried_out() {
    let stage = stage(Pace::Free).agent("alice", |host| {
        host.memory_set("a", "b")?;
        host.sleep_for(3_600_000)?;
        Ok(String::new())
    });
    let control = Control::new();
    let from_trace = control.clone();
    let trace = TraceSender::new(move |event| {
        if matches!(&event, TraceEvent::Call { op, .. } if op == "sleep_for") {
            from_trace.stop_agent("alice");
        }
    });
    let start = Instant::now();
    let handle = stage.builder().trace(trace).control(control).start().await.unwrap();
    assert_eq!(finish(handle).await.agents[0].outcome, RunOutcome::Stopped);
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brain_that_listens_hears_of_the_shutdown_before_recv_raises() {
    let handle = Stage::new()
        .agent("alice", |host| {
            let id = host.subscribe_lifecycle()?;
            host.subscribe_agent("alice")?;
            host.send_agent("alice", "unread")?;
            host.sleep_for(3_600_000)?;
            let Envelope { id: from, event } = host.recv()?;
            assert_eq!(from, id);
            Ok(format!("{} then {}", event.kind(), host.recv().unwrap_err()))
        })
        .start()
        .await;
    until_in(handle.control(), "alice", "sleep_for");
    handle.control().shutdown();
    assert_eq!(value(&finish(handle).await, "alice"), "shutdown then agent shutting down");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_open_at_a_stop_is_closed_on_record() {
    let stage = stage(Pace::Free);
    let record = stage.record();
    let handle = stage
        .agent("alice", |host| {
            host.wait_for(3_600_000)?;
            host.subscribe_agent("bob")?;
            host.chat_stream("voice", ask("never"))?;
            host.subscribe_lifecycle()?;
            host.recv()?;
            Ok(String::new())
        })
        .start()
        .await;
    until_in(handle.control(), "alice", "recv");
    handle.control().stop_agent("alice");
    finish(handle).await;
    let closed: Vec<_> = record
        .of("alice")
        .into_iter()
        .filter(|event| event["kind"] == "closed")
        .map(|event| format!("{} {}", event["source"], event["reason"]))
        .collect();
    insta::assert_snapshot!(closed.join("\n"), @r#"
    "timer" "cancelled"
    "agent" "cancelled"
    "chat-stream" "cancelled"
    "lifecycle" "cancelled"
    "#);
}
