//! What an event says.

use serde::{Deserialize, Serialize};

/// The fields that every line of the event log has, whatever happened.
pub const COMMON_FIELDS: [&str; 4] = ["ts", "work_item", "ref", "event"];

/// One line of the event log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRecord {
    /// When it happened: RFC 3339 with microseconds.
    pub ts: String,
    /// The item's folder, as in `issue-42`.
    pub work_item: String,
    /// Where the item is discussed, as in `github:e2e/e2e#42`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// What happened.
    #[serde(flatten)]
    pub event: ProcessEvent,
}

/// What happened to an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event")]
pub enum ProcessEvent {
    /// The walk begins.
    #[serde(rename = "graph.started")]
    Started {
        /// The first node.
        node: String,
    },
    /// Nodes are not to be walked.
    #[serde(rename = "graph.skips_declared")]
    SkipsDeclared {
        /// How it was said.
        via: Via,
        /// The nodes, in the order of the graph.
        nodes: Vec<String>,
        /// Who said it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Names that cannot be skipped.
    #[serde(rename = "graph.skips_rejected")]
    SkipsRejected {
        /// How it was said.
        via: Via,
        /// The names, as they were given.
        nodes: Vec<String>,
        /// Who said it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// A node was passed over. It is no pass.
    #[serde(rename = "graph.node_skipped")]
    NodeSkipped {
        /// The node.
        node: String,
        /// How that was decided.
        via: Via,
        /// Who decided it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// The pointer moved along an edge.
    #[serde(rename = "graph.advanced")]
    Advanced {
        /// Where it stood.
        node: String,
        /// Where it stands.
        to: String,
        /// What the edge is on.
        outcome: String,
    },
    /// The walk waits for somebody.
    #[serde(rename = "graph.parked")]
    Parked {
        /// Where.
        node: String,
    },
    /// A gate said no.
    #[serde(rename = "graph.blocked")]
    Blocked {
        /// Where.
        node: String,
        /// The hook that decided.
        hook: String,
        /// What it found.
        messages: Vec<String>,
    },
    /// A hook could not do its work, and that decided nothing.
    #[serde(rename = "graph.hook_degraded")]
    HookDegraded {
        /// The node whose chain it ran in.
        node: String,
        /// The hook.
        hook: String,
        /// What went wrong.
        error: String,
    },
    /// A gate declared an outcome that no edge is on.
    #[serde(rename = "graph.no_edge")]
    NoEdge {
        /// Where.
        node: String,
        /// The outcome.
        outcome: String,
    },
    /// A node was given up.
    #[serde(rename = "graph.escalated")]
    Escalated {
        /// The node.
        node: String,
        /// How often it was tried.
        attempts: u32,
    },
    /// The pointer was put somewhere by hand.
    #[serde(rename = "graph.forced")]
    Forced {
        /// Where it stood.
        node: String,
        /// Where it stands.
        to: String,
        /// Who did it.
        by: String,
        /// Why.
        reason: String,
    },
    /// The walk is over.
    #[serde(rename = "graph.completed")]
    Completed {
        /// The terminal.
        node: String,
    },
    /// An agent asked, and waits for the answer.
    #[serde(rename = "session.awaiting_input")]
    AwaitingInput {
        /// The question.
        question: String,
        /// Whether it was also posted as a comment.
        comment_posted: bool,
    },
    /// An answer was delivered.
    #[serde(rename = "session.reply_sent")]
    ReplySent {
        /// Who answered.
        actor: String,
    },
}

impl ProcessEvent {
    /// All events: their names, and the fields of their own, of which an event leaves out those that say nothing.
    pub const KINDS: [(&str, &[&str]); 14] = [
        ("graph.started", &["node"]),
        ("graph.skips_declared", &["via", "nodes", "by", "reason"]),
        ("graph.skips_rejected", &["via", "nodes", "by"]),
        ("graph.node_skipped", &["node", "via", "by"]),
        ("graph.advanced", &["node", "to", "outcome"]),
        ("graph.parked", &["node"]),
        ("graph.blocked", &["node", "hook", "messages"]),
        ("graph.hook_degraded", &["node", "hook", "error"]),
        ("graph.no_edge", &["node", "outcome"]),
        ("graph.escalated", &["node", "attempts"]),
        ("graph.forced", &["node", "to", "by", "reason"]),
        ("graph.completed", &["node"]),
        ("session.awaiting_input", &["question", "comment_posted"]),
        ("session.reply_sent", &["actor"]),
    ];

    /// The fields that events of this name have of their own; none if there is no such event.
    pub fn fields(name: &str) -> Option<&'static [&'static str]> {
        Self::KINDS.iter().find(|(known, _)| *known == name).map(|(_, fields)| *fields)
    }
}

/// How it was decided that a node is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Via {
    /// Unticked when the phases were selected.
    Selection,
    /// To be opted in, and not ticked.
    NotSelected,
    /// The verb `skip`.
    Cli,
}

impl Via {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Selection, Self::NotSelected, Self::Cli];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Selection => "selection",
            Self::NotSelected => "not-selected",
            Self::Cli => "cli",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_no_other_events_than_those_that_are_named() {
        let unknown = serde_json::from_str::<ProcessEvent>("{\"event\": \"graph.invented\"}").unwrap_err();
        let named = ProcessEvent::KINDS.map(|(name, _)| format!("`{name}`")).join(", ");
        assert!(unknown.to_string().contains(&format!("expected one of {named}")), "{unknown}");
    }

    #[test]
    fn how_a_skip_was_decided_is_written_by_its_name() {
        let written = serde_json::to_value(Via::ALL).unwrap();
        assert_eq!(written, serde_json::json!(Via::ALL.map(Via::name)));
    }

    #[test]
    fn the_fields_of_each_event_are_those_that_it_is_written_with() {
        let text = || "text".to_owned();
        let texts = || vec![text()];
        let via = Via::Cli;
        let events = [
            ProcessEvent::Started { node: text() },
            ProcessEvent::SkipsDeclared { via, nodes: texts(), by: Some(text()), reason: Some(text()) },
            ProcessEvent::SkipsRejected { via, nodes: texts(), by: Some(text()) },
            ProcessEvent::NodeSkipped { node: text(), via, by: Some(text()) },
            ProcessEvent::Advanced { node: text(), to: text(), outcome: text() },
            ProcessEvent::Parked { node: text() },
            ProcessEvent::Blocked { node: text(), hook: text(), messages: texts() },
            ProcessEvent::HookDegraded { node: text(), hook: text(), error: text() },
            ProcessEvent::NoEdge { node: text(), outcome: text() },
            ProcessEvent::Escalated { node: text(), attempts: 3 },
            ProcessEvent::Forced { node: text(), to: text(), by: text(), reason: text() },
            ProcessEvent::Completed { node: text() },
            ProcessEvent::AwaitingInput { question: text(), comment_posted: true },
            ProcessEvent::ReplySent { actor: text() },
        ];
        for (event, (name, fields)) in events.into_iter().zip(ProcessEvent::KINDS) {
            let record = EventRecord { ts: text(), work_item: text(), reference: text(), event };
            let written = serde_json::to_value(record).unwrap();
            let keys: Vec<&str> = written.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(written["event"], name);
            assert_eq!(keys, [&COMMON_FIELDS[..], fields].concat());
        }
    }
}
