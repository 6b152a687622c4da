//! How an item walks through its graph: what each verb and each decision of a chain means for its state and its events.
//!
//! Nothing here reads, writes or waits. A verb is a call on a [`Walk`]; it returns a [`Step`]: what happened, and what there is to do
//! next: to run a chain and say what came of it ([`Walk::heard`]), or to answer.

mod by_hand;
mod gate;
mod pointer;
mod question;
mod skips;
mod sound;

#[cfg(test)]
mod properties;

pub(super) use sound::check_state;

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

/// A text that comes with a verb, and how long it may be: it is told, and much of it is kept in the state, which has a limit of its
/// own.
#[derive(Debug, Clone, Copy)]
enum Text<'a> {
    Question(&'a str),
    Reply(&'a str),
    /// Kept with each node that it is the reason for skipping.
    Reason(&'a str),
    /// Of a person, an agent, a node.
    Name(&'a str),
}

impl Text<'_> {
    /// Why it is not taken; none if it is.
    fn refusal(self) -> Option<String> {
        let (what, text, most) = match self {
            Self::Question(text) => ("question", text, 16 << 10),
            Self::Reply(text) => ("reply", text, 16 << 10),
            Self::Reason(text) => ("reason", text, 1 << 10),
            Self::Name(text) => ("name", text, 256),
        };
        let bytes = text.len();
        (bytes > most).then(|| format!("the {what} has {bytes} bytes; at most {most} are taken"))
    }
}

/// An item on its walk, for the time of one verb.
#[derive(Debug)]
pub(super) struct Walk<'g> {
    graph: &'g Graph,
    /// The node where the item stands.
    node: &'g Node,
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
        let start = graph.start();
        let state = ItemState::at(graph.id(), work_item, &start.id);
        Self::at(graph, start, ItemState { entry_refused: true, ..state })
    }

    /// An item that was started.
    ///
    /// # Errors
    /// What the state says that cannot be true of this item in this graph.
    pub(super) fn resume(graph: &'g Graph, work_item: &str, state: ItemState) -> Result<Self, String> {
        let node = check_state(graph, work_item, &state)?;
        Ok(Self::at(graph, node, state))
    }

    fn at(graph: &'g Graph, node: &'g Node, state: ItemState) -> Self {
        Self {
            graph,
            node,
            state,
            cause: Cause::Event,
            knocking: false,
            ran: HashSet::new(),
            verdict: None,
            events: Vec::new(),
            about: node.id.clone(),
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

    /// The node where the item stands.
    pub(super) fn current(&self) -> &'g Node {
        self.node
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

    /// Whether one of these texts is too long, which is then said.
    fn refuses<'t>(&mut self, texts: impl IntoIterator<Item = Text<'t>>) -> bool {
        let refusal = texts.into_iter().find_map(Text::refusal);
        let refused = refusal.is_some();
        self.messages.extend(refusal);
        refused
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
