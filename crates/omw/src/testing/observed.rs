//! Events of an agent as a test keeps them.

use std::fmt;
use std::mem;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;
use windtunnel_pattern::excerpt;

use crate::host::trace::TraceEvent;

/// Characters of an event's values in the text of a failure.
const VALUE_LIMIT: usize = 400;

/// An event that was held against assertions. Its `Display` is one line, long values cut; serialized it is the whole event, as
/// `{kind, data}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    agent: Arc<str>,
    /// The id of the source, which patterns do not see.
    id: Option<String>,
    candidate: Value,
}

impl Observed {
    /// What patterns are held against.
    pub fn candidate(&self) -> &Value {
        &self.candidate
    }

    fn field(&self, name: &str) -> &Value {
        self.candidate.get(name).unwrap_or(&Value::Null)
    }

    fn text(&self, name: &str) -> &str {
        self.field(name).as_str().unwrap_or_default()
    }
}

impl From<TraceEvent> for Observed {
    fn from(mut event: TraceEvent) -> Self {
        let (agent, id) = match &mut event {
            TraceEvent::Inbound { agent, id, .. }
            | TraceEvent::Opened { agent, uuid: id, .. }
            | TraceEvent::Closed { agent, uuid: id, .. } => (Arc::clone(agent), Some(mem::take(id))),
            TraceEvent::Call { agent, uuid, .. } | TraceEvent::Returned { agent, uuid, .. } => {
                (Arc::clone(agent), uuid.take())
            }
            TraceEvent::Outcome { agent, .. } => (Arc::clone(agent), None),
        };
        Self { agent, id, candidate: event.into_candidate() }
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.text("kind");
        f.write_str(kind)?;
        let values = match kind {
            "inbound" => {
                write!(f, " {}", self.text("event"))?;
                self.field("payload").get("data")
            }
            "call" | "returned" => {
                write!(f, " {}", self.text("op"))?;
                Some(self.field("detail"))
            }
            "closed" => return write!(f, " {} {}", self.text("source"), self.text("reason")),
            _ => return write!(f, " {}", self.text("source")),
        };
        match values {
            None | Some(Value::Null) => Ok(()),
            Some(values) => write!(f, " {}", excerpt(values, VALUE_LIMIT)),
        }
    }
}

#[derive(Serialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
enum Tagged<'a> {
    Inbound { agent: &'a str, id: &'a str, event: &'a Value },
    Call { agent: &'a str, op: &'a str, uuid: &'a Option<String>, detail: &'a Value },
    Returned { agent: &'a str, op: &'a str, uuid: &'a Option<String>, detail: &'a Value },
    Opened { agent: &'a str, source: &'a str, uuid: &'a str },
    Closed { agent: &'a str, source: &'a str, uuid: &'a str, reason: &'a str },
    Outcome { agent: &'a str, outcome: &'a Value },
}

impl Serialize for Observed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (agent, uuid) = (&*self.agent, &self.id);
        let id = uuid.as_deref().unwrap_or_default();
        let (op, source) = (self.text("op"), self.text("source"));
        let tagged = match self.text("kind") {
            "inbound" => Tagged::Inbound { agent, id, event: self.field("payload") },
            "call" => Tagged::Call { agent, op, uuid, detail: self.field("detail") },
            "returned" => Tagged::Returned { agent, op, uuid, detail: self.field("detail") },
            "opened" => Tagged::Opened { agent, source, uuid: id },
            "closed" => Tagged::Closed { agent, source, uuid: id, reason: self.text("reason") },
            _ => Tagged::Outcome { agent, outcome: self.field("outcome") },
        };
        tagged.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::exchange::{ChatDelta, Event};
    use crate::host::trace::CloseReason;

    fn every_kind() -> Vec<TraceEvent> {
        let agent: Arc<str> = "alice".into();
        let delta = ChatDelta { content: Some("x".repeat(1000)), ..ChatDelta::default() };
        vec![
            TraceEvent::Call {
                agent: Arc::clone(&agent),
                op: "wait_for".into(),
                uuid: Some("u1".into()),
                detail: json!({"ms": 5}),
            },
            TraceEvent::Returned {
                agent: Arc::clone(&agent),
                op: "wait_for".into(),
                uuid: Some("u1".into()),
                detail: json!({"result": "u1"}),
            },
            TraceEvent::Opened { agent: Arc::clone(&agent), source: "timer".into(), uuid: "u1".into() },
            TraceEvent::Closed {
                agent: Arc::clone(&agent),
                source: "timer".into(),
                uuid: "u1".into(),
                reason: CloseReason::Ended,
            },
            TraceEvent::Inbound { agent: Arc::clone(&agent), id: "u1".into(), event: Event::Timer },
            TraceEvent::Inbound { agent, id: "u2".into(), event: Event::ChatDelta(delta) },
        ]
    }

    #[test]
    fn each_kind_has_its_line() {
        let lines: Vec<_> = every_kind().into_iter().map(|event| Observed::from(event).to_string()).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        call wait_for {"ms":5}
        returned wait_for {"result":"u1"}
        opened timer
        closed timer ended
        inbound timer
        inbound chat-delta {"content":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"…(+920 bytes),"reasoning":null,"tool_calls":[],"finish_reason":null,"usage":null}
        "#);
    }

    #[test]
    fn serialized_it_is_the_event_again() {
        for event in every_kind() {
            let observed = Observed::from(event.clone());
            let read: TraceEvent = serde_json::from_value(serde_json::to_value(&observed).unwrap()).unwrap();
            assert_eq!(read, event);
        }
    }
}
