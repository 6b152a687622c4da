//! Where the pointer goes, and what it leaves behind.

use super::{Cause, Chain, Decision, Next, Walk};
use crate::event::ProcessEvent;
use crate::graph::{Actor, ESCALATED, Node, SKIPPED};
use crate::runtime::Verdict;
use crate::state::{Attempts, Status};

impl<'g> Walk<'g> {
    /// The pointer has come to a node: it goes on until one is to be walked, whose entry chain then runs.
    ///
    /// It ends: no graph compiles that has a circle of `skipped` edges.
    pub(super) fn arrive(&mut self) -> Next {
        while let Some(skip) = self.node.skip_of(&self.state) {
            let node = self.state.current_node.clone();
            self.tell(ProcessEvent::NodeSkipped { node, via: skip.via, by: skip.by });
            if !self.follow(SKIPPED) {
                return self.no_edge(SKIPPED);
            }
        }
        Next::Run(Chain::Entry)
    }

    /// Moves the pointer along the edge of an outcome, if there is one.
    pub(super) fn follow(&mut self, outcome: &str) -> bool {
        let node = self.state.current_node.clone();
        let Some(to) = self.graph.next(&node, outcome) else { return false };
        let back = self.leads_back(to);
        self.tell(ProcessEvent::Advanced {
            node: node.clone(),
            to: to.id.clone(),
            outcome: outcome.to_owned(),
        });
        if !back {
            self.state.behind.insert(node);
        }
        self.put(to);
        self.moved = true;
        true
    }

    /// Puts the pointer to a node. What was left of the one it stood at is over: its attempts, its question; and what lies from the
    /// new one onward is to be walked again.
    pub(super) fn put(&mut self, to: &'g Node) {
        if self.leads_back(to) {
            let target = self.graph.position(&to.id);
            self.state.behind.retain(|node| self.graph.position(node) < target);
        }
        self.moved |= self.node.id != to.id;
        self.node = to;
        self.state.current_node.clone_from(&to.id);
        self.state.attempts = Attempts::default();
        self.state.question = None;
        self.state.entry_refused = true;
        self.stand_as(Status::Running);
    }

    /// No edge is on an outcome: the graph's fault, so it is no attempt of the node.
    pub(super) fn no_edge(&mut self, outcome: &str) -> Next {
        let node = self.state.current_node.clone();
        self.say(format!("no edge leads from {node} on {outcome:?}"));
        self.tell(ProcessEvent::NoEdge { node, outcome: outcome.to_owned() });
        self.stand_as(Status::Blocked);
        self.answer(Verdict::Block)
    }

    /// An entry chain lets the item in, or leaves it at the door, to be asked again. The pointer has moved either way.
    pub(super) fn entry_heard(&mut self, decision: Decision) -> Next {
        let passed = matches!(decision, Decision::Pass { .. });
        self.state.entry_refused = !passed;
        if passed && self.knocking {
            self.knocking = false;
            return Next::Run(Chain::Exit);
        }
        match decision {
            Decision::Pass { .. } => self.settle(),
            Decision::Wait { messages } => {
                self.park(messages);
                self.answer(Verdict::Wait)
            }
            Decision::Block { hook, messages } => {
                self.refuse(hook, messages);
                self.answer(Verdict::Block)
            }
        }
    }

    /// How an item stands at a node that it has just come to. The work of a code node is its gate, which nobody has to claim.
    fn settle(&mut self) -> Next {
        let node = self.current();
        match node.actor {
            Actor::Human if !node.terminal => self.park(Vec::new()),
            Actor::Code if !node.terminal && self.ran.insert(node.id.clone()) => {
                self.cause = Cause::Event;
                return Next::Run(Chain::Exit);
            }
            Actor::Human | Actor::Agent | Actor::Code => self.stand_as(Status::Running),
        }
        self.answer(Verdict::Pass)
    }

    /// How the item stands from now on; where items are that were given up they stay so.
    pub(super) fn stand_as(&mut self, status: Status) {
        let given_up = self.state.current_node == ESCALATED;
        self.state.status = if given_up { Status::Escalated } else { status };
    }

    fn leads_back(&self, to: &Node) -> bool {
        self.graph.position(&to.id) <= self.graph.position(&self.node.id)
    }
}
