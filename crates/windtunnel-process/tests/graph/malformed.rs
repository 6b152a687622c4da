//! Each fault of a graph, with all that is said of it. A snapshot has the graph, and below it its faults.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use windtunnel_process::Graph;

use crate::hooks::registry;

fn faults(yaml: &str) -> String {
    Graph::compile("graph.yaml", yaml, &registry())
        .map_or_else(|faults| faults.to_string(), |_| String::new())
}

/// One test per graph.
macro_rules! malformed {
    ($($name:ident: $yaml:expr;)*) => {$(
        #[test]
        fn $name() {
            let yaml = $yaml;
            let shown = format!("{}\n--------\n{}", yaml.trim_matches('\n'), faults(yaml.trim_start_matches('\n')));
            insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(shown) });
        }
    )*};
}

malformed! {
    an_empty_file: "";

    a_list_at_the_top: "- graph: g\n";

    no_yaml: "graph: [g\nnodes: }\n";

    missing_keys: "{}\n";

    unknown_keys_with_what_was_probably_meant: "
graph: g
node: []
nodes:
  - { id: a, actor: agent, skipable: true }
  - { id: z, actor: agent, terminal: true, colour: red }
edges:
  - { from: a, to: z, on: pass, when: never }
";

    wrong_types: "
graph: 7
nodes:
  - { id: [a], actor: agent, optional: 'yes', maxAttempts: many, produces: a.md }
  - { id: z, actor: agent, terminal: true, entry: note, exit: { gate: {} } }
  - note
skipSets:
  all: a
edges:
  - { from: 1, to: z, on: { outcome: pass } }
  - { from: a, to: z, on: [1] }
";

    lists_that_are_maps: "
graph: g
nodes: { a: { actor: agent } }
skipSets: [a]
edges: { a: z }
";

    an_actor_that_nobody_is: "
graph: g
nodes:
  - { id: a, actor: agnet }
  - { id: z, actor: robot, terminal: true }
edges:
  - { from: a, to: z, on: pass }
";

    no_nodes: "
graph: g
nodes: []
edges: []
";

    names_that_are_none: "
graph: my graph
nodes:
  - { id: ~a, actor: agent }
  - { id: '', actor: agent }
  - { id: -z, actor: agent, terminal: true, phase: ' ' }
skipSets:
  'the lot': []
edges:
  - { from: '~a', to: '', on: pass }
  - { from: '', to: -z, on: pass }
";

    a_duplicate_id: "
graph: g
nodes:
  - { id: a, actor: agent }
  - { id: b, actor: agent }
  - { id: a, actor: human }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: b, on: pass }
  - { from: b, to: z, on: pass }
";

    a_duplicate_key: "
graph: g
nodes:
  - { id: a, actor: agent, actor: human }
graph: h
edges: []
";

    an_unknown_hook: "
graph: g
nodes:
  - { id: a, actor: agent, entry: [notes], exit: [{ gaet: { locked: true } }, validate] }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: z, on: pass }
";

    wrong_parameters_of_hooks: "
graph: g
nodes:
  - id: a
    actor: agent
    entry:
      - note: { message: hello }
    exit:
      - gate:
          locked: 1
          lokced: true
          artifacts: [a.md, ../b.md]
      - gate: locked
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: z, on: pass }
";

    a_hook_that_names_no_node: "
graph: g
nodes:
  - { id: design, actor: agent, exit: [{ gate: { onlyWhenSkipped: desing } }] }
  - { id: z, actor: agent, terminal: true, exit: [{ gate: { onlyWhenSkipped: planning } }] }
edges:
  - { from: design, to: z, on: pass }
";

    steps_of_a_chain_that_are_no_hooks: "
graph: g
nodes:
  - id: a
    actor: agent
    entry: ['', 7, [note], {}, ~]
    exit:
      - note: {}
        gate: {}
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: z, on: pass }
";

    an_edge_to_a_missing_node: "
graph: g
nodes:
  - { id: implementation, actor: agent }
  - { id: complete, actor: agent, terminal: true }
edges:
  - { from: implementation, to: compete, on: pass }
  - { from: verification, to: complete, on: pass }
";

    an_edge_out_of_a_terminal: "
graph: g
nodes:
  - { id: a, actor: agent }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: z, on: pass }
  - { from: z, to: a, on: pass }
";

    two_edges_on_one_outcome: "
graph: g
nodes:
  - { id: a, actor: human }
  - { id: b, actor: agent }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: b, on: [approved, approved] }
  - { from: a, to: z, on: [approved-with-comments, approved] }
  - { from: b, to: z, on: pass }
";

    outcomes_that_are_none: "
graph: g
nodes:
  - { id: a, actor: agent }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: z, on: pass }
  - { from: a, to: z, on: '' }
  - { from: a, to: z, on: [] }
";

    an_unreachable_node: "
graph: g
nodes:
  - { id: a, actor: agent }
  - { id: b, actor: agent }
  - { id: z, actor: agent, terminal: true }
  - { id: cleanup, actor: code, terminal: true }
  - { id: escalated, actor: human, terminal: true }
  - { id: aborted, actor: human, terminal: true }
edges:
  - { from: a, to: z, on: pass }
  - { from: b, to: a, on: pass }
";

    escalated_is_entered_by_the_runtime_only_as_a_terminal: "
graph: g
nodes:
  - { id: a, actor: agent }
  - { id: escalated, actor: human }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: z, on: pass }
  - { from: escalated, to: z, on: approved }
";

    a_walk_that_cannot_go_on: "
graph: g
nodes:
  - { id: a, actor: agent }
  - { id: stuck, actor: agent }
  - { id: ping, actor: agent }
  - { id: pong, actor: agent }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: z, on: pass }
  - { from: a, to: stuck, on: stuck }
  - { from: a, to: ping, on: ping }
  - { from: ping, to: pong, on: pass }
  - { from: pong, to: ping, on: pass }
";

    no_terminal_at_all: "
graph: g
nodes:
  - { id: a, actor: agent }
  - { id: b, actor: agent }
  - { id: escalated, actor: human, terminal: true }
edges:
  - { from: a, to: b, on: pass }
";

    skippable_without_an_edge_on_skipped: "
graph: g
nodes:
  - { id: a, actor: agent, skippable: true }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: z, on: pass }
";

    an_edge_on_skipped_that_nothing_goes: "
graph: g
nodes:
  - { id: a, actor: agent, required: true }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: z, on: [pass, skipped] }
";

    flags_that_contradict_each_other: "
graph: g
nodes:
  - { id: a, actor: agent, required: true, skippable: true }
  - { id: b, actor: agent, optIn: true }
  - { id: c, actor: agent, required: true, optIn: true }
  - { id: z, actor: agent, terminal: true, skippable: true, maxAttempts: 0 }
edges:
  - { from: a, to: b, on: [pass, skipped] }
  - { from: b, to: c, on: pass }
  - { from: c, to: z, on: pass }
";

    artifacts_that_are_none_or_the_same: "
graph: g
nodes:
  - { id: a, actor: agent, produces: [docs/a.md, 'a.md|', .hidden] }
  - { id: b, actor: agent, produces: [requirements.md|bugfix.md, bugfix.md] }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: b, on: pass }
  - { from: b, to: z, on: pass }
";

    skip_sets_of_what_cannot_be_skipped: "
graph: g
nodes:
  - { id: first, actor: human, required: true }
  - { id: design, actor: agent, skippable: true }
  - { id: critic, actor: agent, skippable: true, optIn: true }
  - { id: build, actor: agent }
  - { id: z, actor: agent, terminal: true }
skipSets:
  chain: [first, design, critic, build, desing, other, design, z]
  design: [design]
  none: []
edges:
  - { from: first, to: design, on: pass }
  - { from: design, to: critic, on: [pass, skipped] }
  - { from: critic, to: build, on: [pass, skipped] }
  - { from: build, to: z, on: pass }
";

    skips_that_go_in_a_circle: "
graph: g
nodes:
  - { id: start, actor: agent, skippable: true }
  - { id: ping, actor: agent, skippable: true }
  - { id: pong, actor: agent, skippable: true }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: start, to: ping, on: [pass, skipped] }
  - { from: ping, to: pong, on: [pass, skipped] }
  - { from: pong, to: ping, on: skipped }
  - { from: pong, to: z, on: pass }
";

    several_faults_of_several_kinds: "
graph: g
nodes:
  - { id: a, actor: agent, required: true, skippable: true, exit: [gaet] }
  - { id: b, actor: nobody }
  - { id: b, actor: agent, entry: [{ gate: { locked: 1 } }] }
  - { id: c, actor: agent, exti: [note] }
  - { id: z, actor: agent, terminal: true }
skipSets:
  all: [a, q]
edges:
  - { from: a, to: b, on: [pass, skipped] }
  - { from: b, to: x, on: pass }
  - { from: z, to: a, on: again }
";

    a_misspelt_end_of_an_edge_hides_nothing_else: "
graph: g
nodes:
  - { id: first, actor: agent }
  - { id: second, actor: agent, skippable: true }
  - { id: other, actor: agent }
  - { id: last, actor: agent, terminal: true }
edges:
  - { from: first, to: secnod, on: pass }
  - { from: second, to: last, on: pass }
";

    an_unreadable_node_is_a_node_all_the_same: "
graph: g
nodes:
  - { id: a, actor: agent }
  - { id: b, actor: agent, maxAttempts: -1, exit: [nota] }
  - { id: z, actor: agent, terminal: true }
edges:
  - { from: a, to: b, on: pass }
  - { from: b, to: y, on: pass }
";

    a_second_document: "
graph: g
nodes: []
---
graph: h
";
}

#[test]
fn aliases_cannot_stand_for_more_than_a_file_may_hold() {
    let mut yaml = "graph: g\nnodes:\n".to_owned();
    yaml.push_str("  - &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..9 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        let _ = writeln!(yaml, "  - &a{level} [{}]", below.trim_end_matches(", "));
    }
    insta::assert_snapshot!(faults(&yaml));
}

#[test]
fn an_anchor_that_holds_itself_is_refused() {
    insta::assert_snapshot!(faults("graph: g\nnodes: &nodes\n  - *nodes\n"));
}

#[test]
fn a_graph_is_no_deeper_than_parameters_of_hooks_go() {
    let deep = format!("graph: g\nnodes:\n  - {}{}\n", "[".repeat(40), "]".repeat(40));
    insta::assert_snapshot!(faults(&deep));
}

#[test]
fn a_large_file_is_refused_unread() {
    let large = format!("graph: g\n# {}\nnodes: []\n", "x".repeat(256 * 1024));
    insta::assert_snapshot!(faults(&large));
}

#[test]
fn more_values_than_a_graph_has_are_refused() {
    let many = format!("graph: g\nnodes:\n{}", "  - { id: a, actor: agent }\n".repeat(5_000));
    insta::assert_snapshot!(faults(&many));
}

#[test]
fn more_faults_than_anybody_reads_are_not_listed() {
    let yaml = format!("graph: g\nnodes: []\nedges:\n{}", "  - { from: a, to: b }\n".repeat(200));
    let faults = faults(&yaml);
    assert_eq!(faults.lines().count(), 51, "{faults}");
    assert!(faults.ends_with("there are more faults than these 50"), "{faults}");
}

#[test]
fn what_was_meant_is_not_looked_for_without_end() {
    let mut yaml = "graph: g\nnodes:\n".to_owned();
    for n in 0..1_500 {
        let _ = writeln!(yaml, "  - {{ id: node-of-some-length-{n}, actor: agent }}");
    }
    yaml.push_str("edges:\n");
    for n in 0..1_000 {
        let _ = writeln!(yaml, "  - {{ from: node-of-sane-length-x{n}, to: y, on: pass }}");
    }
    yaml.push_str("skipSets:\n  all:\n");
    for n in 0..1_000 {
        let _ = writeln!(yaml, "    - node-of-sane-length-y{n}");
    }
    let begun = Instant::now();
    assert!(Graph::compile("graph.yaml", &yaml, &registry()).is_err());
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}
