//! What is not to be walked.

use indexmap::IndexSet;

use super::{Next, Step, Text, Walk};
use crate::event::{ProcessEvent, Via};
use crate::graph::Node;
use crate::hook::Selection;
use crate::runtime::Verdict;
use crate::state::{Skip, Status};

/// So many names are taken at once: no graph has as many nodes.
const MOST_NAMES: usize = 1_000;

/// Names that were to be skipped.
#[derive(Default)]
struct Named {
    /// The nodes that can be.
    nodes: IndexSet<String>,
    /// The names that cannot.
    rejected: Vec<String>,
}

impl Walk<'_> {
    /// Declares nodes, or sets of nodes, that are not to be walked.
    pub(in crate::runtime) fn skip(&mut self, names: &[String], by: &str, reason: &str) -> Step {
        let texts = names.iter().map(|name| Text::Name(name)).chain([Text::Name(by), Text::Reason(reason)]);
        let next = if names.len() > MOST_NAMES {
            self.say(format!("{} names are too many; at most {MOST_NAMES} are taken", names.len()));
            self.answer(Verdict::Refused)
        } else if self.refuses(texts) {
            self.answer(Verdict::Refused)
        } else {
            self.skipped(names, said(by), said(reason))
        };
        self.step(next)
    }

    fn skipped(&mut self, names: &[String], by: Option<String>, reason: Option<String>) -> Next {
        if self.state.status == Status::Complete {
            self.say(format!("the walk is over: it was completed at {}", self.state.current_node));
            return self.answer(Verdict::Noop);
        }
        let Named { nodes, rejected } = self.resolve(names);
        if nodes.is_empty() && rejected.is_empty() {
            self.say("no node was named");
            return self.answer(Verdict::Refused);
        }
        let refused = nodes.is_empty();
        let via = Via::Cli;
        if !rejected.is_empty() {
            self.tell(ProcessEvent::SkipsRejected { via, nodes: rejected, by: by.clone() });
        }
        let fresh = |node: &String| !self.state.skips.contains_key(node);
        let nodes = self.in_order(nodes.into_iter().filter(fresh).collect());
        if nodes.is_empty() {
            if !refused {
                self.say("all of them are skipped already");
            }
            return self.answer(if refused { Verdict::Refused } else { Verdict::Noop });
        }
        self.declare(nodes, &Skip { via, by, reason });
        self.verdict = Some(Verdict::Pass);
        if self.state.skips.contains_key(&self.state.current_node) {
            self.arrive()
        } else {
            self.answer(Verdict::Pass)
        }
    }

    /// Takes a selection over. It takes the place of an earlier one, but not of what was skipped by hand.
    pub(super) fn select(&mut self, selection: Selection) {
        self.state.skips.retain(|_, skip| skip.via == Via::Cli);
        let by = said(&selection.by);
        let can = |node: &&String| self.graph.node(node).is_some_and(|node| refusal(node).is_none());
        let (unticked, not): (Vec<_>, Vec<_>) = selection.unticked.iter().partition(can);
        let rejected: Vec<String> = selection.rejected.iter().chain(not).cloned().collect();
        let opt_in = |id: &str| self.graph.node(id).is_some_and(|node| node.opt_in);
        let fresh = |id: &str| !self.state.skips.contains_key(id);
        let unticked: IndexSet<String> =
            unticked.into_iter().filter(|id| !opt_in(id) && fresh(id)).cloned().collect();
        self.state.opted_in = selection.opted_in.into_iter().filter(|id| opt_in(id)).collect();
        let lacking = self.graph.nodes().filter(|node| node.opt_in && fresh(&node.id));
        let lacking: IndexSet<String> =
            lacking.map(|node| node.id.clone()).filter(|id| !self.state.opted_in.contains(id)).collect();
        for (nodes, via, by) in [(unticked, Via::Selection, by.clone()), (lacking, Via::NotSelected, None)] {
            if !nodes.is_empty() {
                let nodes = self.in_order(nodes);
                self.declare(nodes, &Skip { via, by, reason: None });
            }
        }
        if !rejected.is_empty() {
            self.tell(ProcessEvent::SkipsRejected { via: Via::Selection, nodes: rejected, by });
        }
    }

    fn declare(&mut self, nodes: Vec<String>, skip: &Skip) {
        for node in &nodes {
            self.state.opted_in.shift_remove(node);
            self.state.skips.insert(node.clone(), skip.clone());
        }
        let Skip { via, by, reason } = skip.clone();
        self.tell(ProcessEvent::SkipsDeclared { via, nodes, by, reason });
    }

    fn resolve(&mut self, names: &[String]) -> Named {
        let mut resolved = Named::default();
        let graph = self.graph;
        for name in names {
            let set = graph.skip_sets().find(|(set, _)| set == name).map(|(_, nodes)| nodes);
            for id in set.unwrap_or(std::slice::from_ref(name)) {
                match graph.node(id).map(refusal) {
                    Some(None) => {
                        resolved.nodes.insert(id.clone());
                        continue;
                    }
                    Some(Some(why)) => self.say(format!("{id} cannot be skipped: {why}")),
                    None => self.say_unknown(id),
                }
                resolved.rejected.push(id.clone());
            }
        }
        resolved
    }

    fn in_order(&self, nodes: IndexSet<String>) -> Vec<String> {
        let mut nodes: Vec<String> = nodes.into_iter().collect();
        nodes.sort_by_key(|node| self.graph.position(node));
        nodes
    }
}

/// Why a node cannot be skipped; none if it can.
fn refusal(node: &Node) -> Option<&'static str> {
    if node.required {
        Some("it is required")
    } else if node.terminal {
        Some("the walk ends there")
    } else {
        (!node.skippable).then_some("it is not skippable")
    }
}

fn said(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
