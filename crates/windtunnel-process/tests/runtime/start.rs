//! `start`.

use windtunnel_process::ProcessError;
use windtunnel_process::state::Status;

use crate::world::World;

#[tokio::test]
async fn a_walk_begins_at_the_first_node_and_parks_at_a_human_one() {
    let world = World::new();
    assert_eq!(world.start().await, "pass choose, to choose");
    assert_eq!(world.told(), ["graph.started node=choose", "graph.parked node=choose"]);
    assert_eq!(world.state().status, Status::Waiting);
}

#[tokio::test]
async fn a_walk_that_begins_at_an_agents_node_runs() {
    let world = World::of(
        "{ graph: g, nodes: [{ id: a, actor: agent }, { id: z, actor: agent, terminal: true }],
           edges: [{ from: a, to: z, on: pass }] }",
    );
    assert_eq!(world.start().await, "pass a, to a");
    assert_eq!(world.told(), ["graph.started node=a"]);
    assert_eq!(world.state().status, Status::Running);
}

#[tokio::test]
async fn an_item_that_was_started_stays_where_it_is() {
    let world = World::at("build").await;
    let before = world.state_file();
    assert_eq!(world.start().await, "noop build, at build: the item was started, and stands at build");
    assert!(world.told().is_empty());
    assert_eq!(world.state_file(), before);
}

#[tokio::test]
async fn a_first_node_that_nobody_opted_for_is_passed_over() {
    let world = World::of(
        "{ graph: g,
           nodes: [{ id: a, actor: agent, skippable: true, optIn: true }, { id: z, actor: human, terminal: true }],
           edges: [{ from: a, to: z, on: [pass, skipped] }] }",
    );
    assert_eq!(world.start().await, "pass a, to z");
    assert_eq!(
        world.told(),
        [
            "graph.started node=a",
            "graph.node_skipped node=a via=not-selected",
            "graph.advanced node=a to=z outcome=skipped"
        ]
    );
    // A terminal waits for a claim, not for a person, whoever is to make it.
    assert_eq!(world.state().status, Status::Running);
}

#[tokio::test]
async fn the_other_verbs_need_an_item_that_was_started() {
    let world = World::new();
    let (runtime, item) = (&world.runtime, &world.item);
    let names = ["draft".to_owned()];
    let errors = [
        runtime.advance(item, None).await.unwrap_err(),
        runtime.complete(item, "choose", "tester").await.unwrap_err(),
        runtime.skip(item, &names, "@owner", "no need").await.unwrap_err(),
        runtime.force(item, "build", "@owner", "it is stuck").await.unwrap_err(),
        runtime.ask(item, "which?").await.unwrap_err(),
        runtime.reply(item, "that one", "owner").await.unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, ProcessError::NotStarted { .. }), "{error}");
    }
    assert!(runtime.state(item).unwrap().is_none());
    assert!(world.told().is_empty());
    assert!(world.posted().is_empty() && world.delivered().is_empty());
    assert!(!world.folder().exists(), "only a start makes the folder");
}

#[tokio::test]
async fn a_start_in_a_folder_that_has_files_already_is_a_start() {
    let world = World::new();
    world.says("draft", "wait for it");
    assert_eq!(world.start().await, "pass choose, to choose");
}
