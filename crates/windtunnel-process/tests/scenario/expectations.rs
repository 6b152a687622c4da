//! Each expectation, broken: the first divergence is told, who asked for it, and what was observed.

use crate::kit::{Folder, STEPS};

fn broken(expect: &str) -> String {
    Folder::of(&format!("{STEPS}expect:\n  {expect}\n")).failure()
}

/// The divergence without what was observed.
fn divergence(told: &str) -> String {
    let (divergence, observed) = told.split_once("\nobserved:").unwrap();
    let stands = "\n  current node: complete, status: complete\n  walk (5): plan, ~sketch, approval, implementation, complete\n";
    assert!(observed.starts_with(stands), "{observed}");
    let answered = "\n  before it, steps[5] complete (scenario.yaml:10) was answered: pass";
    divergence.strip_suffix(answered).unwrap().to_owned()
}

#[test]
fn a_divergence_is_told_with_everything_that_was_observed() {
    insta::assert_snapshot!(broken("nodes: [plan, sketch, approval, implementation, complete]"));
}

#[test]
fn each_expectation_that_is_broken_sees_exactly_its_own_divergence() {
    let table = [
        "nodes: [plan, ~sketch, approval]",
        "nodes: [plan, sketch~, approval, implementation, complete, complete]",
        "nodes: []",
        "labels: ['loop:plan', 'loop:sketch', 'loop:implementation', 'loop:complete']",
        "labels: ['loop:plan', 'loop:implementation']",
        "events: [{event: graph.started}, {event: graph.escalated}]",
        "events: [{event: graph.completed}, {event: graph.started}]",
        "events: [{event: graph.advanced, node: approval, outcome: approved-with-comments}]",
        "events: [{event: graph.started}, {$never: {event: graph.parked}}]",
        "events: [{event: graph.started}, {$times: {of: {event: graph.advanced}, min: 3}}]",
        "events: [{$times: {of: {event: graph.started}, max: 0}}]",
        "finalNode: implementation",
        "currentNode: plan",
        "status: waiting",
        "completed: false",
        "completed: implementation",
        "parked: true",
        "parked: complete",
        "lockedBeforeImplementation: [plan.md, design.md]",
        "lockedBeforeImplementation: [execution-log.md]",
        "executionLog: {sections: [Pull requests, Security review]}",
        "executionLogSections: [Evidence]",
        "executionLogEntries: [approval, plan]",
        "executionLogEntries: [approval, complete, complete]",
    ];
    let told = table.map(|expect| format!("## {expect}\n{}\n", divergence(&broken(expect))));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn of_several_the_first_in_the_order_of_the_documentation_is_told() {
    let told = broken("status: waiting\n  labels: []\n  nodes: [plan]");
    assert!(told.starts_with("ScenarioAssertionError: expect.nodes[1]: "), "{told}");
}

#[test]
fn a_checkpoint_halfway_names_its_step_and_sees_no_more_than_happened_until_then() {
    let told = Folder::of(
        "
steps:
  - emit: {artifact: plan.md, fixture: plan.md}
  - complete: {node: plan}
  - expect:
      status: waiting
      parked: approval
      nodes: [plan, ~sketch, approval]
      completed: false
  - comment: {author: owner, body: approved}
  - expect:
      labels: ['loop:plan']
",
    )
    .failure();
    insta::assert_snapshot!(told);
}

#[test]
fn what_was_not_locked_as_the_implementation_was_entered_is_told_even_if_it_is_now() {
    let told = Folder::of(
        "
steps:
  - emit: {artifact: plan.md, fixture: plan.md}
  - complete: {node: plan}
  - emit: {artifact: plan.md, fixture: draft.md}
  - comment: {author: owner, body: approved}
  - emit: {artifact: plan.md, fixture: plan.md}
expect: {lockedBeforeImplementation: [plan.md]}
",
    )
    .failure();
    assert!(
        told.contains("expect.lockedBeforeImplementation[0]: expected plan.md with status: approved"),
        "{told}"
    );
    assert!(told.contains(", found status: draft\n"), "{told}");
}

#[test]
fn locks_on_an_implementation_that_is_never_entered_are_a_divergence() {
    let told = Folder::of("steps: []\nexpect: {lockedBeforeImplementation: [plan.md]}\n").failure();
    assert!(
        told.starts_with(
            "ScenarioAssertionError: expect.lockedBeforeImplementation: expected the implementation to be entered, \
             found that it never was\n  asked for by expect at [dir]/errand/scenario.yaml:4:10"
        ),
        "{told}"
    );
}

#[test]
fn an_artifact_may_be_locked_under_either_of_its_names() {
    Folder::of(&format!("{STEPS}expect: {{lockedBeforeImplementation: [scheme.md|plan.md]}}\n"))
        .play()
        .outcome
        .unwrap();
    let told = broken("lockedBeforeImplementation: [plan.md|execution-log.md]");
    assert!(told.contains("found several files under its names"), "{told}");
}

#[test]
fn an_execution_log_that_was_never_written_has_no_sections() {
    for expect in ["executionLogSections: [Plan]", "executionLogEntries: [plan]"] {
        let told = Folder::of(&format!("steps: []\nexpect: {{{expect}}}\n")).failure();
        assert!(told.contains("found no execution-log.md\n"), "{told}");
    }
}

#[test]
fn a_checkpoint_is_of_a_day() {
    let folder = Folder::of(
        "steps:\n  - emit: {artifact: execution-log.md, fixture: forged.md}\nexpect: {executionLogEntries: [complete]}\n",
    );
    folder.write(
        "artifacts/forged.md",
        "# Log\n\n### forged — entry complete\n\n### 2026-03-01 — entry plan\n",
    );
    assert!(folder.failure().contains("found the checkpoints plan\n"), "{}", folder.failure());
    folder.write("artifacts/forged.md", "# Log\n\n### 2026-03-01 — entry complete\n");
    folder.play().outcome.unwrap();
}

#[test]
fn long_traces_are_told_by_their_ends() {
    let laps =
        "  - complete: {node: plan}\n  - comment: {author: owner, body: changes requested}\n".repeat(60);
    let told = Folder::of(&format!(
        "steps:\n  - emit: {{artifact: plan.md, fixture: plan.md}}\n{laps}expect: {{status: complete}}\n"
    ))
    .failure();
    let (_, observed) = told.split_once("\nobserved:\n").unwrap();
    assert!(observed.lines().all(|line| line.chars().count() <= 100), "{observed}");
    for start in [
        "  walk (181): (121 earlier left out) ~sketch, approval, plan",
        "  labels (61): (1 earlier left out) loop:plan",
    ] {
        assert!(observed.lines().any(|line| line.starts_with(start)), "{observed}");
    }
    let first = "  events (301):\n    (158 earlier left out)\n    steps[63] complete (scenario.yaml:67)\n      [158] graph.advanced ";
    assert!(observed.contains(first), "{observed}");
}

#[test]
fn a_comment_that_did_not_count_is_told_with_what_it_was_answered() {
    let table = [
        ("{author: alice, body: approved}", "@alice is not authorized"),
        ("{author: owner, body: approved?}", "the comment of @owner decides nothing"),
        ("{author: owner, body: approved, marked: true}", "the comment of @owner is the process's own"),
    ];
    for (comment, why) in table {
        let told = Folder::of(&format!(
            "
steps:
  - emit: {{artifact: plan.md, fixture: plan.md}}
  - complete: {{node: plan}}
  - comment: {comment}
  - emit: {{artifact: plan.md, fixture: plan.md}}
  - expect: {{currentNode: implementation}}
"
        ))
        .failure();
        let answered = format!(
            ", is waited for, by @owner; {why}\nobserved:\n  current node: approval, status: waiting (parked)\n"
        );
        let before = "\n  before it, steps[2] comment (scenario.yaml:7) was answered: wait: a paragraph that says \"approved\" ";
        assert!(told.contains(before), "{told}");
        assert!(told.contains(&answered), "{told}");
    }
}

#[test]
fn before_the_first_step_the_start_is_what_was_answered() {
    let told = Folder::of("steps: []\nexpect: {currentNode: approval}\n").failure();
    assert!(told.contains("\n  before it, start (scenario.yaml:2) was answered: pass"), "{told}");
}

#[test]
fn a_walk_that_is_to_end_where_an_item_is_given_up_is_told_why_it_does_not() {
    const GIVEN_UP: &str =
        "steps:\n  - complete: {node: plan, status: block}\n  - complete: {node: plan, status: escalated}\n";
    let told = Folder::of(&format!("{GIVEN_UP}expect: {{nodes: [plan, escalated]}}\n")).failure();
    insta::assert_snapshot!(told);
    let told = Folder::of(&format!("{GIVEN_UP}expect: {{nodes: [plan, approval]}}\n")).failure();
    assert!(!told.contains("given up is at"), "{told}");
    let told = Folder::of("steps: []\nexpect: {nodes: [plan, escalated]}\n").failure();
    assert!(!told.contains("given up is at"), "{told}");
}
