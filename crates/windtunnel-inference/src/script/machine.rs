//! The decisions of one case, and how far they are served.

use std::sync::Arc;

use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::{FaultKind, ReferenceDecision, counted};

use super::answer::{Answer, Step};
use super::ask::Ask;
use super::recent::RecentAnswers;
use super::served::ServedNames;
use crate::chat::{CallRequest, ChatReply, Stop, TokenUsage};

/// Violations that are kept word by word; more are counted.
const MAX_VIOLATIONS: usize = 32;

/// Offered names that a message lists.
const MAX_LISTED: usize = 40;

/// The decisions of one case, and how far they are served.
#[derive(Debug, Clone)]
pub struct Script {
    turns: Arc<[Vec<ReferenceDecision>]>,
    served: ServedNames,
    /// Whether a turn's decisions begin again when they end.
    repeats: bool,
    state: State,
}

#[derive(Debug, Clone, Default)]
struct State {
    /// User turns that have begun.
    begun: usize,
    /// Decisions of the current turn that are served.
    in_turn: usize,
    /// Faults of the next decision that are served.
    faults: usize,
    /// Answers of any kind that were given, repeated ones not counted.
    answers: u64,
    recent: RecentAnswers,
    consumed: usize,
    asides: usize,
    violations: Vec<String>,
    more_violations: usize,
}

impl Script {
    /// A script of one list of decisions per user turn. Nothing is served until the first turn begins.
    pub fn new(turns: Vec<Vec<ReferenceDecision>>, served: ServedNames) -> Self {
        Self { turns: turns.into(), served, repeats: false, state: State::default() }
    }

    /// The same; the decisions of a turn begin again when they end.
    #[must_use]
    pub fn repeating(mut self) -> Self {
        self.repeats = true;
        self
    }

    /// The names under which tools are served.
    pub fn served(&self) -> &ServedNames {
        &self.served
    }

    /// A user turn begins: the next decisions are those of the next list.
    pub fn begin_turn(&mut self) {
        if self.took_truncated() {
            self.state.in_turn += 1;
            self.state.consumed += 1;
        }
        let turn = self.state.begun;
        if let Some(unfinished) = turn.checked_sub(1).and_then(|last| self.turns.get(last))
            && self.state.in_turn < unfinished.len()
        {
            self.violate(format!(
                "turn {turn} ended after {} of its {} decisions",
                self.state.in_turn,
                unfinished.len()
            ));
        }
        self.state.begun += 1;
        self.state.in_turn = 0;
        self.state.faults = 0;
    }

    /// Back to the state before the first turn.
    pub fn rewind(&mut self) {
        self.state = State::default();
    }

    /// What to answer to a request.
    pub fn ask(&mut self, ask: &Ask<'_>) -> Step {
        if let Some((number, answer)) = ask.sent.and_then(|sent| self.state.recent.retried(sent)) {
            return Step { number, answer, replayed: true };
        }
        self.state.answers += 1;
        let number = self.state.answers;
        let answer = Arc::new(self.answer(ask, number));
        if let Some(sent) = ask.sent {
            self.state.recent.remember(sent, number, Arc::clone(&answer));
        }
        Step { number, answer, replayed: false }
    }

    /// The answer of this number reached the client as a whole.
    pub fn delivered(&mut self, number: u64) {
        self.state.recent.delivered(number);
    }

    /// Remembers something that went wrong at the seam outside the script's own rules.
    pub fn violate(&mut self, text: String) {
        if self.state.violations.len() < MAX_VIOLATIONS {
            self.state.violations.push(text);
        } else {
            self.state.more_violations += 1;
        }
    }

    /// How far the script was consumed, and what went wrong.
    pub fn progress(&self) -> ScriptProgress {
        let mut violations = self.state.violations.clone();
        if self.state.more_violations > 0 {
            violations.push(format!("and {} more like these", self.state.more_violations));
        }
        ScriptProgress {
            decisions: self.turns.iter().map(Vec::len).sum(),
            consumed: self.state.consumed + usize::from(self.took_truncated()),
            asides: self.state.asides,
            violations,
        }
    }

    /// Whether the last answer of the turn is a decision cut at half: whoever asks for nothing after it took it for the answer, and
    /// the gate judges what came of that.
    fn took_truncated(&self) -> bool {
        let State { begun, in_turn, faults, .. } = self.state;
        let turn = begun.checked_sub(1).and_then(|index| self.turns.get(index));
        let next = turn.and_then(|turn| turn.get(in_turn));
        next.is_some_and(|next| {
            next.faults.len() == faults
                && next.faults.last().is_some_and(|last| last.kind == FaultKind::Truncated)
        })
    }

    fn answer(&mut self, ask: &Ask<'_>, number: u64) -> Answer {
        if ask.warm_up {
            let usage = TokenUsage { completion: 0, ..TokenUsage::estimate(ask.prompt_bytes, 0) };
            return Answer::WarmUp(ChatReply { usage: Some(usage), ..ChatReply::default() });
        }
        if let Some(content) = ask.aside {
            return self.aside(content, ask.prompt_bytes);
        }
        self.advance(ask, number).unwrap_or_else(|violation| {
            self.violate(violation.clone());
            Answer::Refused { message: violation }
        })
    }

    fn aside(&mut self, content: &str, prompt_bytes: usize) -> Answer {
        self.state.asides += 1;
        Answer::Aside(ChatReply {
            content: Some(content.to_owned()),
            usage: Some(TokenUsage::estimate(prompt_bytes, content.len())),
            ..ChatReply::default()
        })
    }

    /// The next fault or decision, or what is wrong with asking for it.
    fn advance(&mut self, ask: &Ask<'_>, number: u64) -> Result<Answer, String> {
        let turns = Arc::clone(&self.turns);
        if self.repeats {
            self.state.begin_again(&turns);
        }
        let decision = self.state.next(&turns)?;
        if let Some(fault) = decision.faults.get(self.state.faults) {
            let reply = match fault.kind {
                FaultKind::Status | FaultKind::Disconnect => None,
                FaultKind::Truncated => Some(self.reply(decision, ask, number)?.first_half()),
                FaultKind::Cut | FaultKind::StreamError | FaultKind::Malformed | FaultKind::Stall => {
                    Some(self.reply(decision, ask, number)?)
                }
            };
            self.state.faults += 1;
            return Ok(Answer::Fault { fault: fault.clone(), reply });
        }
        let reply = self.reply(decision, ask, number)?;
        self.state.faults = 0;
        self.state.in_turn += 1;
        self.state.consumed += 1;
        Ok(Answer::Decision(reply))
    }

    fn reply(&self, decision: &ReferenceDecision, ask: &Ask<'_>, number: u64) -> Result<ChatReply, String> {
        let mut tool_calls = Vec::with_capacity(decision.tool_calls.len());
        for (index, call) in decision.tool_calls.iter().enumerate() {
            let name = self.served.resolve(&call.name, ask.offered).map_err(|candidates| {
                let decision = self.state.consumed + 1;
                unresolved(decision, &call.name, &candidates, ask.offered)
            })?;
            tool_calls.push(CallRequest {
                id: format!("call_wt_{number}_{}", index + 1),
                name: name.to_owned(),
                // Values have string keys and no custom serialisers, so they always serialise.
                arguments: serde_json::to_string(&call.arguments).unwrap_or_default(),
            });
        }
        let mut reply = ChatReply {
            content: decision.content.clone(),
            tool_calls,
            reasoning: decision.reasoning.clone(),
            stop: if decision.refusal { Stop::Refusal } else { Stop::Done },
            usage: None,
        };
        reply.usage = Some(TokenUsage::estimate(ask.prompt_bytes, reply.bytes()));
        Ok(reply)
    }
}

impl State {
    /// Goes back to the first decision of the turn after its last.
    fn begin_again(&mut self, turns: &[Vec<ReferenceDecision>]) {
        let turn = self.begun.checked_sub(1).and_then(|index| turns.get(index));
        if turn.is_some_and(|turn| self.in_turn == turn.len()) {
            self.in_turn = 0;
        }
    }

    /// The decision that a request now asks for.
    ///
    /// ```text
    /// turn begun | list for it | decision left | answer
    /// no         | -           | -             | violation: before the first turn
    /// yes        | no          | -             | violation: more user turns than lists
    /// yes        | yes         | no            | violation: beyond the turn's decisions
    /// yes        | yes         | yes           | the decision
    /// ```
    fn next<'s>(&self, turns: &'s [Vec<ReferenceDecision>]) -> Result<&'s ReferenceDecision, String> {
        let Some(index) = self.begun.checked_sub(1) else {
            return Err("asked for decision 1 before the first user turn began".to_owned());
        };
        let Some(turn) = turns.get(index) else {
            return Err(format!(
                "asked for a decision in turn {}, but the script has {}",
                self.begun,
                counted(turns.len(), "turn")
            ));
        };
        turn.get(self.in_turn).ok_or_else(|| {
            let asked = format!("asked for decision {} of {}", self.in_turn + 1, turn.len());
            match turns.len() {
                1 => asked,
                all => format!("{asked} in turn {} of {all}", self.begun),
            }
        })
    }
}

/// Says why a scripted tool name cannot be sent.
fn unresolved(decision: usize, name: &str, candidates: &[&str], offered: &[String]) -> String {
    let why = if candidates.is_empty() {
        "no offered tool has that name".to_owned()
    } else {
        format!("several offered tools could be meant: {}", candidates.join(", "))
    };
    let mut listed = offered.iter().take(MAX_LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if offered.is_empty() {
        "nothing".clone_into(&mut listed);
    } else if let Some(rest) = offered.len().checked_sub(MAX_LISTED).filter(|rest| *rest > 0) {
        listed = format!("{listed} and {rest} more");
    }
    format!("decision {decision} calls `{name}`, but {why}; the request offers {listed}")
}

#[cfg(test)]
mod tests;
