//! `lint-artifacts`.

use windtunnel_process::hook::Outcome;

use crate::world::{World, block};

#[test]
fn faults_of_all_artifacts_are_reported_with_their_lines() {
    let mut world = World::new();
    world.write("design.md", format!("# Design\n\n{}\n\n```mermaid\n```\n", "long ".repeat(30)));
    assert_eq!(
        world.run("lint-artifacts", "{maxLineLength: 100}", "design").unwrap(),
        block([
            "design.md:3: this line has 149 characters; expected 100 at most",
            "design.md:5: this mermaid block is empty; expected a diagram",
        ])
    );
    assert_eq!(
        world.run("lint-artifacts", "", "design").unwrap(),
        block(["design.md:5: this mermaid block is empty; expected a diagram"])
    );
}

#[test]
fn a_clean_artifact_passes() {
    let mut world = World::new();
    world.write("design.md", "# Design\n\n```mermaid\nflowchart LR\n  A[one] --> B\n```\n");
    assert_eq!(world.run("lint-artifacts", "", "design").unwrap(), Outcome::pass());
}

#[test]
fn without_an_artifact_it_says_what_is_missing_unless_that_is_planned() {
    let mut world = World::new();
    let missing = block(["no design.md in docs/specs/issue-42"]);
    assert_eq!(world.run("lint-artifacts", "", "design").unwrap(), missing);
    assert_eq!(world.run("lint-artifacts", "", "brainstorming").unwrap(), Outcome::Skip);
    assert_eq!(world.run("lint-artifacts", "", "self-review").unwrap(), Outcome::Skip);
}
