//! Agents that are stopped from outside.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use omw::prelude::*;

use crate::stage::{SOON, Stage, finish, only, outcome, raise, receive_for_ever, until};

/// Computes until it is interrupted, without a call of the host.
fn spin(host: &dyn Host) -> Result<Option<String>, BrainError> {
    while !host.stop().is_interrupted() {
        std::thread::yield_now();
    }
    Err(BrainError::Stopped)
}

/// Waits until the agent's brain runs.
async fn at_work(handle: &RunHandle, agent: &str) {
    until("the agent is at work", || handle.control().whereabouts(agent).is_some()).await;
}

#[tokio::test]
async fn a_brain_that_waits_and_one_that_computes_are_stopped_alone() {
    let go_on = Arc::new(AtomicBool::new(true));
    let others = Arc::clone(&go_on);
    let handle = Stage::new()
        .agent("waits", receive_for_ever)
        .agent("sleeps", |host| {
            host.sleep_for(3_600_000).map_err(raise)?;
            host.recv().map_err(raise)?;
            Ok(None)
        })
        .agent("computes", spin)
        .agent("goes on", move |host| {
            while others.load(Ordering::SeqCst) {
                host.sleep_for(1).map_err(raise)?;
            }
            Ok(Some("undisturbed".into()))
        })
        .start()
        .await;
    let start = Instant::now();
    for agent in ["waits", "sleeps", "computes"] {
        at_work(&handle, agent).await;
        handle.control().stop_agent(agent);
    }
    until("the agents have ended", || {
        ["waits", "sleeps", "computes"].iter().all(|agent| handle.control().whereabouts(agent).is_none())
    })
    .await;
    assert!(start.elapsed() < SOON, "no grace is waited for: {:?}", start.elapsed());
    go_on.store(false, Ordering::SeqCst);
    let report = finish(handle).await;
    for agent in ["waits", "sleeps", "computes"] {
        assert_eq!(outcome(&report, agent), &RunOutcome::Stopped, "{agent}");
    }
    assert_eq!(outcome(&report, "goes on"), &RunOutcome::Exited("undisturbed".into()));
    assert!(report.into_result().is_ok(), "a stop is no failure");
}

#[tokio::test]
async fn a_brain_that_ignores_everything_is_left_behind() {
    let let_go = Arc::new(AtomicBool::new(false));
    let released = Arc::clone(&let_go);
    let handle = Stage::new()
        .agent("alice", move |host| {
            let _ = host.new_uuid();
            host.memory_set("key", "value").map_err(raise)?;
            while !released.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(None)
        })
        .tuned(|tunables| tunables.interrupt_budget_ms = 5)
        .start()
        .await;
    until("the call was made", || handle.control().whereabouts("alice").is_some_and(|place| place.calls > 0))
        .await;
    handle.control().halt();
    let report = finish(handle).await;
    let end = only(&report);
    assert!(end.abandoned);
    let RunOutcome::Failed(error) = &end.outcome else { panic!("{end:?}") };
    let start =
        "the brain did not stop when it was interrupted; it was in its own code after memory_set for ";
    assert!(error.starts_with(start), "{error}");
    let_go.store(true, Ordering::SeqCst);
}

#[tokio::test]
async fn a_brain_that_catches_its_stop_and_calls_on_gets_nowhere() {
    let calls = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&calls);
    let handle = Stage::new()
        .agent("stubborn", move |host| {
            let mut refused = 0;
            while refused < 100 {
                counted.fetch_add(1, Ordering::SeqCst);
                refused += u64::from(host.memory_set("key", "value").is_err());
            }
            Ok(None)
        })
        .start()
        .await;
    until("it is busy", || calls.load(Ordering::SeqCst) > 1_000).await;
    handle.control().stop_agent("stubborn");
    let report = finish(handle).await;
    assert!(!only(&report).abandoned, "every call after the stop fails");
}

#[tokio::test]
async fn an_order_given_before_the_start_counts() {
    let runs = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&runs);
    let control = Control::new();
    control.stop_agent("alice");
    let handle = Stage::new()
        .agent("alice", move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            Ok(None)
        })
        .agent("bob", |_| Ok(None))
        .builder()
        .control(control)
        .repeat(false)
        .start()
        .await
        .unwrap();
    let report = finish(handle).await;
    assert_eq!(outcome(&report, "alice"), &RunOutcome::Stopped);
    assert_eq!(outcome(&report, "bob"), &RunOutcome::Completed);
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_stop_from_the_trace_takes_effect_before_the_call() {
    let control = Control::new();
    let stopper = control.clone();
    let trace = TraceSender::new(move |event| {
        if let TraceEvent::Call { agent, op, .. } = &event
            && op == "memory_set"
        {
            stopper.stop_agent(agent);
        }
    });
    let after = Arc::new(Mutex::new(None));
    let result = Arc::clone(&after);
    let handle = Stage::new()
        .agent("alice", move |host| {
            *result.lock().unwrap() = Some(host.memory_set("key", "value"));
            host.memory_get("key").map_err(raise)
        })
        .builder()
        .control(control)
        .trace(trace)
        .start()
        .await
        .unwrap();
    let report = finish(handle).await;
    assert_eq!(only(&report).outcome, RunOutcome::Stopped);
    assert_eq!(*after.lock().unwrap(), Some(Err(HostError::Stopped(StopReason::Stopped))));
}

#[tokio::test]
async fn a_shutdown_leaves_time_to_tidy_up_to_those_that_listen() {
    let handle = Stage::new()
        .agent("listens", |host| {
            host.subscribe_lifecycle().map_err(raise)?;
            let event = host.recv().map_err(raise)?.event;
            host.memory_set("tidied", "up").map_err(raise)?;
            Ok(Some(format!(
                "{} after {event:?}",
                host.memory_get("tidied").map_err(raise)?.unwrap_or_default()
            )))
        })
        .agent("does not", receive_for_ever)
        .agent("computes", spin)
        .tuned(|tunables| tunables.reload_grace_secs = 0)
        .start()
        .await;
    for agent in ["listens", "does not", "computes"] {
        at_work(&handle, agent).await;
    }
    until("it listens", || {
        handle.control().whereabouts("listens").is_some_and(|place| place.op == Some("recv"))
    })
    .await;
    handle.control().shutdown();
    let report = finish(handle).await;
    assert_eq!(outcome(&report, "does not"), &RunOutcome::Stopped);
    assert_eq!(outcome(&report, "computes"), &RunOutcome::Stopped);
    // With no grace at all it may have been interrupted on its way.
    let listens = outcome(&report, "listens");
    let up = RunOutcome::Exited("up after Shutdown".into());
    assert!([&up, &RunOutcome::Stopped].contains(&listens), "{listens:?}");
}

#[tokio::test]
async fn within_the_grace_a_brain_may_take_its_time() {
    let handle = Stage::new()
        .agent("alice", |host| {
            host.subscribe_lifecycle().map_err(raise)?;
            let first = host.recv().map_err(raise)?.event;
            let second = host.recv().unwrap_err();
            std::thread::sleep(Duration::from_millis(50));
            host.memory_set("tidied", "up").map_err(raise)?;
            Ok(Some(format!("{} then {second}", first.kind())))
        })
        .start()
        .await;
    until("it listens", || {
        handle.control().whereabouts("alice").is_some_and(|place| place.op == Some("recv"))
    })
    .await;
    let start = Instant::now();
    handle.control().shutdown();
    let report = finish(handle).await;
    assert_eq!(only(&report).outcome, RunOutcome::Exited("shutdown then agent shutting down".into()));
    assert!(start.elapsed() < SOON, "the grace is not waited out");
}

#[tokio::test]
async fn a_flood_of_messages_does_not_keep_an_agent_from_its_end() {
    let handle = Stage::new()
        .agent("alice", |host| {
            host.subscribe_agent("alice").map_err(raise)?;
            loop {
                match host.send_agent("alice", "again") {
                    Ok(()) => {}
                    Err(HostError::Failed(_)) => drop(host.recv().map_err(raise)?),
                    Err(stopped) => return Err(raise(stopped)),
                }
            }
        })
        .start()
        .await;
    until("the inbox was full", || {
        handle.control().whereabouts("alice").is_some_and(|place| place.calls > 2_000)
    })
    .await;
    handle.control().stop_agent("alice");
    let report = finish(handle).await;
    assert_eq!(only(&report).outcome, RunOutcome::Stopped);
}

#[tokio::test]
async fn a_handle_that_is_dropped_ends_its_agents() {
    let has_ended = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&has_ended);
    let handle = Stage::new()
        .agent("alice", move |host| {
            let end = receive_for_ever(host);
            ended.store(true, Ordering::SeqCst);
            end
        })
        .start()
        .await;
    at_work(&handle, "alice").await;
    drop(handle);
    until("the brain has ended", || has_ended.load(Ordering::SeqCst)).await;
}
