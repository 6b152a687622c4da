//! What the script answers.

use std::sync::Arc;

use serde_json::{Value, json};
use windtunnel_api::{FaultKind, InferenceFault};

use crate::chat::ChatReply;

/// What to answer to one request.
#[derive(Debug, Clone)]
pub struct Step {
    /// Counts the answers of a case from 1; a repeated answer keeps its number, and with it its ids.
    pub number: u64,
    /// The answer.
    pub answer: Arc<Answer>,
    /// Whether it was given before and the request is a retry.
    pub replayed: bool,
}

/// An answer of the script.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A scripted decision.
    Decision(ChatReply),
    /// An answer outside the script.
    Aside(ChatReply),
    /// No content: nothing was asked.
    WarmUp(ChatReply),
    /// A scripted failure; the decision after it still waits.
    Fault {
        /// What goes wrong.
        fault: InferenceFault,
        /// What the answer would be, where a part of it goes out; what is there of it where it is truncated.
        reply: Option<ChatReply>,
    },
    /// No answer: the request is not what the script expects. Never to be retried.
    Refused {
        /// Why.
        message: String,
    },
}

impl Answer {
    /// Whether it is what a request for a decision gets.
    pub(crate) fn is_of_script(&self) -> bool {
        !matches!(self, Self::Aside(_) | Self::WarmUp(_))
    }

    /// What goes out as a whole, if anything does.
    pub(crate) fn reply_as_a_whole(&self) -> Option<&ChatReply> {
        match self {
            Self::Decision(reply) | Self::Aside(reply) | Self::WarmUp(reply) => Some(reply),
            Self::Fault { fault, reply } => reply.as_ref().filter(|_| fault.kind == FaultKind::Truncated),
            Self::Refused { .. } => None,
        }
    }

    /// As evidence shows it: `{content?, reasoning?, refusal?, tool_calls?}`, `{aside}`, `{warm_up}`, `{fault}` or `{refused}`.
    pub fn evidence(&self) -> Value {
        match self {
            Self::Decision(reply) => reply.evidence(),
            Self::Aside(reply) => json!({ "aside": reply.content }),
            Self::WarmUp(_) => json!({ "warm_up": true }),
            Self::Fault { fault, .. } => json!({ "fault": fault }),
            Self::Refused { message } => json!({ "refused": message }),
        }
    }
}
