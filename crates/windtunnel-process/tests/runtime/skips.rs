//! `skip` and `force`.

use windtunnel_process::event::Via;
use windtunnel_process::state::{Skip, Status};

use crate::world::{World, line};

#[tokio::test]
async fn a_node_that_was_skipped_is_passed_over_and_named() {
    let world = World::at("choose").await;
    assert_eq!(world.skip(&["build", "draft"]).await, "pass choose, at choose");
    assert_eq!(
        world.told(),
        ["graph.skips_declared via=cli nodes=[\"draft\",\"build\"] by=@owner reason=no need"]
    );
    assert_eq!(world.complete("choose").await, "pass choose on pass, to approval");
    assert_eq!(
        world.told(),
        [
            "graph.advanced node=choose to=draft outcome=pass",
            "graph.node_skipped node=draft via=cli by=@owner",
            "graph.advanced node=draft to=sketch outcome=skipped",
            "graph.node_skipped node=sketch via=not-selected",
            "graph.advanced node=sketch to=approval outcome=skipped",
            "graph.parked node=approval"
        ]
    );
    let skip = Skip { via: Via::Cli, by: Some("@owner".to_owned()), reason: Some("no need".to_owned()) };
    assert_eq!(world.state().skips["draft"], skip);
}

#[tokio::test]
async fn a_set_stands_for_its_nodes() {
    let world = World::at("choose").await;
    assert_eq!(world.skip(&["paper"]).await, "pass choose, at choose");
    assert_eq!(
        world.told(),
        ["graph.skips_declared via=cli nodes=[\"draft\",\"approval\"] by=@owner reason=no need"]
    );
}

#[tokio::test]
async fn the_node_where_the_item_stands_is_left_at_once() {
    let world = World::at("approval").await;
    assert_eq!(world.skip(&["approval"]).await, "pass approval, to build");
    assert_eq!(
        world.told(),
        [
            "graph.skips_declared via=cli nodes=[\"approval\"] by=@owner reason=no need",
            "graph.node_skipped node=approval via=cli by=@owner",
            "graph.advanced node=approval to=build outcome=skipped"
        ]
    );
    assert_eq!(world.state().status, Status::Running);
    assert_eq!(world.complete("approval").await, "noop approval, at build: approval is behind");
}

#[tokio::test]
async fn what_cannot_be_skipped_is_named_and_the_rest_is_skipped() {
    let world = World::at("choose").await;
    assert_eq!(
        world.skip(&["choose", "draft", "check", "done", "drfat"]).await,
        "pass choose, at choose: choose cannot be skipped: it is required; \
         check cannot be skipped: it is not skippable; done cannot be skipped: the walk ends there; \
         graph errand has no node \"drfat\"; did you mean draft?"
    );
    assert_eq!(
        world.told(),
        [
            "graph.skips_rejected via=cli nodes=[\"choose\",\"check\",\"done\",\"drfat\"] by=@owner",
            "graph.skips_declared via=cli nodes=[\"draft\"] by=@owner reason=no need"
        ]
    );
}

#[tokio::test]
async fn if_nothing_can_be_skipped_it_is_refused() {
    let world = World::at("choose").await;
    assert_eq!(
        world.skip(&["choose"]).await,
        "refused choose, at choose: choose cannot be skipped: it is required"
    );
    assert_eq!(world.told(), ["graph.skips_rejected via=cli nodes=[\"choose\"] by=@owner"]);
    assert_eq!(world.skip(&[]).await, "refused choose, at choose: no node was named");
    assert!(world.told().is_empty());
}

#[tokio::test]
async fn what_is_skipped_already_is_not_declared_again() {
    let world = World::at("choose").await;
    world.skip(&["draft"]).await;
    world.told();
    assert_eq!(world.skip(&["draft"]).await, "noop choose, at choose: all of them are skipped already");
    assert!(world.told().is_empty());
    world.skip(&["paper"]).await;
    assert_eq!(world.told(), ["graph.skips_declared via=cli nodes=[\"approval\"] by=@owner reason=no need"]);
}

#[tokio::test]
async fn an_opt_in_can_be_taken_back() {
    let world = World::at("choose").await;
    world.says("choose", "select +sketch");
    world.complete("choose").await;
    assert!(world.state().opted_in.contains("sketch"));
    world.skip(&["sketch"]).await;
    assert!(world.state().opted_in.is_empty());
    world.told();
    world.complete("draft").await;
    assert_eq!(world.told()[1], "graph.node_skipped node=sketch via=cli by=@owner");
}

#[tokio::test]
async fn the_pointer_is_put_elsewhere_by_hand() {
    let world = World::at("approval").await;
    assert_eq!(world.force("build").await, "pass approval, to build");
    assert_eq!(world.told(), ["graph.forced node=approval to=build by=@owner reason=it is stuck"]);
    // It was not left by an edge.
    assert_eq!(
        world.complete("approval").await,
        "refused approval, at build: the item stands at build, not at approval"
    );
}

#[tokio::test]
async fn a_node_that_is_entered_by_hand_runs_its_entry_chain_and_parks_as_ever() {
    let world = World::at("build").await;
    world.says("greet", "fail no network");
    assert_eq!(world.force("choose").await, "pass build, to choose");
    assert_eq!(
        world.told(),
        [
            "graph.forced node=build to=choose by=@owner reason=it is stuck",
            "graph.hook_degraded node=choose hook=note error=no network",
            "graph.parked node=choose"
        ]
    );
    assert!(world.state().behind.is_empty(), "all of it lies ahead again");
}

#[tokio::test]
async fn a_node_that_is_entered_by_hand_is_walked_even_if_it_was_to_be_skipped() {
    let world = World::at("choose").await;
    world.skip(&["draft"]).await;
    assert_eq!(world.force("draft").await, "pass choose, to draft");
    assert_eq!(world.complete("draft").await, "pass draft on pass, to approval");
    assert_eq!(world.force("sketch").await, "pass approval, to sketch");
    assert_eq!(world.state().current_node, "sketch");
    assert!(world.state().skips.is_empty());
}

#[tokio::test]
async fn a_node_that_was_given_up_begins_anew_by_hand() {
    let world = World::at("build").await;
    world.says("build", "block no");
    world.complete("build").await;
    world.complete("build").await;
    assert_eq!(world.state().status, Status::Escalated);
    assert_eq!(world.force("build").await, "pass escalated, to build");
    assert_eq!((world.state().status, world.state().attempts.count), (Status::Running, 0));
    assert_eq!(world.force("escalated").await, "pass build, to escalated");
    assert_eq!(world.state().status, Status::Escalated);
}

#[tokio::test]
async fn a_walk_that_is_over_can_be_taken_up_by_hand() {
    let world = World::at("done").await;
    world.complete("done").await;
    assert_eq!(world.force("build").await, "pass done, to build");
    assert_eq!(world.state().status, Status::Running);
}

#[tokio::test]
async fn the_pointer_is_not_put_elsewhere_without_a_name_and_a_reason() {
    let world = World::at("build").await;
    let said = "the pointer is put somewhere by hand only if it is said by whom and why";
    for (by, reason) in [("", "it is stuck"), ("@owner", " "), ("", "")] {
        let envelope = world.runtime.force(&world.item, "draft", by, reason).await.unwrap();
        assert_eq!(crate::world::line(&envelope), format!("refused build, at build: {said}"));
    }
    assert_eq!(
        world.force("drfat").await,
        "refused build, at build: graph errand has no node \"drfat\"; did you mean draft?"
    );
    assert!(world.told().is_empty());
}

#[tokio::test]
async fn texts_that_are_too_long_are_refused_before_anything_is_told() {
    let world = World::new();
    world.start().await;
    world.told();
    let (name, reason) = ("n".repeat(257), "r".repeat(1_025));
    let (runtime, item) = (&world.runtime, &world.item);
    let skip = |names: Vec<String>, by, reason| async move {
        line(&runtime.skip(item, &names, by, reason).await.unwrap())
    };
    let draft = || vec!["draft".to_owned()];
    let refused = [
        (skip(draft(), "@owner", &reason).await, "the reason has 1025 bytes; at most 1024 are taken"),
        (skip(draft(), &name, "").await, "the name has 257 bytes; at most 256 are taken"),
        (skip(vec![name.clone()], "@owner", "").await, "the name has 257 bytes; at most 256 are taken"),
        (
            skip(vec![name[..9].to_owned(); 1_001], "@owner", "").await,
            "1001 names are too many; at most 1000 are taken",
        ),
        (
            line(&runtime.force(item, "build", "@owner", &reason).await.unwrap()),
            "the reason has 1025 bytes; at most 1024 are taken",
        ),
        (
            line(&runtime.complete(item, "choose", &name).await.unwrap()),
            "the name has 257 bytes; at most 256 are taken",
        ),
    ];
    for (answer, why) in refused {
        assert_eq!(answer, format!("refused choose, at choose: {why}"));
    }
    assert!(world.told().is_empty());
}
