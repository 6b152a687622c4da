//! What the scenarios in `examples/process` are worth: each of these mutations of the shipped process is refused by the compiler, or a
//! scenario fails over it. A mutation that neither sees is stated, with the reason why nothing can be seen of it.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod behaviour;
mod chains;
mod judge;
mod nodes;
mod paths;
mod tree;

use judge::{Judge, table};
use windtunnel_process::Graph;
use windtunnel_process::hook::HookRegistry;

#[test]
fn the_shipped_process_as_it_is_passes_every_scenario() {
    let graph = tree::shipped().to_string();
    let graph = Graph::compile("unchanged", &graph, &HookRegistry::shipped()).unwrap();
    if let Some((scenario, error)) = Judge::new().play(graph, None) {
        panic!("{scenario}: {error}");
    }
}

#[test]
fn edges() {
    insta::assert_snapshot!(table("edges", paths::edges()));
}

#[test]
fn skip_sets() {
    insta::assert_snapshot!(table("skip_sets", paths::skip_sets()));
}

#[test]
fn flags() {
    insta::assert_snapshot!(table("flags", nodes::flags()));
}

#[test]
fn phases() {
    insta::assert_snapshot!(table("phases", nodes::phases()));
}

#[test]
fn artifacts() {
    insta::assert_snapshot!(table("artifacts", nodes::artifacts()));
}

#[test]
fn gates() {
    insta::assert_snapshot!(table("gates", chains::gates()));
}

#[test]
fn parameters() {
    insta::assert_snapshot!(table("parameters", chains::parameters()));
}

#[test]
fn sections() {
    insta::assert_snapshot!(table("sections", chains::sections()));
}

#[test]
fn entries() {
    insta::assert_snapshot!(table("entries", chains::entries()));
}

#[test]
fn what_hooks_do() {
    insta::assert_snapshot!(table("what_hooks_do", behaviour::mutants()));
}
