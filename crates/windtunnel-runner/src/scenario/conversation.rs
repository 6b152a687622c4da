//! The turns of one run.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;
use tokio::time::timeout;
use windtunnel_api::artifact::evidence::{Evidence, Role};
use windtunnel_api::artifact::trace::{ModelCall, Turn, Usage};
use windtunnel_spi::{
    AgentHandle, AgentReply, Message, RuntimeErrorKind, Seam, SessionId, Stamp, Stamped, with_causes,
};

use super::perturbation::{Earlier, Handed, Plan};

/// What was said in one run.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    /// Without a turn that the agent refused to be sent.
    pub(super) turns: Vec<Turn>,
    pub(super) evidence: Vec<Stamped<Evidence>>,
    /// What was put before turns that the agent took.
    pub(super) handed: Vec<Handed>,
    pub(super) usage: Option<Usage>,
    pub(super) model_calls: Option<Vec<ModelCall>>,
    /// The turn that failed and why; the turns after it were not sent.
    pub(super) error: Option<String>,
}

impl Conversation {
    /// Sends each user turn, with what the plan puts before it, and waits for its answer. Tools that fail are said in front
    /// of the turns.
    pub(super) async fn hold(
        agent: &mut dyn AgentHandle,
        user_turns: &[&str],
        plan: &Plan,
        session: &SessionId,
        limit: Duration,
        seam: &Seam,
    ) -> Self {
        let mut conversation = Self::default();
        let limit = agent.turn_limit().unwrap_or(limit);
        for marker in plan.failing() {
            conversation.witness(seam.clock.now(), Evidence::Warning { text: marker.to_owned() });
        }
        for (index, text) in user_turns.iter().enumerate() {
            let asked = seam.clock.now();
            let earlier = plan.before(index);
            let messages = earlier.map_or_else(|| vec![Message::user(*text)], |earlier| earlier.then(text));
            let inserted = earlier.map(Earlier::inserted).unwrap_or_default();
            let inserted: Vec<_> = inserted.iter().map(|inserted| stamped(asked, inserted.clone())).collect();
            let turn = Turn::new(Role::User, *text);
            let said = spoken(asked, &turn);
            let reply = timeout(limit, agent.send(&messages, session)).await;
            let is_refused = matches!(&reply, Ok(Err(error)) if error.kind() == RuntimeErrorKind::History);
            if !is_refused {
                conversation.evidence.push(said);
                conversation.turns.push(turn);
                if !inserted.is_empty() {
                    conversation.handed.push(Handed { turn: index, inserted, until: Stamp::next() });
                }
            }
            let reply = match reply {
                Ok(Ok(reply)) => reply,
                Ok(Err(error)) => {
                    conversation.error = Some(format!("turn {} failed: {}", index + 1, with_causes(&error)));
                    break;
                }
                Err(_) => {
                    let seconds = limit.as_secs_f64();
                    conversation.error =
                        Some(format!("turn {} passed the turn limit of {seconds} s", index + 1));
                    break;
                }
            };
            conversation.hears(asked, seam.clock.now(), reply);
        }
        conversation
    }

    /// The last answer; empty if there was none.
    pub(super) fn answer(&self) -> &str {
        let answer = self.turns.iter().rev().find(|turn| turn.role == Role::Assistant);
        answer.map_or("", |turn| turn.content.as_str())
    }

    fn says(&mut self, at: Timestamp, turn: Turn) {
        self.evidence.push(spoken(at, &turn));
        self.turns.push(turn);
    }

    fn hears(&mut self, asked: Timestamp, answered: Timestamp, reply: AgentReply) {
        let mut turn = Turn::new(Role::Assistant, reply.content);
        turn.latency_ms = millis_between(asked, answered);
        for claimed in reply.claimed_calls {
            turn.tool_calls.push(json!({ "name": claimed.tool, "arguments": claimed.args }));
            if let Some(result) = claimed.result {
                turn.tool_results.push(result);
            }
            self.witness(answered, Evidence::ClaimedCall { tool: claimed.tool, args: claimed.args });
        }
        self.says(answered, turn);
        if let Some(usage) = reply.usage {
            let sum = self.usage.get_or_insert_default();
            sum.input_tokens += usage.input_tokens;
            sum.output_tokens += usage.output_tokens;
        }
        if let Some(calls) = reply.model_calls {
            self.model_calls.get_or_insert_default().extend(calls);
        }
    }

    fn witness(&mut self, at: Timestamp, value: Evidence) {
        self.evidence.push(stamped(at, value));
    }
}

/// That a turn was said, at the place in the order where it was.
fn spoken(at: Timestamp, turn: &Turn) -> Stamped<Evidence> {
    stamped(at, Evidence::Turn { role: turn.role, content: turn.content.clone() })
}

/// Something with the next place in the order of evidence.
pub(super) fn stamped<T>(at: Timestamp, value: T) -> Stamped<T> {
    let at_ms = at.as_duration().as_secs_f64() * 1000.0;
    Stamped { stamp: Stamp::next(), at_ms, value }
}

/// Milliseconds from one moment to a later one; 0 where a clock was set back between them.
fn millis_between(from: Timestamp, to: Timestamp) -> f64 {
    (to.duration_since(from).as_secs_f64() * 1000.0).max(0.0)
}

/// Seconds from one moment to a later one; 0 where a clock was set back between them.
pub(super) fn seconds_between(from: Timestamp, to: Timestamp) -> f64 {
    to.duration_since(from).as_secs_f64().max(0.0)
}
