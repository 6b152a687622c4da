//! How agents end by themselves.

use std::sync::{Arc, Mutex};

use omw::prelude::*;

use crate::stage::{SOON, Stage, outcome, raise};

fn mixed() -> Stage {
    Stage::new()
        .agent("completes", |_| Ok(None))
        .agent("exits", |host| Ok(Some(format!("{} is done", host.whoami()))))
        .agent("fails", |host| {
            host.wait_cron("nonsense").map_err(raise)?;
            Ok(None)
        })
        .agent("panics", |_| panic!("the brain is out of ideas"))
}

#[tokio::test]
async fn each_agent_ends_in_its_own_way_and_none_ends_another() {
    let report = mixed().run().await;
    assert_eq!(outcome(&report, "completes"), &RunOutcome::Completed);
    assert_eq!(outcome(&report, "exits"), &RunOutcome::Exited("exits is done".into()));
    let RunOutcome::Failed(error) = outcome(&report, "fails") else { panic!("{report:?}") };
    assert!(error.starts_with("invalid cron spec \"nonsense\""), "{error}");
    let panicked = RunOutcome::Failed("the brain panicked: the brain is out of ideas".into());
    assert_eq!(outcome(&report, "panics"), &panicked);
    assert!(report.agents.iter().all(|end| !end.abandoned));

    let error = report.into_result().unwrap_err();
    let RunError::Agents(failed) = error else { panic!("{error}") };
    assert_eq!(failed.len(), 2);
}

#[tokio::test]
async fn a_traced_run_returns_what_was_sent_with_one_outcome_for_each_agent() {
    let stage = Stage::new()
        .agent("alice", |host| {
            host.memory_set("key", "value").map_err(raise)?;
            Ok(None)
        })
        .agent("bob", |_| Ok(Some("bye".into())));
    let (trace, received) = TraceSender::channel();
    let run = run_agents_traced(Arc::new(stage.config), false, &stage.registries, trace);
    let events = tokio::time::timeout(SOON, run).await.unwrap().unwrap();
    assert_eq!(events, received.try_iter().collect::<Vec<_>>());

    let groups = group(events);
    let alice: Vec<_> = groups["alice"].iter().map(|event| event.clone().into_candidate()).collect();
    assert_eq!(alice.first().unwrap()["op"], "memory_set");
    assert_eq!(alice.last().unwrap()["outcome"], "completed");
    let [TraceEvent::Outcome { outcome, .. }] = groups["bob"].as_slice() else { panic!("{groups:?}") };
    assert_eq!(outcome, &RunOutcome::Exited("bye".into()));
}

#[tokio::test]
async fn a_failed_run_has_sent_its_trace_before_it_says_so() {
    let stage = mixed();
    let outcomes = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&outcomes);
    let trace = TraceSender::new(move |event| {
        if let TraceEvent::Outcome { agent, .. } = event {
            list.lock().unwrap().push(agent.to_string());
        }
    });
    let error = run_agents_traced(Arc::new(stage.config), false, &stage.registries, trace).await.unwrap_err();
    assert!(error.to_string().starts_with("2 agent run(s) failed: fails: "), "{error}");
    outcomes.lock().unwrap().sort();
    assert_eq!(*outcomes.lock().unwrap(), ["completes", "exits", "fails", "panics"]);
}

#[tokio::test]
async fn deep_recursion_fits_the_brains_stack() {
    fn deep(levels: u32) -> u64 {
        // A frame as large as an engine's.
        let frame = [u64::from(levels); 64];
        let frame = std::hint::black_box(frame);
        if levels == 0 { 0 } else { frame.iter().sum::<u64>() / 64 / u64::from(levels) + deep(levels - 1) }
    }
    let report = Stage::new().agent("alice", |_| Ok(Some(deep(8_000).to_string()))).run().await;
    assert_eq!(outcome(&report, "alice"), &RunOutcome::Exited("8000".into()));
}
