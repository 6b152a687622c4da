//! The graphs that come with the crate, stated once more: nobody changes one by accident.

use windtunnel_doc::{Document, Format, Limits, Node as Value, NodeValue};
use windtunnel_process::graph::{Actor, Node, PR_LOOP, WORK_ITEM_LOOP, pr_loop, work_item_loop};

/// A node in one line: `id [phase] actor flags produces`.
fn in_words(node: &Node) -> String {
    let actor = match node.actor {
        Actor::Agent => "agent",
        Actor::Human => "human",
        Actor::Code => "code",
    };
    let flags = [
        (node.required, "required"),
        (node.optional, "optional"),
        (node.skippable, "skippable"),
        (node.opt_in, "opt-in"),
        (node.terminal, "terminal"),
    ];
    let phase = node.phase.as_ref().map(|phase| format!("[{phase}]"));
    let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, name)| name.to_owned());
    let produces = node.produces.iter().map(ToString::to_string);
    let words =
        [node.id.clone()].into_iter().chain(phase).chain([actor.to_owned()]).chain(flags).chain(produces);
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_nodes_of_the_work_item_loop_are_these() {
    let graph = work_item_loop().unwrap();
    assert_eq!(graph.id(), "pdlc-work-item-loop");
    assert!(graph.nodes().all(|node| node.max_attempts == 3));
    assert_eq!(
        graph.nodes().map(in_words).collect::<Vec<_>>(),
        [
            "phase-selection [phase-selection] human required",
            "brainstorming [brainstorming] agent optional skippable brainstorm.md",
            "requirements-definition [requirements-definition] agent skippable requirements.md|bugfix.md",
            "requirements-approval human skippable",
            "design [design] agent skippable design.md",
            "design-critic-review agent skippable opt-in",
            "test-planning [test-planning] agent skippable testing-plan.md",
            "design-approval human skippable",
            "tasks-breakdown [tasks-breakdown] agent skippable tasks.md",
            "implementation [implementation] agent skippable tasks.md",
            "verification [verification] agent skippable testing-plan.md",
            "self-review [needs-review] agent skippable",
            "critic-review agent skippable",
            "security-review agent skippable",
            "evidence agent skippable",
            "capability-docs agent skippable",
            "reviewer-briefing agent skippable",
            "human-approval human skippable",
            "complete [complete] agent terminal",
            "cleanup [cleanup] code terminal",
            "escalated human terminal",
        ]
    );
}

#[test]
fn the_edges_of_the_work_item_loop_lead_forward_and_three_lead_back() {
    let graph = work_item_loop().unwrap();
    let mut expected = Vec::new();
    let nodes: Vec<&Node> = graph.nodes().collect();
    for pair in nodes.windows(2).take_while(|pair| !pair[0].terminal) {
        let outcomes: &[&str] = match (pair[0].id.as_str(), pair[0].actor) {
            ("phase-selection", _) => &["selected"],
            (_, Actor::Human) => &["approved", "approved-with-comments", "skipped"],
            (_, Actor::Agent | Actor::Code) => &["pass", "skipped"],
        };
        expected.extend(outcomes.iter().map(|on| format!("{} {on} {}", pair[0].id, pair[1].id)));
    }
    expected.extend(
        [
            "requirements-approval changes-requested requirements-definition",
            "design-approval changes-requested design",
            "human-approval changes-requested implementation",
        ]
        .map(str::to_owned),
    );
    expected.sort();
    let mut edges: Vec<String> =
        graph.edges().iter().map(|edge| format!("{} {} {}", edge.from, edge.on, edge.to)).collect();
    edges.sort();
    assert_eq!(edges, expected);
    assert_eq!(edges.len(), 41);
}

#[test]
fn the_skip_sets_are_the_specification_and_the_reviews() {
    let graph = work_item_loop().unwrap();
    let between = |from: &str, to: &str| -> Vec<String> {
        let (from, to) = (graph.position(from).unwrap(), graph.position(to).unwrap());
        let nodes = graph.nodes().skip(from).take(to - from + 1);
        nodes.filter(|node| !node.opt_in).map(|node| node.id.clone()).collect()
    };
    let expected = [
        ("spec-chain", between("brainstorming", "tasks-breakdown")),
        ("review-chain", between("self-review", "reviewer-briefing")),
    ];
    let sets: Vec<(&str, Vec<String>)> =
        graph.skip_sets().map(|(name, nodes)| (name, nodes.to_vec())).collect();
    assert_eq!(sets, expected);
}

/// The chains of a graph as they are written, each hook with its parameters.
fn chains(yaml: &str, chain: &str) -> String {
    let document = Document::parse("graph.yaml", yaml, Format::Yaml, &Limits::default()).unwrap();
    let elements = |value: Option<&Value>| match value.map(|value| value.value.clone()) {
        Some(NodeValue::Seq(elements)) => elements,
        _ => Vec::new(),
    };
    let separator = if chain == "exit" { "\n  " } else { " " };
    let mut text = String::new();
    for node in elements(document.root().get("nodes")) {
        text.push_str(node.get("id").and_then(Value::as_str).unwrap());
        for hook in elements(node.get(chain)) {
            let hook = hook.as_str().map_or_else(|| hook.to_json().to_string(), str::to_owned);
            text.push_str(separator);
            text.push_str(&hook);
        }
        text.push('\n');
    }
    text
}

#[test]
fn who_comes_to_a_node_is_told_in_this_order() {
    insta::assert_snapshot!(chains(WORK_ITEM_LOOP, "entry"));
}

#[test]
fn the_gates_of_the_work_item_loop_are_these() {
    insta::assert_snapshot!(chains(WORK_ITEM_LOOP, "exit"));
}

#[test]
fn a_pull_request_is_checked_reviewed_and_merged() {
    let graph = pr_loop().unwrap();
    assert_eq!(graph.id(), "pdlc-pr-loop");
    assert_eq!(
        graph.nodes().map(in_words).collect::<Vec<_>>(),
        [
            "opened agent",
            "checks code",
            "review human",
            "merged agent",
            "complete code terminal",
            "escalated human terminal",
        ]
    );
    assert_eq!(
        graph.edges().iter().map(|edge| format!("{} {} {}", edge.from, edge.on, edge.to)).collect::<Vec<_>>(),
        [
            "opened pass checks",
            "checks pass review",
            "review approved merged",
            "review approved-with-comments merged",
            "review changes-requested opened",
            "merged pass complete",
        ]
    );
    insta::assert_snapshot!(chains(PR_LOOP, "entry") + "\n" + &chains(PR_LOOP, "exit"));
}
