//! What was answered before, for requests that go on from an answer instead of sending everything again.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

/// Answers that one case remembers.
pub(crate) const MAX_ANSWERS: usize = 256;

/// Bytes of conversations that one case remembers.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Conversations by the id of their last answer. The oldest are forgotten first.
#[derive(Debug, Default)]
pub(super) struct History {
    answers: VecDeque<Conversation>,
    bytes: usize,
}

#[derive(Debug)]
struct Conversation {
    id: String,
    said: Said,
}

/// What was said up to an answer, and it.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub(crate) messages: Arc<[Value]>,
    /// The names of the tools that were offered.
    pub(crate) offered: Arc<[String]>,
    /// About their size.
    pub(crate) bytes: usize,
}

impl History {
    /// Everything that was said up to this answer, and it.
    pub(super) fn up_to(&self, id: &str) -> Option<Said> {
        let conversation = self.answers.iter().rev().find(|conversation| conversation.id == id)?;
        Some(conversation.said.clone())
    }

    /// Remembers a conversation.
    pub(super) fn remember(&mut self, id: String, said: Said) {
        self.bytes = self.bytes.saturating_add(said.bytes);
        self.answers.push_back(Conversation { id, said });
        while self.answers.len() > MAX_ANSWERS || (self.bytes > MAX_BYTES && self.answers.len() > 1) {
            let forgotten = self.answers.pop_front().map_or(0, |conversation| conversation.said.bytes);
            self.bytes = self.bytes.saturating_sub(forgotten);
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_oldest_answers_are_forgotten_first_and_the_newest_never() {
        let said = |message: Value, bytes| Said { messages: [message].into(), offered: [].into(), bytes };
        let mut history = History::default();
        for n in 0..MAX_ANSWERS + 2 {
            history.remember(format!("resp_{n}"), said(json!(n), 10));
        }
        assert!(history.up_to("resp_1").is_none());
        assert_eq!(history.up_to("resp_2").unwrap().messages[..], [json!(2)]);
        history.remember("large".to_owned(), said(json!("x"), 2 * MAX_BYTES));
        assert!(history.up_to("resp_257").is_none());
        assert!(history.up_to("large").is_some());
        history.remember("after".to_owned(), said(json!("y"), 10));
        assert_eq!((history.answers.len(), history.bytes), (1, 10));
    }
}
