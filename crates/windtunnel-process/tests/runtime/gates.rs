//! `advance` and `complete`: gates, edges, attempts, the end.

use windtunnel_process::state::{Attempts, Status};

use crate::world::World;

#[tokio::test]
async fn a_claim_that_passes_follows_the_edge_of_its_outcome() {
    let world = World::at("build").await;
    assert_eq!(world.complete("build").await, "pass build on pass, to done");
    assert_eq!(
        world.told(),
        ["graph.advanced node=build to=check outcome=pass", "graph.advanced node=check to=done outcome=pass"]
    );
}

#[tokio::test]
async fn the_entry_chain_runs_after_the_pointer_moved() {
    let world = World::at("approval").await;
    world.says("approval", "pass approved");
    world.says("assign", "fail no session");
    assert_eq!(world.complete("approval").await, "pass approval on approved, to build");
    assert_eq!(
        world.told(),
        [
            "graph.advanced node=approval to=build outcome=approved",
            "graph.hook_degraded node=build hook=note error=no session"
        ]
    );
    assert_eq!(world.state().status, Status::Running);
}

#[tokio::test]
async fn an_event_runs_the_gate_of_any_node() {
    let world = World::at("draft").await;
    assert_eq!(world.advance().await, "pass draft on pass, to approval");
    assert_eq!(
        world.told(),
        [
            "graph.advanced node=draft to=sketch outcome=pass",
            "graph.node_skipped node=sketch via=not-selected",
            "graph.advanced node=sketch to=approval outcome=skipped",
            "graph.parked node=approval"
        ]
    );
}

#[tokio::test]
async fn a_gate_that_waits_parks_the_walk() {
    let world = World::at("approval").await;
    world.says("approval", "wait a review; another one");
    assert_eq!(world.advance().await, "wait approval, at approval: a review; another one");
    assert_eq!(world.told(), ["graph.parked node=approval"]);
    assert_eq!(world.state().status, Status::Waiting);
}

#[tokio::test]
async fn a_claim_of_a_human_gate_waits_for_what_only_an_event_brings() {
    let world = World::at("approval").await;
    world.says("approval", "echo");
    assert_eq!(world.complete("approval").await, "wait approval, at approval: a comment");
    assert_eq!(world.told(), ["graph.parked node=approval"]);
    assert_eq!(world.comment("approved").await, "pass approval on approved, to build");
}

#[tokio::test]
async fn an_agents_gate_that_waits_leaves_the_item_waiting() {
    let world = World::at("build").await;
    world.says("build", "wait the inner loop");
    assert_eq!(world.complete("build").await, "wait build, at build: the inner loop");
    assert_eq!(world.told(), ["graph.parked node=build"]);
    assert_eq!((world.state().status, world.state().attempts), (Status::Waiting, Attempts::default()));
}

#[tokio::test]
async fn a_block_that_answers_no_claim_is_no_attempt() {
    let world = World::at("build").await;
    world.says("build", "block not yet");
    for _ in 0..5 {
        assert_eq!(world.advance().await, "block build, at build: not yet");
        assert_eq!(world.told(), ["graph.blocked node=build hook=gate messages=[\"not yet\"]"]);
    }
    assert_eq!((world.state().status, world.state().attempts), (Status::Blocked, Attempts::default()));
}

#[tokio::test]
async fn a_claim_of_a_node_that_is_behind_does_nothing() {
    let world = World::at("build").await;
    for node in ["choose", "draft", "sketch", "approval"] {
        assert_eq!(world.complete(node).await, format!("noop {node}, at build: {node} is behind"));
    }
    assert!(world.told().is_empty());
}

#[tokio::test]
async fn a_claim_of_a_node_that_is_not_reached_is_refused() {
    let world = World::at("draft").await;
    assert_eq!(
        world.complete("build").await,
        "refused build, at draft: the item stands at draft, not at build"
    );
    assert_eq!(
        world.complete("biuld").await,
        "refused biuld, at draft: graph errand has no node \"biuld\"; did you mean build?"
    );
    assert!(world.told().is_empty());
}

#[tokio::test]
async fn an_edge_back_puts_what_lies_on_the_way_ahead_again() {
    let world = World::at("approval").await;
    world.says("approval", "pass changes-requested");
    assert_eq!(world.complete("approval").await, "pass approval on changes-requested, to draft");
    assert_eq!(world.told(), ["graph.advanced node=approval to=draft outcome=changes-requested"]);
    assert_eq!(world.state().behind.iter().collect::<Vec<_>>(), ["choose"]);
    assert_eq!(
        world.complete("approval").await,
        "refused approval, at draft: the item stands at draft, not at approval"
    );
    // An opt-in that nobody opted for is passed over again.
    world.says("approval", "pass approved");
    world.complete("draft").await;
    assert_eq!(world.state().behind.iter().collect::<Vec<_>>(), ["choose", "draft", "sketch"]);
}

#[tokio::test]
async fn the_third_claim_in_vain_gives_the_node_up() {
    let world = World::at("build").await;
    for (finding, attempt) in [("one", 1), ("two", 2)] {
        world.says("build", &format!("block {finding}"));
        assert_eq!(world.complete("build").await, format!("block build, at build: {finding}"));
        assert_eq!(world.told(), [format!("graph.blocked node=build hook=gate messages=[\"{finding}\"]")]);
        assert_eq!(world.state().attempts.count, attempt);
    }
    world.says("build", "block three");
    world.says("alarm", "fail nobody listens");
    assert_eq!(world.complete("build").await, "escalated build, to escalated: three");
    assert_eq!(
        world.told(),
        [
            "graph.blocked node=build hook=gate messages=[\"three\"]",
            "graph.escalated node=build attempts=3",
            "graph.hook_degraded node=escalated hook=note error=nobody listens"
        ]
    );
    let state = world.state();
    assert_eq!((state.status, state.attempts), (Status::Escalated, Attempts::default()));
    assert!(!state.behind.contains("build"), "a node that was given up is not behind");
}

#[tokio::test]
async fn the_same_messages_twice_in_a_row_give_the_node_up() {
    let world = World::at("build").await;
    world.says("build", "block one; two");
    world.complete("build").await;
    world.told();
    assert_eq!(world.complete("build").await, "escalated build, to escalated: one; two");
    assert_eq!(
        world.told(),
        [
            "graph.blocked node=build hook=gate messages=[\"one\",\"two\"]",
            "graph.escalated node=build attempts=2"
        ]
    );
}

#[tokio::test]
async fn an_edge_to_its_own_node_begins_the_node_anew() {
    let world = World::of(
        "{ graph: g,
           nodes: [{ id: a, actor: agent, entry: [note: { file: greet }], exit: [gate: { file: a }] }, { id: z, actor: agent, terminal: true }],
           edges: [{ from: a, to: z, on: pass }, { from: a, to: a, on: again }] }",
    );
    world.start().await;
    world.told();
    world.says("a", "block no");
    world.complete("a").await;
    world.says("a", "pass again");
    world.says("greet", "fail no network");
    assert_eq!(world.complete("a").await, "pass a on again, to a");
    assert_eq!(
        world.told()[1..],
        ["graph.advanced node=a to=a outcome=again", "graph.hook_degraded node=a hook=note error=no network"]
    );
    assert_eq!((world.state().attempts.count, world.state().behind.len()), (0, 0));
}

#[tokio::test]
async fn attempts_are_of_the_node_where_the_item_stands() {
    let world = World::at("draft").await;
    world.says("draft", "block a");
    world.complete("draft").await;
    world.says("draft", "block b");
    world.complete("draft").await;
    world.says("draft", "pass pass");
    world.says("approval", "pass changes-requested");
    world.complete("draft").await;
    world.advance().await;
    assert_eq!(world.state().current_node, "draft");
    world.says("draft", "block b");
    assert_eq!(world.complete("draft").await, "block draft, at draft: b");
    assert_eq!(world.state().attempts.count, 1);
}

#[tokio::test]
async fn a_graph_says_how_often_a_node_may_be_tried() {
    let world = World::of(
        "{ graph: g,
           nodes: [{ id: a, actor: agent, maxAttempts: 1, exit: [gate: { file: a }] }, { id: z, actor: agent, terminal: true }],
           edges: [{ from: a, to: z, on: pass }] }",
    );
    world.says("a", "block no");
    world.start().await;
    world.told();
    // Without a node for it the item is given up where it stands.
    assert_eq!(world.complete("a").await, "escalated a, at a: no");
    assert_eq!(
        world.told(),
        ["graph.blocked node=a hook=gate messages=[\"no\"]", "graph.escalated node=a attempts=1"]
    );
    assert_eq!(world.state().status, Status::Escalated);
    let waits = "a waits for a person to put the item elsewhere";
    assert_eq!(world.complete("a").await, format!("escalated a, at a: {waits}"));
    assert_eq!(world.advance().await, format!("noop a, at a: {waits}"));
    assert!(world.told().is_empty());
    assert_eq!(world.force("a").await, "pass a, at a");
    assert_eq!(world.state().status, Status::Running);
}

#[tokio::test]
async fn an_outcome_without_an_edge_leaves_the_item_where_it_is() {
    let world = World::at("build").await;
    world.says("build", "pass merged");
    for _ in 0..4 {
        assert_eq!(
            world.complete("build").await,
            "block build, at build: no edge leads from build on \"merged\""
        );
        assert_eq!(world.told(), ["graph.no_edge node=build outcome=merged"]);
    }
    let state = world.state();
    assert_eq!((state.status, state.attempts), (Status::Blocked, Attempts::default()));
}

#[tokio::test]
async fn the_walk_is_over_with_the_claim_of_its_end() {
    let world = World::at("done").await;
    assert_eq!(world.state().status, Status::Running);
    assert_eq!(
        world.advance().await,
        "noop done, at done: done is where the walk ends: it waits for the claim"
    );
    assert!(world.told().is_empty());
    assert_eq!(world.complete("done").await, "pass done, at done");
    assert_eq!(world.told(), ["graph.completed node=done"]);
    assert_eq!(world.state().status, Status::Complete);
}

#[tokio::test]
async fn nothing_happens_after_the_walk_is_over() {
    let world = World::at("done").await;
    world.complete("done").await;
    world.told();
    let before = world.state_file();
    let over = "the walk is over: it was completed at done";
    assert_eq!(world.complete("done").await, format!("noop done, at done: {over}"));
    assert_eq!(world.advance().await, format!("noop done, at done: {over}"));
    assert_eq!(world.skip(&["draft"]).await, format!("noop done, at done: {over}"));
    assert_eq!(world.ask("anybody?").await, format!("noop done, at done: {over}"));
    assert_eq!(world.complete("build").await, "noop build, at done: build is behind");
    assert!(world.told().is_empty() && world.posted().is_empty());
    assert_eq!(world.state_file(), before);
}

#[tokio::test]
async fn the_end_has_a_gate_too() {
    let world = World::at("done").await;
    world.says("done", "block loose ends");
    assert_eq!(world.complete("done").await, "block done, at done: loose ends");
    assert_eq!(world.state().status, Status::Blocked);
    world.says("done", "skip");
    assert_eq!(world.complete("done").await, "pass done, at done");
}

#[tokio::test]
async fn an_item_that_was_given_up_can_be_closed() {
    let world = World::at("build").await;
    world.says("build", "block no");
    world.complete("build").await;
    world.complete("build").await;
    world.told();
    assert_eq!(
        world.complete("build").await,
        "refused build, at escalated: the item stands at escalated, not at build"
    );
    assert_eq!(
        world.advance().await,
        "noop escalated, at escalated: escalated waits for a person to put the item elsewhere"
    );
    assert_eq!(world.complete("escalated").await, "pass escalated, at escalated");
    assert_eq!(world.told(), ["graph.completed node=escalated"]);
    assert_eq!(world.state().status, Status::Complete);
}

#[tokio::test]
async fn where_items_are_that_were_given_up_they_are_not_given_up_again() {
    let world = World::of(
        "{ graph: g,
           nodes: [{ id: a, actor: agent, maxAttempts: 1, exit: [gate: { file: a }] }, { id: z, actor: agent, terminal: true },
                   { id: escalated, actor: human, terminal: true, exit: [gate: { file: close }] }],
           edges: [{ from: a, to: z, on: pass }] }",
    );
    world.says("a", "block no");
    world.says("close", "block nobody said so");
    world.start().await;
    world.complete("a").await;
    world.told();
    for _ in 0..4 {
        assert_eq!(world.complete("escalated").await, "block escalated, at escalated: nobody said so");
        assert_eq!(world.told(), ["graph.blocked node=escalated hook=gate messages=[\"nobody said so\"]"]);
        assert_eq!((world.state().status, world.state().attempts.count), (Status::Escalated, 0));
    }
    world.says("close", "wait a word");
    assert_eq!(world.complete("escalated").await, "wait escalated, at escalated: a word");
    assert_eq!(world.state().status, Status::Escalated);
}

#[tokio::test]
async fn an_end_that_was_given_up_asks_its_gate_no_more() {
    let world = World::of(
        "{ graph: g, nodes: [{ id: z, actor: agent, terminal: true, maxAttempts: 1, exit: [gate: { file: z }] }] }",
    );
    world.says("z", "block no");
    world.start().await;
    assert_eq!(world.complete("z").await, "escalated z, at z: no");
    world.told();
    world.says("z", "skip");
    let waits = "z waits for a person to put the item elsewhere";
    assert_eq!(world.complete("z").await, format!("escalated z, at z: {waits}"));
    assert!(world.told().is_empty());
}

#[tokio::test]
async fn the_gate_of_a_code_node_needs_no_claim() {
    let world = World::at("build").await;
    world.says("check", "block 2 tests failed");
    assert_eq!(world.complete("build").await, "pass build on pass, to check: 2 tests failed");
    assert_eq!(
        world.told(),
        [
            "graph.advanced node=build to=check outcome=pass",
            "graph.blocked node=check hook=gate messages=[\"2 tests failed\"]"
        ]
    );
    assert_eq!((world.state().status, world.state().attempts), (Status::Blocked, Attempts::default()));
    world.says("check", "skip");
    assert_eq!(world.advance().await, "pass check on pass, to done");
}

#[tokio::test]
async fn code_nodes_in_a_circle_each_run_once_per_verb() {
    let world = World::of(
        "{ graph: g,
           nodes: [{ id: a, actor: agent }, { id: b, actor: code, exit: [gate: { file: b }] },
                   { id: c, actor: code, exit: [gate: { file: c }] }, { id: z, actor: code, terminal: true }],
           edges: [{ from: a, to: b, on: pass }, { from: b, to: c, on: pass }, { from: c, to: b, on: again },
                   { from: c, to: z, on: pass }] }",
    );
    world.says("c", "pass again");
    world.start().await;
    world.told();
    let round = ["graph.advanced node=b to=c outcome=pass", "graph.advanced node=c to=b outcome=again"];
    assert_eq!(world.complete("a").await, "pass a on pass, to b");
    assert_eq!(world.told()[1..], round);
    assert_eq!(world.advance().await, "pass b on pass, to b");
    world.says("c", "skip");
    assert_eq!(world.advance().await, "pass b on pass, to z");
    assert_eq!(world.state().status, Status::Running);
}
