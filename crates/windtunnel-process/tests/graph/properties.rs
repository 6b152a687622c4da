//! What holds for every graph.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use windtunnel_process::Graph;
use windtunnel_process::graph::{CLEANUP, ESCALATED, SKIPPED, WORK_ITEM_LOOP};

use crate::hooks::registry;

const IDS: [&str; 7] = ["a", "b", "c", "d", "done", CLEANUP, ESCALATED];
const OUTCOMES: [&str; 3] = ["pass", SKIPPED, "changes-requested"];

/// A graph that may well be one: a chain of nodes, with flags and further edges at random.
fn graph() -> impl Strategy<Value = String> {
    let flag = prop_oneof![4 => Just(None), 2 => Just(Some("skippable")), 1 => Just(Some("required"))];
    let node = (flag, proptest::bool::weighted(0.1), proptest::bool::weighted(0.1));
    let edge = (0..IDS.len(), 0..IDS.len(), proptest::sample::select(OUTCOMES.to_vec()));
    let nodes = proptest::sample::subsequence(IDS.to_vec(), 1..=IDS.len());
    let nodes = (nodes, proptest::collection::vec(node, IDS.len()));
    (nodes, proptest::collection::vec(edge, 0..3)).prop_map(|((ids, nodes), further)| {
        let mut yaml = "graph: g\nnodes:\n".to_owned();
        let mut edges = String::new();
        for (place, (id, (flag, opt_in, terminal))) in ids.iter().zip(nodes).enumerate() {
            let terminal = terminal || ["done", CLEANUP, ESCALATED].contains(id);
            let flag = if terminal { None } else { flag };
            let flags = flag.map(|flag| format!(", {flag}: true")).unwrap_or_default();
            let _ = writeln!(
                yaml,
                "  - {{ id: {id}, actor: agent, terminal: {terminal}, optIn: {}{flags} }}",
                opt_in && !terminal
            );
            if let Some(next) = ids.get(place + 1).filter(|_| !terminal) {
                let on = if flag == Some("skippable") { "[pass, skipped]" } else { "pass" };
                let _ = writeln!(edges, "  - {{ from: {id}, to: {next}, on: {on} }}");
            }
        }
        for (from, to, on) in further {
            let pick = |place: usize| ids[place % ids.len()];
            let _ = writeln!(edges, "  - {{ from: {}, to: {}, on: {on} }}", pick(from), pick(to));
        }
        if edges.is_empty() { yaml } else { format!("{yaml}edges:\n{edges}") }
    })
}

/// The nodes that edges lead to from this one, itself among them.
fn reached<'a>(graph: &'a Graph, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::from([from]);
    loop {
        let next: Vec<&str> = graph
            .edges()
            .iter()
            .filter(|edge| reached.contains(edge.from.as_str()))
            .map(|edge| edge.to.as_str())
            .filter(|to| !reached.contains(to))
            .collect();
        if next.is_empty() {
            return reached;
        }
        reached.extend(next);
    }
}

/// What a compiled graph promises to who walks it.
fn assert_sound(graph: &Graph) {
    let reachable = reached(graph, &graph.start().id);
    for node in graph.nodes() {
        let by_runtime = node.terminal && [CLEANUP, ESCALATED].contains(&node.id.as_str());
        assert!(by_runtime || reachable.contains(node.id.as_str()), "{} cannot be reached", node.id);
        let ends = reached(graph, &node.id).into_iter().any(|id| graph.node(id).unwrap().terminal);
        assert!(ends, "no walk ends from {}", node.id);
        let out = graph.edges().iter().filter(|edge| edge.from == node.id);
        assert!(!node.terminal || out.clone().count() == 0, "{} is an end and goes on", node.id);
        let outcomes: BTreeSet<&str> = out.clone().map(|edge| edge.on.as_str()).collect();
        assert_eq!(outcomes.len(), out.count(), "{} goes two ways", node.id);
        assert_eq!(outcomes.contains(SKIPPED), node.skippable, "{}", node.id);
        assert!(!node.opt_in || node.skippable);
        assert!(!(node.required && node.skippable));
        assert!(!(node.terminal && node.skippable));

        let mut here = node;
        for _ in graph.nodes() {
            here = graph.next(&here.id, SKIPPED).unwrap_or(here);
        }
        assert!(!here.skippable, "skips from {} never end", node.id);
    }
    for edge in graph.edges() {
        assert!(graph.node(&edge.from).is_some() && graph.node(&edge.to).is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_graph_that_compiles_can_be_walked_to_its_end(yaml in graph()) {
        if let Ok(graph) = Graph::compile("g.yaml", &yaml, &registry()) {
            assert_sound(&graph);
        }
    }

    #[test]
    fn any_text_is_answered(text in ".{0,400}") {
        let _ = Graph::compile("g.yaml", &text, &registry());
    }

    #[test]
    fn a_shipped_graph_with_a_piece_of_it_elsewhere_is_answered(
        from in 0..WORK_ITEM_LOOP.len(),
        len in 0..200_usize,
        to in 0..WORK_ITEM_LOOP.len(),
    ) {
        let piece = WORK_ITEM_LOOP.get(from..(from + len).min(WORK_ITEM_LOOP.len())).unwrap_or_default();
        let mut text = WORK_ITEM_LOOP.to_owned();
        text.insert_str(to, piece);
        let _ = Graph::compile("g.yaml", &text, &registry());
    }
}

#[test]
fn many_of_the_random_graphs_compile() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let compiles = (0..300)
        .filter(|_| {
            let yaml = graph().new_tree(&mut runner).unwrap().current();
            Graph::compile("g.yaml", &yaml, &registry()).is_ok()
        })
        .count();
    assert!(compiles > 30, "only {compiles}");
}
