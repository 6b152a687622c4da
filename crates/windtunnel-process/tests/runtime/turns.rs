//! One verb at a time per item.

use windtunnel_process::ProcessError;
use windtunnel_process::state::Status;

use crate::world::{World, line};

#[tokio::test(start_paused = true)]
async fn of_two_claims_at_once_one_passes_and_the_other_comes_too_late() {
    let world = World::at("build").await;
    world.says("build", "slow");
    let other = world.another_runtime();
    let (first, second) = tokio::join!(
        world.runtime.complete(&world.item, "build", "tester"),
        other.complete(&world.item, "build", "another")
    );
    assert_eq!(line(&first.unwrap()), "pass build on pass, to done");
    assert_eq!(line(&second.unwrap()), "noop build, at done: build is behind");
    assert_eq!(world.told().len(), 2);
}

#[tokio::test]
async fn of_two_starts_at_once_one_begins_the_walk() {
    let world = World::new();
    let (first, second) = tokio::join!(world.runtime.start(&world.item), world.runtime.start(&world.item));
    let mut answers = [line(&first.unwrap()), line(&second.unwrap())];
    answers.sort();
    assert_eq!(
        answers,
        ["noop choose, at choose: the item was started, and stands at choose", "pass choose, to choose"]
    );
    assert_eq!(world.told(), ["graph.started node=choose", "graph.parked node=choose"]);
}

#[tokio::test]
async fn a_verb_that_is_dropped_gives_the_item_back_as_it_was() {
    let world = World::at("build").await;
    world.says("build", "sleep");
    let before = world.state_file();
    tokio::select! {
        _ = world.runtime.complete(&world.item, "build", "tester") => panic!("it sleeps"),
        () = world.gate_sleeps() => {}
    }
    assert_eq!(world.state_file(), before);
    world.says("build", "skip");
    assert_eq!(world.complete("build").await, "pass build on pass, to done");
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn an_item_that_is_never_given_back_is_not_waited_for_without_end() {
    let world = World::at("build").await;
    let folder = std::fs::File::open(world.folder()).unwrap();
    folder.lock().unwrap();
    let error = world.runtime.complete(&world.item, "build", "tester").await.unwrap_err();
    assert!(matches!(error, ProcessError::Busy { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "issue-42 is busy: another verb has had it for 60 s; look for a process that walks it, or wait until its gates are through"
    );
    folder.unlock().unwrap();
    assert_eq!(world.complete("build").await, "pass build on pass, to done");
}

#[tokio::test]
async fn an_item_does_not_wait_for_another() {
    let world = World::at("build").await;
    world.says("build", "sleep");
    let other = world.runtime.item("issue-43").unwrap();
    tokio::select! {
        _ = world.runtime.complete(&world.item, "build", "tester") => panic!("it sleeps"),
        started = world.runtime.start(&other) => assert!(started.unwrap().moved),
    }
    assert_eq!(world.runtime.state(&other).unwrap().unwrap().status, Status::Waiting);
}

#[tokio::test]
async fn where_an_item_stands_can_be_read_while_a_verb_has_it() {
    let world = World::at("build").await;
    world.says("build", "sleep");
    tokio::select! {
        _ = world.runtime.complete(&world.item, "build", "tester") => panic!("it sleeps"),
        node = async { world.state().current_node } => assert_eq!(node, "build"),
    }
}

#[tokio::test]
async fn a_verb_can_be_carried_out_on_another_thread() {
    let world = World::at("build").await;
    let (runtime, item) = (world.another_runtime(), world.item.clone());
    let claim = tokio::spawn(async move { runtime.complete(&item, "build", "tester").await });
    assert!(claim.await.unwrap().unwrap().moved);
}
