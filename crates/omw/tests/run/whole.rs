//! Whole runs in one call.

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use omw::prelude::*;

use crate::stage::{SOON, Stage, outcome, raise, receive_for_ever, until};

/// Counts brains that run: up when one begins, down however it ends.
#[derive(Clone, Default)]
struct AtWork(Arc<AtomicUsize>);

impl AtWork {
    fn begin(&self) -> impl Drop + use<> {
        struct Shift(Arc<AtomicUsize>);
        impl Drop for Shift {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::SeqCst);
            }
        }
        self.0.fetch_add(1, Ordering::SeqCst);
        Shift(Arc::clone(&self.0))
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// Polls a run that does not end by itself until something is so, then drops it.
async fn drop_once<T>(
    run: impl Future<Output = Result<T, RunError>>,
    what: &str,
    is_so: impl FnMut() -> bool,
) {
    let mut run = pin!(run);
    tokio::select! {
        ended = &mut run => panic!("it ended: {:?}", ended.err()),
        () = until(what, is_so) => {}
    }
}

fn two_that_wait(at_work: &AtWork) -> Stage {
    ["alice", "bob"].into_iter().fold(Stage::new(), |stage, name| {
        let at_work = at_work.clone();
        stage.agent(name, move |host| {
            let _shift = at_work.begin();
            receive_for_ever(host)
        })
    })
}

#[tokio::test]
async fn a_run_in_one_call_comes_to_the_report_of_its_agents() {
    let stage = Stage::new().agent("alice", |_| Ok(Some("bye".into()))).agent("bob", |_| Ok(None));
    let run = run_agents(Arc::new(stage.config), false, &stage.registries);
    let report = tokio::time::timeout(SOON, run).await.unwrap().unwrap();
    assert_eq!(outcome(&report, "alice"), &RunOutcome::Exited("bye".into()));
    assert_eq!(outcome(&report, "bob"), &RunOutcome::Completed);

    let stage = Stage::new().agent("alice", |_| Err(BrainError::Failed("not today".into())));
    let run = run_agents(Arc::new(stage.config), false, &stage.registries);
    let error = tokio::time::timeout(SOON, run).await.unwrap().unwrap_err();
    assert_eq!(error.to_string(), "1 agent run(s) failed: alice: not today");
}

#[tokio::test]
async fn a_run_that_is_dropped_ends_its_agents() {
    let at_work = AtWork::default();
    let Stage { config, registries } = two_that_wait(&at_work);
    drop_once(run_agents(Arc::new(config), false, &registries), "both run", || at_work.count() == 2).await;
    until("both have ended", || at_work.count() == 0).await;
}

#[tokio::test]
async fn a_loop_runs_its_agents_again_until_it_is_dropped() {
    let (at_work, rounds) = (AtWork::default(), Arc::new(AtomicUsize::new(0)));
    let (waiting, counted) = (at_work.clone(), Arc::clone(&rounds));
    let stage = Stage::new().agent("alice", move |host| {
        if counted.fetch_add(1, Ordering::SeqCst) < 3 {
            return Ok(None);
        }
        let _shift = waiting.begin();
        receive_for_ever(host)
    });
    let run = loop_agents(Arc::new(stage.config), false, &stage.registries);
    drop_once(run, "it waits in its fourth round", || at_work.count() == 1).await;
    until("it has ended", || at_work.count() == 0).await;
    assert_eq!(rounds.load(Ordering::SeqCst), 4, "it was not started again");
}

#[tokio::test]
async fn a_traced_loop_hands_on_the_events_of_every_round() {
    let stage = Stage::new().agent("alice", |host| {
        host.memory_set("key", "value").map_err(raise)?;
        Ok(None)
    });
    let sets = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&sets);
    let trace = TraceSender::new(move |event| {
        if matches!(event, TraceEvent::Call { .. }) {
            *counted.lock().unwrap() += 1;
        }
    });
    let run = loop_agents_traced(Arc::new(stage.config), false, &stage.registries, trace);
    drop_once(run, "some rounds are done", || *sets.lock().unwrap() > 5).await;
}

#[tokio::test]
async fn a_loop_that_cannot_start_says_why() {
    let mut stage = Stage::new().agent("alice", |_| Ok(None));
    stage.config.runtimes.clear();
    let run = loop_agents(Arc::new(stage.config), false, &stage.registries);
    let ended: Result<Infallible, RunError> = tokio::time::timeout(SOON, run).await.unwrap();
    let Err(RunError::Config(problems)) = ended else { panic!("{ended:?}") };
    assert!(problems.to_string().contains("alice"), "{problems}");
}
