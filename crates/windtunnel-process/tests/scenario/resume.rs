//! A walk can stop and go on anywhere.

use camino::Utf8Path;
use serde_json::Value;
use windtunnel_process::graph::work_item_loop;
use windtunnel_process::scenario::{Player, Scenario, Setup, Trace, play};

use crate::kit::{Folder, STEPS, block_on, setup};

/// A trace without the times of its events.
fn timeless(mut trace: Trace) -> Trace {
    for event in &mut trace.events {
        event.as_object_mut().and_then(|event| event.remove("ts")).expect("each event has a time");
    }
    trace
}

#[test]
fn a_runtime_that_ends_after_any_step_goes_on_as_if_it_had_not() {
    let folder = Folder::of(&format!("{STEPS}expect: {{status: complete}}\n"));
    let scenario = folder.load().unwrap();
    let whole = timeless(folder.play().trace);
    assert_eq!(
        whole.events.last().and_then(|event| event.get("event")),
        Some(&Value::from("graph.completed"))
    );
    block_on(async {
        for stop in 0..=scenario.steps().len() {
            let mut player = Player::new(&scenario, &setup()).await.unwrap();
            for _ in 0..stop {
                assert!(player.step().await);
            }
            let resumed = player.suspend().resume().unwrap().finish().await;
            resumed.outcome.unwrap();
            assert_eq!(timeless(resumed.trace), whole, "after {stop} steps");
        }
    });
}

/// The example, with all of its gates, checklists and reviews.
#[test]
fn the_whole_life_of_an_item_goes_on_after_any_step() {
    let graph = work_item_loop().unwrap();
    let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/process/happy-path");
    let scenario = Scenario::load(&folder, &graph).unwrap();
    let setup = Setup::new(graph);
    block_on(async {
        let whole = play(&scenario, &setup).await;
        whole.outcome.unwrap();
        let whole = timeless(whole.trace);
        for stop in 0..scenario.steps().len() {
            let mut player = Player::new(&scenario, &setup).await.unwrap();
            for _ in 0..stop {
                assert!(player.step().await);
            }
            let resumed = player.suspend().resume().unwrap().finish().await;
            resumed.outcome.unwrap();
            assert_eq!(timeless(resumed.trace), whole, "after {stop} steps");
        }
    });
}

#[test]
fn a_runtime_may_end_after_each_step() {
    let folder = Folder::of(&format!("{STEPS}expect: {{status: complete}}\n"));
    let scenario = folder.load().unwrap();
    let whole = timeless(folder.play().trace);
    block_on(async {
        let mut player = Player::new(&scenario, &setup()).await.unwrap();
        while player.step().await {
            player = player.suspend().resume().unwrap();
        }
        let resumed = player.finish().await;
        resumed.outcome.unwrap();
        assert_eq!(timeless(resumed.trace), whole);
    });
}
