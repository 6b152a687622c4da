//! Gates: when one is asked, and what follows from what it says.

use windtunnel_doc::nearest;

use super::{Cause, Chain, Next, Step, Walk};
use crate::event::ProcessEvent;
use crate::graph::ESCALATED;
use crate::hook::Selection;
use crate::runtime::Verdict;
use crate::state::{Attempts, Status};

/// Where a claimed node lies, seen from where the item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Unknown,
    Behind,
    Elsewhere,
    Current,
}

/// How an item stands when its gate is to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stand {
    status: Status,
    terminal: bool,
    asked: bool,
}

/// What a claim is answered with without asking a gate; none if the gate decides.
///
/// | place     | walk      | terminal | question | answer    |
/// |-----------|-----------|----------|----------|-----------|
/// | unknown   | any       | any      | any      | refused   |
/// | behind    | any       | any      | any      | noop      |
/// | elsewhere | any       | any      | any      | refused   |
/// | current   | complete  | any      | any      | noop      |
/// | current   | going on  | any      | open     | wait      |
/// | current   | escalated | no       | none     | escalated |
/// | current   | escalated | yes      | none     | its gate  |
/// | current   | going on  | any      | none     | its gate  |
fn of_claim(place: Place, stand: Stand) -> Option<Verdict> {
    match place {
        Place::Unknown | Place::Elsewhere => Some(Verdict::Refused),
        Place::Behind => Some(Verdict::Noop),
        Place::Current if stand.status == Status::Complete => Some(Verdict::Noop),
        Place::Current if stand.asked => Some(Verdict::Wait),
        Place::Current if stand.status == Status::Escalated && !stand.terminal => Some(Verdict::Escalated),
        Place::Current => None,
    }
}

/// What an event is answered with without asking a gate; none if the gate decides.
///
/// | walk      | terminal | question | answer   |
/// |-----------|----------|----------|----------|
/// | complete  | any      | any      | noop     |
/// | going on  | any      | open     | wait     |
/// | escalated | any      | none     | noop     |
/// | going on  | yes      | none     | noop     |
/// | going on  | no       | none     | its gate |
fn of_event(stand: Stand) -> Option<Verdict> {
    match stand.status {
        Status::Complete => Some(Verdict::Noop),
        _ if stand.asked => Some(Verdict::Wait),
        Status::Escalated => Some(Verdict::Noop),
        _ => stand.terminal.then_some(Verdict::Noop),
    }
}

impl Walk<'_> {
    /// Looks at the gate of the current node again.
    pub(in crate::runtime) fn advance(&mut self) -> Step {
        self.cause = Cause::Event;
        let next = match of_event(self.stand()) {
            Some(verdict) => {
                self.say_how_it_stands();
                self.answer(verdict)
            }
            None => self.ask_gate(),
        };
        self.step(next)
    }

    /// Claims that a node's work is done.
    pub(in crate::runtime) fn complete(&mut self, node: &str) -> Step {
        self.cause = Cause::Claim;
        node.clone_into(&mut self.about);
        let place = self.place(node);
        let next = match of_claim(place, self.stand()) {
            Some(verdict) => {
                match place {
                    Place::Unknown => self.say_unknown(node),
                    Place::Behind => self.say(format!("{node} is behind")),
                    Place::Elsewhere => {
                        self.say(format!("the item stands at {}, not at {node}", self.state.current_node));
                    }
                    Place::Current => self.say_how_it_stands(),
                }
                self.answer(verdict)
            }
            None => self.ask_gate(),
        };
        self.step(next)
    }

    /// The gate let the item through.
    pub(super) fn passed(&mut self, outcome: String, selection: Option<Selection>) -> Next {
        let node = self.state.current_node.clone();
        if self.current().terminal {
            self.tell(ProcessEvent::Completed { node });
            self.state.status = Status::Complete;
            return self.answer(Verdict::Pass);
        }
        if self.graph.next(&node, &outcome).is_none() {
            return self.no_edge(&outcome);
        }
        if let Some(selection) = selection {
            self.select(selection);
        }
        self.verdict.get_or_insert(Verdict::Pass);
        self.follow(&outcome);
        self.outcome.get_or_insert(outcome);
        self.arrive()
    }

    /// The gate said no. Claims are counted: after too many the node is given up, and after two that were told the same.
    pub(super) fn blocked(&mut self, hook: String, messages: Vec<String>) -> Next {
        self.refuse(hook, messages.clone());
        if self.cause == Cause::Event {
            return self.answer(Verdict::Block);
        }
        let before = std::mem::take(&mut self.state.attempts);
        let count = before.count.saturating_add(1);
        let repeated = before.count > 0 && before.messages == messages;
        self.state.attempts = Attempts { count, messages };
        if repeated || count >= self.current().max_attempts {
            self.escalate(count)
        } else {
            self.answer(Verdict::Block)
        }
    }

    pub(super) fn refuse(&mut self, hook: String, messages: Vec<String>) {
        let node = self.state.current_node.clone();
        self.tell(ProcessEvent::Blocked { node, hook, messages: messages.clone() });
        self.state.status = Status::Blocked;
        self.messages.extend(messages);
    }

    fn escalate(&mut self, attempts: u32) -> Next {
        let node = self.state.current_node.clone();
        self.tell(ProcessEvent::Escalated { node, attempts });
        self.verdict = Some(Verdict::Escalated);
        let elsewhere = self.state.current_node != ESCALATED && self.graph.node(ESCALATED).is_some();
        if elsewhere {
            self.put(ESCALATED.to_owned());
            return Next::Run(Chain::Entry);
        }
        self.state.status = Status::Escalated;
        self.answer(Verdict::Escalated)
    }

    fn ask_gate(&mut self) -> Next {
        self.knocking = self.state.entry_refused;
        self.ran.insert(self.state.current_node.clone());
        Next::Run(if self.knocking { Chain::Entry } else { Chain::Exit })
    }

    fn place(&self, node: &str) -> Place {
        if self.graph.node(node).is_none() {
            Place::Unknown
        } else if node == self.state.current_node {
            Place::Current
        } else if self.state.behind.contains(node) {
            Place::Behind
        } else {
            Place::Elsewhere
        }
    }

    fn stand(&self) -> Stand {
        let (status, terminal) = (self.state.status, self.current().terminal);
        Stand { status, terminal, asked: self.state.question.is_some() }
    }

    fn say_how_it_stands(&mut self) {
        let node = &self.state.current_node;
        let message = match (&self.state.question, self.state.status) {
            (_, Status::Complete) => format!("the walk is over: it was completed at {node}"),
            (Some(question), _) => format!("a question is open: {}", question.text),
            (None, Status::Escalated) => format!("{node} waits for a person to put the item elsewhere"),
            (None, _) => format!("{node} is where the walk ends: it waits for the claim"),
        };
        self.say(message);
    }

    pub(super) fn say_unknown(&mut self, node: &str) {
        let known = self.graph.nodes().map(|node| node.id.as_str());
        let hint = nearest(node, known).map_or_else(String::new, |near| format!("; did you mean {near}?"));
        self.say(format!("graph {} has no node {node:?}{hint}", self.graph.id()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOING_ON: [Status; 3] = [Status::Running, Status::Waiting, Status::Blocked];

    fn stands(statuses: &[Status], terminal: &[bool], asked: &[bool]) -> Vec<Stand> {
        let mut stands = Vec::new();
        for &status in statuses {
            for &terminal in terminal {
                stands.extend(asked.iter().map(|&asked| Stand { status, terminal, asked }));
            }
        }
        stands
    }

    fn claims(place: Place, stands: Vec<Stand>, answer: Option<Verdict>) {
        for stand in stands {
            assert_eq!(of_claim(place, stand), answer, "{place:?} {stand:?}");
        }
    }

    fn events(stands: Vec<Stand>, answer: Option<Verdict>) {
        for stand in stands {
            assert_eq!(of_event(stand), answer, "{stand:?}");
        }
    }

    const ANY: [bool; 2] = [false, true];

    #[test]
    fn a_claim_of_a_node_that_is_not_current_needs_no_gate() {
        let all = || stands(&Status::ALL, &ANY, &ANY);
        claims(Place::Unknown, all(), Some(Verdict::Refused));
        claims(Place::Elsewhere, all(), Some(Verdict::Refused));
        claims(Place::Behind, all(), Some(Verdict::Noop));
    }

    #[test]
    fn a_claim_after_the_walk_is_over_does_nothing() {
        claims(Place::Current, stands(&[Status::Complete], &ANY, &ANY), Some(Verdict::Noop));
    }

    #[test]
    fn a_claim_waits_while_a_question_is_open() {
        claims(Place::Current, stands(&GOING_ON, &ANY, &[true]), Some(Verdict::Wait));
        claims(Place::Current, stands(&[Status::Escalated], &ANY, &[true]), Some(Verdict::Wait));
    }

    #[test]
    fn a_claim_of_a_node_that_was_given_up_stays_given_up() {
        claims(Place::Current, stands(&[Status::Escalated], &[false], &[false]), Some(Verdict::Escalated));
        claims(Place::Current, stands(&[Status::Escalated], &[true], &[false]), None);
    }

    #[test]
    fn any_other_claim_is_for_the_gate() {
        claims(Place::Current, stands(&GOING_ON, &ANY, &[false]), None);
    }

    #[test]
    fn an_event_moves_nothing_where_the_walk_ends() {
        events(stands(&[Status::Complete], &ANY, &ANY), Some(Verdict::Noop));
        events(stands(&GOING_ON, &[true], &[false]), Some(Verdict::Noop));
        events(stands(&[Status::Escalated], &ANY, &[false]), Some(Verdict::Noop));
    }

    #[test]
    fn an_event_waits_while_a_question_is_open() {
        events(stands(&GOING_ON, &ANY, &[true]), Some(Verdict::Wait));
        events(stands(&[Status::Escalated], &ANY, &[true]), Some(Verdict::Wait));
    }

    #[test]
    fn any_other_event_is_for_the_gate() {
        events(stands(&GOING_ON, &[false], &[false]), None);
    }
}
