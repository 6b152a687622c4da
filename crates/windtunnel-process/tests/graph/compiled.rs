//! What a compiled graph answers.

use windtunnel_process::Graph;
use windtunnel_process::artifact::ArtifactName;
use windtunnel_process::graph::{Actor, Edge};

use crate::hooks::registry;

const ERRAND: &str = "
graph: errand
nodes:
  - id: fetch
    phase: fetching
    actor: agent
    optional: true
    skippable: true
    optIn: true
    maxAttempts: 5
    produces: [milk.md|tea.md, receipt.md]
    entry: [note]
    exit: [{ gate: { locked: true } }, note: , { note: {} }]
  - { id: pay, actor: human, required: true, produces: [receipt.md] }
  - { id: done, actor: code, terminal: true }
skipSets:
  second: [post]
  first: [post]
edges:
  - { from: fetch, to: pay, on: [pass, skipped] }
  - { from: pay, to: post, on: paid }
  - { from: pay, to: fetch, on: refused }
  - { from: post, to: done, on: [pass, skipped] }
";

fn errand() -> Graph {
    let yaml =
        ERRAND.replace("  - { id: done", "  - { id: post, actor: agent, skippable: true }\n  - { id: done");
    Graph::compile("errand.yaml", &yaml, &registry()).unwrap()
}

#[test]
fn a_node_is_what_was_written_and_the_rest_is_as_documented() {
    let graph = errand();
    let fetch = graph.node("fetch").unwrap();
    assert_eq!(
        (fetch.phase.as_deref(), fetch.actor, fetch.max_attempts),
        (Some("fetching"), Actor::Agent, 5)
    );
    assert!(fetch.optional && fetch.skippable && fetch.opt_in && !fetch.required && !fetch.terminal);
    let produces: Vec<String> = fetch.produces.iter().map(ToString::to_string).collect();
    assert_eq!(produces, ["milk.md|tea.md", "receipt.md"]);
    let names = |chain: &[windtunnel_process::graph::BoundHook]| -> Vec<String> {
        chain.iter().map(|hook| hook.name.clone()).collect()
    };
    assert_eq!(names(&fetch.entry), ["note"]);
    assert_eq!(names(&fetch.exit), ["gate", "note", "note"]);

    let post = graph.node("post").unwrap();
    assert_eq!((post.phase.as_deref(), post.max_attempts), (None, 3));
    assert!(!post.optional && post.skippable && !post.opt_in && !post.required && !post.terminal);
    assert!(post.produces.is_empty() && post.entry.is_empty() && post.exit.is_empty());
}

#[test]
fn nodes_edges_and_skip_sets_keep_their_order() {
    let graph = errand();
    assert_eq!(graph.id(), "errand");
    assert_eq!(graph.start().id, "fetch");
    assert_eq!(
        graph.nodes().map(|node| node.id.as_str()).collect::<Vec<_>>(),
        ["fetch", "pay", "post", "done"]
    );
    assert_eq!(graph.position("post"), Some(2));
    assert_eq!(graph.position("nowhere"), None);
    assert_eq!(graph.skip_sets().map(|(name, _)| name).collect::<Vec<_>>(), ["second", "first"]);
    let edges: Vec<String> =
        graph.edges().iter().map(|Edge { from, to, on }| format!("{from} {on} {to}")).collect();
    assert_eq!(
        edges,
        [
            "fetch pass pay",
            "fetch skipped pay",
            "pay paid post",
            "pay refused fetch",
            "post pass done",
            "post skipped done"
        ]
    );
}

#[test]
fn an_edge_is_followed_on_its_outcome_alone() {
    let graph = errand();
    let next = |from, on| graph.next(from, on).map(|node| node.id.as_str());
    assert_eq!(next("pay", "paid"), Some("post"));
    assert_eq!(next("pay", "refused"), Some("fetch"));
    assert_eq!(next("pay", "pass"), None);
    assert_eq!(next("done", "pass"), None);
    assert_eq!(next("nowhere", "pass"), None);
}

#[test]
fn an_artifact_is_of_the_first_node_that_leaves_it_behind() {
    let graph = errand();
    let author = |name| graph.author(&ArtifactName::parse(name).unwrap()).map(|node| node.id.as_str());
    assert_eq!(author("tea.md"), Some("fetch"));
    assert_eq!(author("coffee.md|milk.md"), Some("fetch"));
    assert_eq!(author("receipt.md"), Some("fetch"));
    assert_eq!(author("coffee.md"), None);
}

#[test]
fn a_graph_may_be_one_terminal() {
    let yaml = "graph: g\nnodes: [{ id: z, actor: agent, terminal: true }]\n";
    assert_eq!(Graph::compile("g.yaml", yaml, &registry()).unwrap().start().id, "z");
}
