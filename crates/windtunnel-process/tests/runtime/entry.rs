//! Gates in entry chains.

use windtunnel_process::state::Status;

use crate::world::World;

const DOOR: &str = "
graph: door
nodes:
  - { id: outside, actor: agent }
  - { id: inside, actor: agent, entry: [gate: { file: door }], exit: [gate: { file: work }] }
  - { id: done, actor: agent, terminal: true }
edges:
  - { from: outside, to: inside, on: pass }
  - { from: inside, to: done, on: pass }
";

async fn at_the_door(says: &str) -> World {
    let world = World::of(DOOR);
    world.start().await;
    world.says("door", says);
    world.told();
    world
}

#[tokio::test]
async fn an_item_that_is_not_let_in_has_moved_and_is_blocked() {
    let world = at_the_door("block no key").await;
    assert_eq!(world.complete("outside").await, "pass outside on pass, to inside: no key");
    assert_eq!(
        world.told(),
        [
            "graph.advanced node=outside to=inside outcome=pass",
            "graph.blocked node=inside hook=gate messages=[\"no key\"]"
        ]
    );
    assert_eq!(world.state().status, Status::Blocked);
}

#[tokio::test]
async fn the_door_is_asked_again_before_the_gate() {
    let world = at_the_door("wait the porter").await;
    assert_eq!(world.complete("outside").await, "pass outside on pass, to inside: the porter");
    assert_eq!(world.complete("inside").await, "wait inside, at inside: the porter");
    assert_eq!(world.told()[1..], ["graph.parked node=inside", "graph.parked node=inside"]);
    world.says("door", "skip");
    world.says("work", "block not done");
    assert_eq!(world.complete("inside").await, "block inside, at inside: not done");
    // It was let in, and that holds.
    world.says("door", "block again");
    world.says("work", "skip");
    assert_eq!(world.complete("inside").await, "pass inside on pass, to done");
}

#[tokio::test]
async fn a_door_that_stays_shut_does_not_wear_the_node_out() {
    let world = at_the_door("block no key").await;
    world.complete("outside").await;
    for _ in 0..4 {
        assert_eq!(world.complete("inside").await, "block inside, at inside: no key");
    }
    assert_eq!(world.state().attempts.count, 0);
}
