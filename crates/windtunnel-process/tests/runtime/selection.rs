//! What a selection of phases does to a walk.

use crate::world::World;

#[tokio::test]
async fn a_selection_is_declared_before_the_pointer_moves() {
    let world = World::at("choose").await;
    world.says("choose", "select -build -draft !choose");
    assert_eq!(world.advance().await, "pass choose on selected, to approval");
    assert_eq!(
        world.told(),
        [
            "graph.skips_declared via=selection nodes=[\"draft\",\"build\"] by=@owner",
            "graph.skips_declared via=not-selected nodes=[\"sketch\"]",
            "graph.skips_rejected via=selection nodes=[\"choose\"] by=@owner",
            "graph.advanced node=choose to=draft outcome=selected",
            "graph.node_skipped node=draft via=selection by=@owner",
            "graph.advanced node=draft to=sketch outcome=skipped",
            "graph.node_skipped node=sketch via=not-selected",
            "graph.advanced node=sketch to=approval outcome=skipped",
            "graph.parked node=approval"
        ]
    );
}

#[tokio::test]
async fn a_selection_that_unticks_nothing_declares_nothing() {
    let world = World::at("choose").await;
    world.says("choose", "select +sketch");
    assert_eq!(world.advance().await, "pass choose on selected, to draft");
    assert_eq!(world.told(), ["graph.advanced node=choose to=draft outcome=selected"]);
    assert_eq!(world.complete("draft").await, "pass draft on pass, to sketch");
}

#[tokio::test]
async fn an_unticked_opt_in_is_one_that_was_not_selected() {
    let world = World::at("choose").await;
    world.says("choose", "select -sketch");
    world.advance().await;
    assert_eq!(world.told()[0], "graph.skips_declared via=not-selected nodes=[\"sketch\"]");
}

#[tokio::test]
async fn a_node_that_cannot_be_skipped_is_not_whatever_a_hook_says() {
    let world = World::at("choose").await;
    world.says("choose", "select +sketch -check -invented");
    world.advance().await;
    assert_eq!(
        world.told()[0],
        "graph.skips_rejected via=selection nodes=[\"check\",\"invented\"] by=@owner"
    );
    assert!(world.state().skips.is_empty());
}

#[tokio::test]
async fn a_selection_takes_the_place_of_the_one_before() {
    let world = World::at("choose").await;
    world.skip(&["build"]).await;
    world.says("choose", "select -draft");
    world.advance().await;
    world.force("choose").await;
    world.told();
    world.says("choose", "select +sketch -approval -build");
    assert_eq!(world.advance().await, "pass choose on selected, to draft");
    assert_eq!(
        world.told()[0],
        "graph.skips_declared via=selection nodes=[\"approval\"] by=@owner",
        "what was skipped by hand stays so, and is not declared again"
    );
    assert_eq!(world.state().skips.keys().collect::<Vec<_>>(), ["build", "approval"]);
}

#[tokio::test]
async fn a_selection_counts_only_if_the_gate_passes() {
    let gate = "exit: [gate: { file: choose }, gate: { file: second }] }";
    let yaml = crate::world::ERRAND.replace("exit: [gate: { file: choose }] }", gate);
    let world = World::of(&yaml);
    world.start().await;
    world.says("choose", "select -draft");
    world.says("second", "block no");
    assert_eq!(world.advance().await, "block choose, at choose: no");
    assert!(world.state().skips.is_empty());
    world.says("second", "pass unheard-of");
    assert_eq!(world.advance().await, "block choose, at choose: no edge leads from choose on \"unheard-of\"");
    assert!(world.state().skips.is_empty());
}
