//! The other ways in which a scenario fails, each of its own kind.

use windtunnel_process::scenario::{ScenarioError, Setup};

use crate::kit::{Escape, Folder, STEPS, Vandal, graph_with};

#[test]
fn a_claim_that_comes_to_another_verdict_fails_its_step() {
    let told = Folder::of(
        "
steps:
  - emit: {artifact: plan.md, fixture: draft.md}
  - complete: {node: plan}
",
    )
    .failure();
    insta::assert_snapshot!(told);
}

#[test]
fn a_claim_that_is_refused_as_expected_is_as_expected() {
    let played = Folder::of(
        "
steps:
  - complete: {node: plan, status: block}
  - expect: {status: blocked, nodes: [plan], labels: ['loop:plan']}
  - complete: {node: approval, status: refused}
  - emit: {artifact: plan.md, fixture: plan.md}
  - complete: {node: plan}
  - complete: {node: plan, status: noop}
  - complete: {node: approval, status: wait}
",
    )
    .play();
    played.outcome.unwrap();
}

#[test]
fn the_first_failure_ends_the_play() {
    let played = Folder::of(
        "
steps:
  - complete: {node: plan}
  - emit: {artifact: plan.md, fixture: plan.md}
  - complete: {node: plan}
",
    )
    .play();
    assert!(matches!(played.outcome, Err(ScenarioError::Assertion(_))));
    assert_eq!(played.trace.walk, ["plan"]);
}

#[test]
fn an_operation_outside_the_table_fails_the_scenario_even_if_the_hook_makes_nothing_of_it() {
    let folder = Folder::of(&format!("{STEPS}expect: {{status: complete}}\n"));
    let played = folder.play_in(&Setup::new(graph_with::<Escape>("escape")));
    insta::assert_snapshot!(folder.told(&played.outcome.unwrap_err()));
}

#[test]
fn what_the_runtime_cannot_do_is_a_finding_of_its_own() {
    let folder = Folder::of(&format!("{STEPS}expect: {{status: complete}}\n"));
    let played = folder.play_in(&Setup::new(graph_with::<Vandal>("vandal")));
    let error = played.outcome.unwrap_err();
    let ScenarioError::Runtime { asked, .. } = &error else { panic!("{error}") };
    assert_eq!((asked.step, asked.kind, asked.line), (Some(3), "comment", 8));
    let told = folder.told(&error);
    assert!(told.starts_with("ScenarioRuntimeError: "), "{told}");
    assert!(told.ends_with("\n  during steps[3] (comment) at [dir]/errand/scenario.yaml:8:5"), "{told}");
}

#[test]
fn a_world_that_cannot_be_made_is_no_divergence() {
    let folder = Folder::of("steps: []\nexpect: {finalNode: plan}\n");
    let nowhere = folder.above().join("nowhere");
    let played = folder.play_in(&crate::kit::setup().temporary_dir(&nowhere));
    let told = folder.told(&played.outcome.unwrap_err());
    assert!(told.starts_with("ScenarioIoError: cannot make a temporary folder: "), "{told}");
}

#[test]
fn a_reply_to_a_session_that_is_missing_is_refused_and_nothing_else_happens() {
    let played = Folder::of(
        "
steps:
  - ask: {question: Which way?}
  - expect: {status: waiting, parked: plan, events: [{event: session.awaiting_input, comment_posted: true}]}
  - complete: {node: plan, status: wait}
  - reply: {text: The short one., actor: owner, sessionMissing: true}
  - expect: {status: waiting, events: [{$never: {event: session.reply_sent}}]}
  - reply: {text: The short one., actor: owner}
  - expect:
      status: running
      parked: false
      events: [{event: session.awaiting_input, question: Which way?}, {event: session.reply_sent, actor: owner}]
",
    )
    .play();
    played.outcome.unwrap();
}

#[test]
fn a_reply_that_should_be_refused_and_is_not_is_told() {
    let told = Folder::of(
        "
steps:
  - ask: {question: Which way?}
  - reply: {text: Left., actor: owner}
  - complete: {node: complete}
",
    )
    .failure();
    assert!(
        told.starts_with(
            "ScenarioAssertionError: steps[2].complete.status: expected \"pass\", found \"refused\" ("
        ),
        "{told}"
    );
}

#[test]
fn a_question_that_is_not_asked_any_more_is_told() {
    let told =
        Folder::of(&format!("{STEPS}  - ask: {{question: Which way?}}\nexpect: {{status: complete}}\n"))
            .failure();
    assert!(
        told.starts_with(
            "ScenarioAssertionError: steps[6].ask: expected the question to be asked, found \"noop\" (the walk is over"
        ),
        "{told}"
    );
}

#[test]
fn operations_fail_until_they_are_restored() {
    let played = Folder::of(
        "
steps:
  - fail-github: [set-labels, add-comment]
  - emit: {artifact: plan.md, fixture: plan.md}
  - complete: {node: plan}
  - comment: {author: owner, body: approved}
  - expect:
      currentNode: implementation
      labels: ['loop:plan']
      events:
        - {event: graph.hook_degraded, node: approval, hook: request-review}
        - {event: graph.hook_degraded, node: implementation, hook: set-phase-label}
  - restore-github
  - complete: {node: implementation}
expect:
  labels: ['loop:plan', 'loop:complete']
",
    )
    .play();
    played.outcome.unwrap();
}

#[test]
fn a_marked_comment_and_one_by_somebody_else_release_nothing() {
    let played = Folder::of(
        "
steps:
  - emit: {artifact: plan.md, fixture: plan.md}
  - complete: {node: plan}
  - comment: {author: owner, body: approved, marked: true}
  - expect: {parked: approval}
  - comment: {author: stranger, body: approved}
  - expect: {parked: approval}
  - advance
  - expect: {parked: approval}
  - comment: {author: owner, body: approved}
expect: {currentNode: implementation}
",
    )
    .play();
    played.outcome.unwrap();
}

#[test]
fn inner_loops_are_waited_for() {
    let played = Folder::of(
        "
steps:
  - emit: {artifact: plan.md, fixture: plan.md}
  - complete: {node: plan}
  - comment: {author: owner, body: approved}
  - inner-loop: {pr: 7, node: review}
  - inner-loop: {pr: 8, node: review, repo: e2e/other}
  - complete: {node: implementation, status: wait}
  - inner-loop: {pr: 7, node: complete, repo: e2e/e2e}
  - complete: {node: implementation, status: wait}
  - inner-loop: {pr: 8, node: complete, repo: other}
  - complete: {node: implementation}
expect: {currentNode: complete}
",
    )
    .play();
    played.outcome.unwrap();
}
