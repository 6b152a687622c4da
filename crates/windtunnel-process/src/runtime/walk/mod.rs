//! How an item walks through its graph: what each verb and each decision of a chain means for its state and its events.
//!
//! Nothing here reads, writes or waits. A verb is a call on a [`Walk`]; it returns a [`Step`]: what happened, and what there is to do
//! next: to run a chain and say what came of it ([`Walk::heard`]), or to answer.

mod by_hand;
mod gate;
mod pointer;
mod question;
mod skips;

#[cfg(test)]
mod properties;

use std::collections::HashSet;

use super::chain::{Decision, Heard};
use super::{Envelope, Verdict};
use crate::event::ProcessEvent;
use crate::graph::{Graph, Node};
use crate::hook::Selection;
use crate::state::{ItemState, Status};

/// A chain of the current node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chain {
    /// What runs when the pointer comes here.
    Entry,
    /// The gate.
    Exit,
}

/// What happened, and what there is to do next.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// What happened, to be told before anything else is done.
    pub(super) events: Vec<ProcessEvent>,
    /// What there is to do.
    pub(super) next: Next,
}

/// What there is to do next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// To run this chain, and say what came of it.
    Run(Chain),
    /// To keep the state and give this answer.
    Answer(Envelope),
}

/// What the exit chain is run for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// Something happened. A block is no attempt.
    Event,
    /// A claim.
    Claim,
}

/// A question, a reason or a name may have so many bytes: they are kept in the state, which has a limit of its own.
const LONGEST_TEXT: usize = 16 << 10;

/// An item on its walk, for the time of one verb.
#[derive(Debug)]
pub(super) struct Walk<'g> {
    graph: &'g Graph,
    state: ItemState,
    cause: Cause,
    /// Whether the node's entry chain refused it before, and is asked again before its gate.
    knocking: bool,
    /// The nodes whose gates were asked. No verb asks that of a code node twice, so that every verb ends.
    ran: HashSet<String>,
    /// What the verb itself came to, whatever happens where the pointer went.
    verdict: Option<Verdict>,
    events: Vec<ProcessEvent>,
    /// The node that the verb is about.
    about: String,
    /// The outcome of the edge that its gate chose.
    outcome: Option<String>,
    moved: bool,
    messages: Vec<String>,
}

impl<'g> Walk<'g> {
    /// An item that was not started, at the node where a walk begins.
    pub(super) fn new(graph: &'g Graph, work_item: &str) -> Self {
        let state = ItemState::at(graph.id(), work_item, &graph.start().id);
        Self::of(graph, ItemState { entry_refused: true, ..state })
    }

    /// An item that stands somewhere in this graph.
    pub(super) fn of(graph: &'g Graph, state: ItemState) -> Self {
        let node = state.current_node.clone();
        Self {
            graph,
            state,
            cause: Cause::Event,
            knocking: false,
            ran: HashSet::new(),
            verdict: None,
            events: Vec::new(),
            about: node,
            outcome: None,
            moved: false,
            messages: Vec::new(),
        }
    }

    /// Where the item stands.
    pub(super) fn state(&self) -> &ItemState {
        &self.state
    }

    /// Begins the walk.
    pub(super) fn start(&mut self) -> Step {
        self.tell(ProcessEvent::Started { node: self.state.current_node.clone() });
        self.moved = true;
        self.verdict = Some(Verdict::Pass);
        let next = self.arrive();
        self.step(next)
    }

    /// Begins a walk that was begun.
    pub(super) fn started_already(&mut self) -> Step {
        self.say(format!("the item was started, and stands at {}", self.state.current_node));
        let next = self.answer(Verdict::Noop);
        self.step(next)
    }

    /// What a chain that was to be run has come to.
    pub(super) fn heard(&mut self, chain: Chain, heard: Heard) -> Step {
        let Heard { decision, selection, account } = heard;
        if account.is_some() {
            self.state.account = account;
        }
        let next = match chain {
            Chain::Entry => self.entry_heard(decision),
            Chain::Exit => self.exit_heard(decision, selection),
        };
        self.step(next)
    }

    fn exit_heard(&mut self, decision: Decision, selection: Option<Selection>) -> Next {
        match decision {
            Decision::Pass { outcome } => self.passed(outcome, selection),
            Decision::Wait { messages } => {
                self.park(messages);
                self.answer(Verdict::Wait)
            }
            Decision::Block { hook, messages } => self.blocked(hook, messages),
        }
    }

    /// The node where the item stands. A state is only read if the graph has all of its nodes.
    pub(super) fn current(&self) -> &'g Node {
        self.graph.node(&self.state.current_node).unwrap_or_else(|| self.graph.start())
    }

    fn park(&mut self, messages: Vec<String>) {
        self.tell(ProcessEvent::Parked { node: self.state.current_node.clone() });
        self.stand_as(Status::Waiting);
        self.messages.extend(messages);
    }

    fn tell(&mut self, event: ProcessEvent) {
        self.events.push(event);
    }

    fn say(&mut self, message: impl Into<String>) {
        self.messages.push(message.into());
    }

    /// Whether a text is too long to be kept, which is then said.
    fn is_too_long(&mut self, what: &str, text: &str) -> bool {
        let too_long = text.len() > LONGEST_TEXT;
        if too_long {
            self.say(format!("{what} has {} bytes; at most {LONGEST_TEXT} are kept", text.len()));
        }
        too_long
    }

    fn answer(&mut self, verdict: Verdict) -> Next {
        Next::Answer(Envelope {
            node: self.about.clone(),
            status: self.verdict.unwrap_or(verdict),
            outcome: self.outcome.clone(),
            moved: self.moved,
            current_node: self.state.current_node.clone(),
            messages: std::mem::take(&mut self.messages),
        })
    }

    fn step(&mut self, next: Next) -> Step {
        Step { events: std::mem::take(&mut self.events), next }
    }
}
