//! What is recorded of a run.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, mpsc};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::exchange::Event;

/// Something that an agent did or saw.
///
/// A call is recorded before it is carried out; `Returned` follows with its result or error. For one agent the order is the order
/// in which it did and saw things.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum TraceEvent {
    /// An event that the brain took from the inbox.
    Inbound {
        /// The agent.
        agent: Arc<str>,
        /// The id of the event's source.
        id: String,
        /// The event.
        event: Event,
    },
    /// A call of the host.
    Call {
        /// The agent.
        agent: Arc<str>,
        /// The name of the call.
        op: Cow<'static, str>,
        /// The id that the call opens, for calls that open a source.
        uuid: Option<String>,
        /// Its arguments.
        detail: Value,
    },
    /// What a call came to.
    Returned {
        /// The agent.
        agent: Arc<str>,
        /// The name of the call.
        op: Cow<'static, str>,
        /// The id that the call opened, for calls that open a source.
        uuid: Option<String>,
        /// `{"result": …}` or `{"error": "…"}`.
        detail: Value,
    },
    /// A source of events was opened.
    Opened {
        /// The agent.
        agent: Arc<str>,
        /// `chat-stream`, `timer`, `tool-call`, `resource-list`, `resource`, `endpoint`, `agent` or `lifecycle`.
        source: Cow<'static, str>,
        /// Its id.
        uuid: String,
    },
    /// A source of events was closed.
    Closed {
        /// The agent.
        agent: Arc<str>,
        /// As in `Opened`.
        source: Cow<'static, str>,
        /// Its id.
        uuid: String,
        /// Why.
        reason: CloseReason,
    },
    /// The agent's run is over.
    Outcome {
        /// The agent.
        agent: Arc<str>,
        /// How it ended.
        outcome: RunOutcome,
    },
}

/// Why a source was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// It came to its end.
    Ended,
    /// The agent, or the end of its run, closed it.
    Cancelled,
    /// It failed.
    Failed,
}

impl CloseReason {
    /// The reason's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }
}

/// How an agent's run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// The brain ended without a value.
    Completed,
    /// The brain ended with a value; this is its text.
    Exited(String),
    /// It was stopped from outside.
    Stopped,
    /// The brain failed; the text says how.
    Failed(String),
}

impl TraceEvent {
    /// The agent it is about.
    pub fn agent(&self) -> &str {
        match self {
            Self::Inbound { agent, .. }
            | Self::Call { agent, .. }
            | Self::Returned { agent, .. }
            | Self::Opened { agent, .. }
            | Self::Closed { agent, .. }
            | Self::Outcome { agent, .. } => agent,
        }
    }

    /// What patterns are held against: `{kind: "call", op, detail}`, `{kind: "returned", op, detail}`, `{kind: "inbound", event, payload}`,
    /// `{kind: "opened", source}`, `{kind: "closed", source, reason}`, `{kind: "outcome", outcome}`. `payload` is the tagged event, `{kind, data}`.
    pub fn into_candidate(self) -> Value {
        match self {
            Self::Inbound { event, .. } => {
                let name = event.kind();
                json_object([
                    ("kind", "inbound".into()),
                    ("event", name.into()),
                    ("payload", to_value(event)),
                ])
            }
            Self::Call { op, detail, .. } => {
                json_object([("kind", "call".into()), ("op", op.into()), ("detail", detail)])
            }
            Self::Returned { op, detail, .. } => {
                json_object([("kind", "returned".into()), ("op", op.into()), ("detail", detail)])
            }
            Self::Opened { source, .. } => json!({"kind": "opened", "source": source}),
            Self::Closed { source, reason, .. } => {
                json!({"kind": "closed", "source": source, "reason": reason.word()})
            }
            Self::Outcome { outcome, .. } => {
                json_object([("kind", "outcome".into()), ("outcome", to_value(outcome))])
            }
        }
    }
}

fn json_object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
}

/// The value of a type whose serialization cannot fail.
pub(crate) fn to_value(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// The names of all calls that are recorded.
pub const OPS: [&str; 32] = [
    "list_models",
    "chat",
    "chat_stream",
    "list_tools",
    "call_tool",
    "call_tool_blocking",
    "list_resources",
    "list_resource_templates",
    "read_resource",
    "subscribe_resource_list",
    "unsubscribe_resource_list",
    "subscribe_resource",
    "unsubscribe_resource",
    "whoami",
    "wait_for",
    "wait_until",
    "wait_cron",
    "cancel_timer",
    "sleep_for",
    "sleep_until",
    "sleep_cron",
    "subscribe_agent",
    "unsubscribe_agent",
    "send_agent",
    "subscribe_lifecycle",
    "unsubscribe_lifecycle",
    "subscribe_endpoint",
    "unsubscribe_endpoint",
    "stream_endpoint",
    "memory_get",
    "memory_set",
    "memory_remove",
];

/// Groups events by their agent; the order within one is kept.
pub fn group(events: impl IntoIterator<Item = TraceEvent>) -> BTreeMap<String, Vec<TraceEvent>> {
    let mut groups: BTreeMap<String, Vec<TraceEvent>> = BTreeMap::new();
    for event in events {
        if let Some(group) = groups.get_mut(event.agent()) {
            group.push(event);
        } else {
            groups.insert(event.agent().to_owned(), vec![event]);
        }
    }
    groups
}

/// Where the events of a run go. No event is ever dropped.
///
/// The receiving end is called on the thread that records, before the recorded call is carried out; so a matcher behind it can stop an
/// agent between two events, and nothing piles up.
#[derive(Clone)]
pub struct TraceSender(Arc<dyn Fn(TraceEvent) + Send + Sync>);

impl TraceSender {
    /// Hands each event to a function. It must not block, and must not call the host.
    pub fn new(receive: impl Fn(TraceEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(receive))
    }

    /// A channel without a bound.
    pub fn channel() -> (Self, mpsc::Receiver<TraceEvent>) {
        let (sender, receiver) = mpsc::channel();
        // Nobody listens any more: then nobody misses it.
        let send = move |event| drop(sender.send(event));
        (Self::new(send), receiver)
    }

    /// Hands on an event.
    pub fn send(&self, event: TraceEvent) {
        (self.0)(event);
    }
}

impl fmt::Debug for TraceSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TraceSender")
    }
}
