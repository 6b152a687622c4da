//! Agents that are started again and again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use omw::prelude::*;

use crate::stage::{Stage, finish, only, raise, until};

#[tokio::test]
async fn memory_and_subscriptions_live_through_iterations() {
    let numbers = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&numbers);
    let handle = Stage::new()
        .agent("alice", move |host| {
            let round = host.memory_get("round").map_err(raise)?;
            if round.is_none() {
                host.subscribe_agent("alice").map_err(raise)?;
                host.send_agent("alice", "0").map_err(raise)?;
            }
            let Event::Message(text) = host.recv().map_err(raise)?.event else { return Ok(None) };
            let number: u64 = text.parse().unwrap();
            host.memory_set("round", &text).map_err(raise)?;
            host.send_agent("alice", &(number + 1).to_string()).map_err(raise)?;
            seen.lock().unwrap().push(number);
            Ok(None)
        })
        .builder()
        .repeat(true)
        .start()
        .await
        .unwrap();
    until("some rounds are done", || numbers.lock().unwrap().len() > 20).await;
    handle.control().shutdown();
    finish(handle).await;
    let numbers = numbers.lock().unwrap();
    assert!(numbers.iter().copied().eq(0..numbers.len() as u64), "{numbers:?}");
}

#[tokio::test]
async fn failures_are_followed_by_growing_pauses() {
    let starts = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&starts);
    let (trace, events) = TraceSender::channel();
    let handle = Stage::new()
        .agent("alice", move |_| {
            noted.lock().unwrap().push(Instant::now());
            Err(BrainError::Failed("not today".into()))
        })
        .builder()
        .repeat(true)
        .trace(trace)
        .start()
        .await
        .unwrap();
    until("it has failed five times", || starts.lock().unwrap().len() == 5).await;
    handle.control().shutdown();
    let report = finish(handle).await;
    assert_eq!(only(&report).outcome, RunOutcome::Failed("not today".into()));

    let starts = starts.lock().unwrap();
    let pauses: Vec<_> = starts.windows(2).map(|pair| (pair[1] - pair[0]).as_millis()).collect();
    let long_enough = pauses.iter().zip([20, 40, 80, 160]).all(|(pause, least)| *pause >= least);
    assert!(long_enough, "{pauses:?}");
    let outcomes = events.try_iter().filter(|event| matches!(event, TraceEvent::Outcome { .. })).count();
    assert_eq!(outcomes, 1, "one for the whole run");
}

#[tokio::test]
async fn an_agent_that_was_stopped_does_not_run_again() {
    let runs = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&runs);
    let handle = Stage::new()
        .agent("alice", move |host| {
            counted.fetch_add(1, Ordering::SeqCst);
            host.sleep_for(1).map_err(raise)?;
            Ok(None)
        })
        .builder()
        .repeat(true)
        .start()
        .await
        .unwrap();
    until("it has run a few times", || runs.load(Ordering::SeqCst) > 3).await;
    handle.control().stop_agent("alice");
    let report = finish(handle).await;
    let count = runs.load(Ordering::SeqCst);
    assert!(matches!(only(&report).outcome, RunOutcome::Stopped | RunOutcome::Completed), "{report:?}");
    tokio::time::sleep(Duration::from_millis(30)).await;
    assert_eq!(runs.load(Ordering::SeqCst), count);
}

#[tokio::test]
async fn a_shutdown_ends_a_pause() {
    let runs = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&runs);
    let handle = Stage::new()
        .agent("alice", move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            Err(BrainError::Failed("not today".into()))
        })
        .tuned(|tunables| tunables.loop_backoff_start_ms = 3_600_000)
        .tuned(|tunables| tunables.loop_backoff_cap_secs = 3_600)
        .builder()
        .repeat(true)
        .start()
        .await
        .unwrap();
    until("it has run", || runs.load(Ordering::SeqCst) == 1).await;
    until("it has failed", || handle.control().whereabouts("alice").is_none()).await;
    handle.control().shutdown();
    let report = finish(handle).await;
    assert_eq!(only(&report).outcome, RunOutcome::Failed("not today".into()));
}
