//! What holds of every walk: any verbs, in any order, with anything that chains may decide, through any graph.

use std::fmt::Write as _;

use indexmap::IndexSet;
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::event::Via;
use crate::graph::{ESCALATED, SKIPPED};
use crate::hook::HookRegistry;

const ITEM: &str = "issue-42";

/// More chains than this no verb may ask for, in graphs of the size that are drawn.
const CHAINS: usize = 64;

/// A node as it is drawn: whose it is, whether it can be skipped, is to be opted in, and where its further edges lead.
#[derive(Debug, Clone)]
struct Drawn {
    actor: &'static str,
    skippable: bool,
    opt_in: bool,
    back: Option<Index>,
    leap: Option<Index>,
    skip: Index,
}

fn a_node() -> impl Strategy<Value = Drawn> {
    let actor = prop::sample::select(vec!["agent", "human", "code"]);
    let edge = || prop::option::of(any::<Index>());
    (actor, any::<bool>(), any::<bool>(), edge(), edge(), any::<Index>()).prop_map(
        |(actor, skippable, opt_in, back, leap, skip)| Drawn { actor, skippable, opt_in, back, leap, skip },
    )
}

/// A line of nodes with edges back and leaps ahead.
fn a_graph() -> impl Strategy<Value = Graph> {
    (prop::collection::vec(a_node(), 1..7), any::<bool>()).prop_map(|(nodes, escalated)| {
        let yaml = yaml(&nodes, escalated);
        Graph::compile("drawn.yaml", &yaml, &HookRegistry::empty())
            .unwrap_or_else(|faults| panic!("{faults}\n{yaml}"))
    })
}

fn yaml(nodes: &[Drawn], escalated: bool) -> String {
    let (mut text, mut edges) = ("graph: drawn\nnodes:\n".to_owned(), String::new());
    for (place, node) in nodes.iter().enumerate() {
        let Drawn { actor, skippable, opt_in, .. } = node;
        let opt_in = *skippable && *opt_in;
        let _ =
            writeln!(text, "  - {{ id: n{place}, actor: {actor}, skippable: {skippable}, optIn: {opt_in} }}");
        let ahead = |index: &Index| place + 1 + index.index(nodes.len() - place);
        let mut edge = |to: usize, on: &str| {
            let _ = writeln!(edges, "  - {{ from: n{place}, to: n{to}, on: {on} }}");
        };
        edge(place + 1, "pass");
        if *skippable {
            edge(ahead(&node.skip), SKIPPED);
        }
        node.back.iter().for_each(|index| edge(index.index(place + 1), "back"));
        node.leap.iter().for_each(|index| edge(ahead(index), "leap"));
    }
    let _ = writeln!(text, "  - {{ id: n{}, actor: agent, terminal: true }}", nodes.len());
    if escalated {
        let _ = writeln!(text, "  - {{ id: {ESCALATED}, actor: human, terminal: true }}");
    }
    format!("{text}edges:\n{edges}")
}

#[derive(Debug, Clone)]
enum Verb {
    Start,
    Advance { by_comments: bool },
    Complete(Name),
    Skip(Vec<Name>),
    Force(Name),
    Ask,
    Reply,
}

/// A node of the graph, the one where the item stands, or none at all.
#[derive(Debug, Clone)]
enum Name {
    Current,
    Node(Index),
    Invented,
}

impl Name {
    fn of(&self, graph: &Graph, state: &ItemState) -> String {
        match self {
            Self::Current => state.current_node.clone(),
            Self::Node(index) => graph.nodes().nth(index.index(graph.nodes().len())).unwrap().id.clone(),
            Self::Invented => "invented".to_owned(),
        }
    }
}

fn a_name() -> impl Strategy<Value = Name> {
    prop_oneof![
        4 => Just(Name::Current),
        4 => any::<Index>().prop_map(Name::Node),
        1 => Just(Name::Invented),
    ]
}

fn a_verb() -> impl Strategy<Value = Verb> {
    prop_oneof![
        1 => Just(Verb::Start),
        5 => any::<bool>().prop_map(|by_comments| Verb::Advance { by_comments }),
        8 => a_name().prop_map(Verb::Complete),
        2 => prop::collection::vec(a_name(), 0..3).prop_map(Verb::Skip),
        2 => a_name().prop_map(Verb::Force),
        1 => Just(Verb::Ask),
        1 => Just(Verb::Reply),
    ]
}

fn a_decision() -> impl Strategy<Value = Heard> {
    let outcome = prop::sample::select(vec!["pass", "pass", "pass", "back", "leap", "unheard-of"]);
    let messages = || prop::sample::select(vec!["a", "b"]).prop_map(|text| vec![text.to_owned()]);
    let decision = prop_oneof![
        6 => outcome.prop_map(|outcome| Decision::Pass { outcome: outcome.to_owned() }),
        1 => messages().prop_map(|messages| Decision::Wait { messages }),
        2 => messages().prop_map(|messages| Decision::Block { hook: "gate".to_owned(), messages }),
    ];
    let nodes = || prop::collection::vec(0..9usize, 0..4);
    let selection = (nodes(), nodes()).prop_map(|(unticked, opted_in)| Selection {
        by: "@owner".to_owned(),
        unticked: unticked.into_iter().map(|place| format!("n{place}")).collect(),
        opted_in: opted_in.into_iter().map(|place| format!("n{place}")).collect(),
        rejected: Vec::new(),
    });
    (decision, prop::option::weighted(0.2, selection)).prop_map(|(decision, selection)| Heard {
        decision,
        selection,
        account: None,
    })
}

/// An item with all that was ever told of it.
struct Told<'g> {
    graph: &'g Graph,
    state: Option<ItemState>,
    pointer: Option<String>,
}

impl Told<'_> {
    /// Carries a verb out, with what the chains decide that it asks for.
    fn carry_out(&mut self, verb: &Verb, decisions: &mut dyn Iterator<Item = Heard>) {
        let before = self.state.clone();
        let begun = before.clone().map(|state| Walk::resume(self.graph, ITEM, state).unwrap());
        let mut walk = begun.unwrap_or_else(|| Walk::new(self.graph, ITEM));
        let mut step = match &before {
            Some(state) => begin(&mut walk, verb, state),
            None => walk.start(),
        };
        let mut told = Vec::new();
        for _ in 0..CHAINS {
            told.append(&mut step.events);
            match step.next {
                Next::Run(chain) => step = walk.heard(chain, decisions.next().unwrap()),
                Next::Answer(envelope) => return self.over(before.as_ref(), walk.state, &told, &envelope),
            }
        }
        panic!("{verb:?} does not end");
    }

    fn over(
        &mut self,
        before: Option<&ItemState>,
        after: ItemState,
        told: &[ProcessEvent],
        envelope: &Envelope,
    ) {
        for event in told {
            self.follow(event);
        }
        assert_eq!(
            self.pointer.as_ref(),
            Some(&after.current_node),
            "the events tell another walk: {told:?}"
        );
        assert_eq!(envelope.current_node, after.current_node);
        assert!(!after.behind.contains(&after.current_node));
        let node = check_state(self.graph, ITEM, &after).unwrap();
        assert_eq!(node.skip_of(&after), None, "it stands at a node that is skipped");
        assert!(after.attempts.count <= node.max_attempts);
        if let Verdict::Noop | Verdict::Refused = envelope.status {
            assert_eq!(before, Some(&after), "{envelope:?}");
            let rejected = |event: &ProcessEvent| matches!(event, ProcessEvent::SkipsRejected { .. });
            assert!(told.iter().all(rejected), "{told:?}");
        }
        let json = serde_json::to_string(&after).unwrap();
        assert_eq!(serde_json::from_str::<ItemState>(&json).unwrap(), after);
        self.state = Some(after);
    }

    /// Moves the pointer of someone who only knows the events.
    fn follow(&mut self, event: &ProcessEvent) {
        let stands_at = |pointer: &Option<String>, node: &String| {
            assert_eq!(pointer.as_ref(), Some(node), "told of another node: {event:?}");
        };
        match event {
            ProcessEvent::Started { node } => {
                assert_eq!(self.pointer, None, "started twice");
                self.pointer = Some(node.clone());
            }
            ProcessEvent::Advanced { node, to, outcome } => {
                stands_at(&self.pointer, node);
                let next = self.graph.next(node, outcome).map(|node| &node.id);
                assert_eq!(next, Some(to), "no such edge: {event:?}");
                self.pointer = Some(to.clone());
            }
            ProcessEvent::Forced { node, to, .. } => {
                stands_at(&self.pointer, node);
                self.pointer = Some(to.clone());
            }
            ProcessEvent::Escalated { node, .. } => {
                stands_at(&self.pointer, node);
                if self.graph.node(ESCALATED).is_some() {
                    self.pointer = Some(ESCALATED.to_owned());
                }
            }
            ProcessEvent::NodeSkipped { node, .. }
            | ProcessEvent::Parked { node }
            | ProcessEvent::Blocked { node, .. }
            | ProcessEvent::NoEdge { node, .. }
            | ProcessEvent::Completed { node } => stands_at(&self.pointer, node),
            ProcessEvent::SkipsDeclared { nodes, via, .. } => {
                let place = |node: &String| self.graph.position(node).unwrap();
                assert!(nodes.is_sorted_by_key(place), "{event:?}");
                let opt_in = |node: &String| self.graph.node(node).unwrap().opt_in;
                assert!(
                    *via == Via::Cli || nodes.iter().all(|node| opt_in(node) == (*via == Via::NotSelected))
                );
            }
            ProcessEvent::SkipsRejected { .. }
            | ProcessEvent::HookDegraded { .. }
            | ProcessEvent::AwaitingInput { .. }
            | ProcessEvent::ReplySent { .. } => {}
        }
    }
}

fn begin(walk: &mut Walk<'_>, verb: &Verb, state: &ItemState) -> Step {
    let graph = walk.graph;
    match verb {
        Verb::Start => walk.started_already(),
        Verb::Advance { by_comments } => walk.advance(*by_comments),
        Verb::Complete(name) => walk.complete(&name.of(graph, state), "tester"),
        Verb::Skip(names) => {
            let names: Vec<String> = names.iter().map(|name| name.of(graph, state)).collect();
            walk.skip(&names, "@owner", "")
        }
        Verb::Force(name) => walk.force(&name.of(graph, state), "@owner", "it is stuck"),
        Verb::Ask => walk.refuse_question("which?").unwrap_or_else(|| walk.asked("which?", true)),
        Verb::Reply => walk.replied("owner"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_verbs_in_any_graph_keep_the_walk_whole(
        graph in a_graph(),
        verbs in prop::collection::vec(a_verb(), 1..40),
        decisions in prop::collection::vec(a_decision(), 1..40),
    ) {
        let mut item = Told { graph: &graph, state: None, pointer: None };
        let mut decisions = decisions.into_iter().cycle();
        for verb in &verbs {
            item.carry_out(verb, &mut decisions);
        }
    }

    #[test]
    fn an_item_that_nobody_hinders_comes_to_the_end(graph in a_graph()) {
        let mut item = Told { graph: &graph, state: None, pointer: None };
        let pass = || Heard { decision: Decision::Pass { outcome: "pass".to_owned() }, selection: None, account: None };
        let mut passes = std::iter::repeat_with(pass);
        item.carry_out(&Verb::Start, &mut passes);
        for _ in graph.nodes() {
            item.carry_out(&Verb::Complete(Name::Current), &mut passes);
        }
        let state = item.state.unwrap();
        prop_assert_eq!(state.status, Status::Complete);
        let walked: IndexSet<&String> = state.behind.iter().chain([&state.current_node]).collect();
        let first = &graph.start().id;
        prop_assert!(walked.contains(first));
    }
}
