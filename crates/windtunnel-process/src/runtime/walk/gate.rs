//! Gates: when one is asked, and what follows from what it says.

use windtunnel_doc::nearest;

use super::{Cause, Chain, Next, Step, Text, Walk};
use crate::event::ProcessEvent;
use crate::graph::{Actor, ESCALATED};
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
    /// A question is open.
    asked: bool,
    /// A walk ends here.
    terminal: bool,
    /// This is where items are that were given up elsewhere.
    refuge: bool,
}

/// What a claim is answered with without asking a gate; none if the gate decides.
///
/// | place     | walk      | question | refuge | answer    |
/// |-----------|-----------|----------|--------|-----------|
/// | unknown   | any       | any      | any    | refused   |
/// | behind    | any       | any      | any    | noop      |
/// | elsewhere | any       | any      | any    | refused   |
/// | current   | complete  | any      | any    | noop      |
/// | current   | going on  | open     | any    | wait      |
/// | current   | escalated | none     | no     | escalated |
/// | current   | escalated | none     | yes    | its gate  |
/// | current   | else      | none     | any    | its gate  |
fn of_claim(place: Place, stand: Stand) -> Option<Verdict> {
    match place {
        Place::Unknown | Place::Elsewhere => Some(Verdict::Refused),
        Place::Behind => Some(Verdict::Noop),
        Place::Current => match stand.status {
            Status::Complete => Some(Verdict::Noop),
            _ if stand.asked => Some(Verdict::Wait),
            Status::Escalated if !stand.refuge => Some(Verdict::Escalated),
            _ => None,
        },
    }
}

/// What an event is answered with without asking a gate; none if the gate decides.
///
/// | walk      | question | terminal | it speaks to nobody | answer   |
/// |-----------|----------|----------|---------------------|----------|
/// | complete  | any      | any      | any                 | noop     |
/// | going on  | open     | any      | any                 | wait     |
/// | escalated | none     | any      | any                 | noop     |
/// | else      | none     | yes      | any                 | noop     |
/// | else      | none     | no       | yes                 | noop     |
/// | else      | none     | no       | no                  | its gate |
fn of_event(stand: Stand, speaks_to_nobody: bool) -> Option<Verdict> {
    match stand.status {
        Status::Complete => Some(Verdict::Noop),
        _ if stand.asked => Some(Verdict::Wait),
        Status::Escalated => Some(Verdict::Noop),
        _ => (stand.terminal || speaks_to_nobody).then_some(Verdict::Noop),
    }
}

/// Whether a claim that was refused gives the node up.
///
/// | claims in vain, with this one | told the same as the one before | given up |
/// |-------------------------------|---------------------------------|----------|
/// | as many as the node may have  | any                             | yes      |
/// | fewer                         | yes                             | yes      |
/// | fewer                         | no, or this is the first        | no       |
fn gives_up(before: &Attempts, now: &Attempts, max: u32) -> bool {
    now.count >= max || (before.count > 0 && before.messages == now.messages)
}

impl Walk<'_> {
    /// Looks at the gate of the current node again, because of comments or of something else.
    ///
    /// Comments are for the gates of people. Whoever speaks while an agent works moves nothing, least of all past a gate that has
    /// nothing to read yet.
    pub(in crate::runtime) fn advance(&mut self, by_comments: bool) -> Step {
        self.cause = Cause::Event;
        let speaks_to_nobody = by_comments && self.current().actor != Actor::Human;
        let next = match of_event(self.stand(), speaks_to_nobody) {
            Some(verdict) => {
                self.say_how_it_stands();
                self.answer(verdict)
            }
            None => self.ask_gate(),
        };
        self.step(next)
    }

    /// Claims that a node's work is done.
    pub(in crate::runtime) fn complete(&mut self, node: &str, actor: &str) -> Step {
        self.cause = Cause::Claim;
        node.clone_into(&mut self.about);
        if self.refuses([Text::Name(node), Text::Name(actor)]) {
            let next = self.answer(Verdict::Refused);
            return self.step(next);
        }
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
        if self.cause == Cause::Event || self.stand().refuge {
            return self.answer(Verdict::Block);
        }
        let count = self.state.attempts.count.saturating_add(1);
        let before = std::mem::replace(&mut self.state.attempts, Attempts { count, messages });
        if gives_up(&before, &self.state.attempts, self.current().max_attempts) {
            self.escalate(count)
        } else {
            self.answer(Verdict::Block)
        }
    }

    pub(super) fn refuse(&mut self, hook: String, messages: Vec<String>) {
        let node = self.state.current_node.clone();
        self.tell(ProcessEvent::Blocked { node, hook, messages: messages.clone() });
        self.stand_as(Status::Blocked);
        self.messages.extend(messages);
    }

    /// Gives the node up: the item goes where such items are, or stays if the graph has no such place.
    fn escalate(&mut self, attempts: u32) -> Next {
        let node = self.state.current_node.clone();
        self.tell(ProcessEvent::Escalated { node, attempts });
        self.verdict = Some(Verdict::Escalated);
        if let Some(refuge) = self.graph.node(ESCALATED) {
            self.put(refuge);
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
        Stand {
            status: self.state.status,
            asked: self.state.question.is_some(),
            terminal: self.current().terminal,
            refuge: self.state.current_node == ESCALATED,
        }
    }

    fn say_how_it_stands(&mut self) {
        let node = &self.state.current_node;
        let message = match (&self.state.question, self.state.status) {
            (_, Status::Complete) => format!("the walk is over: it was completed at {node}"),
            (Some(question), _) => format!("a question is open: {}", question.text),
            (None, Status::Escalated) => format!("{node} waits for a person to put the item elsewhere"),
            (None, _) if self.current().terminal => {
                format!("{node} is where the walk ends: it waits for the claim")
            }
            (None, _) => format!("comments are for the gates of people, and {node} is none"),
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

    const GOING_ON: [Status; 4] = [Status::Running, Status::Waiting, Status::Blocked, Status::Escalated];
    const NOT_GIVEN_UP: [Status; 3] = [Status::Running, Status::Waiting, Status::Blocked];
    const ANY: [bool; 2] = [false, true];

    fn stands(statuses: &[Status], asked: &[bool], terminal: &[bool], refuge: &[bool]) -> Vec<Stand> {
        let mut stands = Vec::new();
        for &status in statuses {
            for &asked in asked {
                for &terminal in terminal {
                    stands.extend(refuge.iter().map(|&refuge| Stand { status, asked, terminal, refuge }));
                }
            }
        }
        stands
    }

    fn claims(place: Place, stands: Vec<Stand>, answer: Option<Verdict>) {
        for stand in stands {
            assert_eq!(of_claim(place, stand), answer, "{place:?} {stand:?}");
        }
    }

    fn events(stands: Vec<Stand>, speaks_to_nobody: &[bool], answer: Option<Verdict>) {
        for stand in stands {
            for &nobody in speaks_to_nobody {
                assert_eq!(of_event(stand, nobody), answer, "{stand:?} {nobody}");
            }
        }
    }

    #[test]
    fn a_claim_of_a_node_that_is_not_current_needs_no_gate() {
        let all = || stands(&Status::ALL, &ANY, &ANY, &ANY);
        claims(Place::Unknown, all(), Some(Verdict::Refused));
        claims(Place::Elsewhere, all(), Some(Verdict::Refused));
        claims(Place::Behind, all(), Some(Verdict::Noop));
    }

    #[test]
    fn a_claim_after_the_walk_is_over_does_nothing() {
        claims(Place::Current, stands(&[Status::Complete], &ANY, &ANY, &ANY), Some(Verdict::Noop));
    }

    #[test]
    fn a_claim_waits_while_a_question_is_open() {
        claims(Place::Current, stands(&GOING_ON, &[true], &ANY, &ANY), Some(Verdict::Wait));
    }

    #[test]
    fn a_claim_of_a_node_that_was_given_up_stays_given_up() {
        let given_up = |refuge| stands(&[Status::Escalated], &[false], &ANY, &[refuge]);
        claims(Place::Current, given_up(false), Some(Verdict::Escalated));
        claims(Place::Current, given_up(true), None);
    }

    #[test]
    fn any_other_claim_is_for_the_gate() {
        claims(Place::Current, stands(&NOT_GIVEN_UP, &[false], &ANY, &ANY), None);
    }

    #[test]
    fn an_event_moves_nothing_where_the_walk_ends() {
        events(stands(&[Status::Complete], &ANY, &ANY, &ANY), &ANY, Some(Verdict::Noop));
        events(stands(&[Status::Escalated], &[false], &ANY, &ANY), &ANY, Some(Verdict::Noop));
        events(stands(&NOT_GIVEN_UP, &[false], &[true], &ANY), &ANY, Some(Verdict::Noop));
    }

    #[test]
    fn an_event_waits_while_a_question_is_open() {
        events(stands(&GOING_ON, &[true], &ANY, &ANY), &ANY, Some(Verdict::Wait));
    }

    #[test]
    fn comments_move_nothing_where_nobody_reads_them() {
        events(stands(&NOT_GIVEN_UP, &[false], &[false], &ANY), &[true], Some(Verdict::Noop));
    }

    #[test]
    fn any_other_event_is_for_the_gate() {
        events(stands(&NOT_GIVEN_UP, &[false], &[false], &ANY), &[false], None);
    }

    #[test]
    fn a_node_is_given_up_after_too_many_claims_or_two_alike() {
        let attempts = |count, message: &str| Attempts { count, messages: vec![message.to_owned()] };
        for (before, now, max, given_up) in [
            (attempts(2, "a"), attempts(3, "b"), 3, true),
            (attempts(0, ""), attempts(1, "a"), 1, true),
            (attempts(1, "a"), attempts(2, "a"), 3, true),
            (attempts(1, "a"), attempts(2, "b"), 3, false),
            (attempts(0, "a"), attempts(1, "a"), 3, false),
        ] {
            assert_eq!(gives_up(&before, &now, max), given_up, "{before:?} {now:?}");
        }
    }
}
