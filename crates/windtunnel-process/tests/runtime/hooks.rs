//! Hooks that decide, fail, panic, or take too long.

use std::time::Duration;

use windtunnel_process::state::Status;

use crate::world::World;

fn with_gate(hooks: &str) -> World {
    World::of(&format!(
        "{{ graph: g,
            nodes: [{{ id: a, actor: agent, exit: [{hooks}] }}, {{ id: z, actor: agent, terminal: true }}],
            edges: [{{ from: a, to: z, on: [pass, last] }}] }}"
    ))
}

async fn started(hooks: &str, says: &[(&str, &str)]) -> World {
    let world = with_gate(hooks);
    world.start().await;
    for (file, line) in says {
        world.says(file, line);
    }
    world.told();
    world
}

#[tokio::test]
async fn the_first_gate_that_blocks_or_waits_ends_the_chain() {
    let hooks = "gate: { file: one }, gate: { file: two }";
    let world = started(hooks, &[("one", "block early"), ("two", "block late")]).await;
    assert_eq!(world.advance().await, "block a, at a: early");
    world.says("one", "wait for it");
    assert_eq!(world.advance().await, "wait a, at a: for it");
    world.says("one", "skip");
    assert_eq!(world.advance().await, "block a, at a: late");
}

#[tokio::test]
async fn the_outcome_that_was_declared_last_chooses_the_edge() {
    let hooks = "gate: { file: one }, gate: { file: two }, gate: { file: three }";
    let world = started(hooks, &[("one", "pass first"), ("two", "pass last"), ("three", "skip")]).await;
    assert_eq!(world.advance().await, "pass a on last, to z");
}

#[tokio::test]
async fn a_hook_sees_where_it_runs_who_claims_and_what_was_declared() {
    let world = started("gate: { file: one }, gate: { file: two }", &[("two", "context")]).await;
    assert_eq!(
        world.complete("a").await,
        "block a, at a: issue-42 of g at a by Some(\"tester\"), declared None"
    );
    world.says("one", "pass last");
    assert_eq!(world.advance().await, "block a, at a: issue-42 of g at a by None, declared Some(\"last\")");
}

#[tokio::test]
async fn a_gate_that_fails_blocks_with_the_reason() {
    let world = started("gate: { file: one }", &[("one", "fail the disk is full")]).await;
    assert_eq!(world.advance().await, "block a, at a: gate failed: the disk is full");
    assert_eq!(world.told(), ["graph.blocked node=a hook=gate messages=[\"gate failed: the disk is full\"]"]);
}

#[tokio::test]
async fn a_gate_that_panics_blocks_and_the_next_claim_finds_the_item_as_it_was() {
    let world = started("gate: { file: one }", &[("one", "panic oh")]).await;
    assert_eq!(world.complete("a").await, "block a, at a: gate failed: it panicked: oh");
    world.says("one", "skip");
    assert_eq!(world.complete("a").await, "pass a on pass, to z");
}

#[tokio::test(start_paused = true)]
async fn a_gate_that_takes_too_long_blocks() {
    let world = started("gate: { file: one, limitMs: 20 }", &[("one", "sleep")]).await;
    assert_eq!(world.advance().await, "block a, at a: gate failed: it took longer than 0.02 s");
}

#[tokio::test(start_paused = true)]
async fn a_hook_has_a_minute_unless_it_says_otherwise() {
    let world = started("gate: { file: one }", &[("one", "sleep")]).await;
    let before = tokio::time::Instant::now();
    assert_eq!(world.advance().await, "block a, at a: gate failed: it took longer than 60 s");
    assert_eq!(before.elapsed().as_secs(), Duration::from_secs(60).as_secs());
}

#[tokio::test(start_paused = true)]
async fn what_is_done_as_well_as_it_can_be_never_changes_a_verdict() {
    for (line, error) in [
        ("fail no network", "no network"),
        ("panic oh", "it panicked: oh"),
        ("sleep", "it took longer than 0.02 s"),
        ("block me", "it decided, which only a gate can: me"),
        ("wait for me", "it decided, which only a gate can: for me"),
        ("pass elsewhere", "it declared \"elsewhere\", which only a gate can"),
    ] {
        let world = started("note: { file: one, limitMs: 20 }", &[("one", line)]).await;
        assert_eq!(world.complete("a").await, "pass a on pass, to z", "{line}");
        assert_eq!(
            world.told(),
            [
                format!("graph.hook_degraded node=a hook=note error={error}"),
                "graph.advanced node=a to=z outcome=pass".to_owned()
            ],
            "{line}"
        );
    }
}

#[tokio::test]
async fn what_a_gate_could_not_do_is_told_and_decides_nothing() {
    let hooks = "gate: { file: one }, gate: { file: two }";
    let world = started(hooks, &[("one", "degrade list-comments; set-labels"), ("two", "block no")]).await;
    assert_eq!(world.complete("a").await, "block a, at a: no");
    assert_eq!(
        world.told(),
        [
            "graph.hook_degraded node=a hook=gate error=list-comments",
            "graph.hook_degraded node=a hook=gate error=set-labels",
            "graph.blocked node=a hook=gate messages=[\"no\"]"
        ]
    );
}

#[tokio::test]
async fn a_gate_that_refuses_without_a_word_is_named() {
    let world = started("gate: { file: one }", &[("one", "block")]).await;
    world.complete("a").await;
    assert_eq!(world.state().status, Status::Blocked);
}
