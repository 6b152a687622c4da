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

/// What was said up to an answer, and it. An answer that goes on from another shares what was said before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    /// The messages of each request, and those of its answer.
    exchanges: Vec<Arc<[Value]>>,
    /// The names of the tools that were offered.
    pub(crate) offered: Arc<[String]>,
    /// About the size of all of it.
    pub(crate) bytes: usize,
}

impl Said {
    /// All messages, in order.
    pub(crate) fn messages(&self) -> impl Iterator<Item = &Value> {
        self.exchanges.iter().flat_map(|exchange| exchange.iter())
    }

    /// The same and one more exchange.
    pub(super) fn and(&self, exchange: Vec<Value>, offered: Vec<String>, bytes: usize) -> Self {
        let exchanges = self.exchanges.iter().cloned().chain([exchange.into()]).collect();
        Self { exchanges, offered: offered.into(), bytes }
    }
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
        let said = |message: Value, bytes| Said::default().and(vec![message], Vec::new(), bytes);
        let mut history = History::default();
        for n in 0..MAX_ANSWERS + 2 {
            history.remember(format!("resp_{n}"), said(json!(n), 10));
        }
        assert!(history.up_to("resp_1").is_none());
        assert!(history.up_to("resp_2").unwrap().messages().eq([&json!(2)]));
        history.remember("large".to_owned(), said(json!("x"), 2 * MAX_BYTES));
        assert!(history.up_to("resp_257").is_none());
        assert!(history.up_to("large").is_some());
        history.remember("after".to_owned(), said(json!("y"), 10));
        assert_eq!((history.answers.len(), history.bytes), (1, 10));
    }

    #[test]
    fn what_was_said_before_is_shared_by_the_answers_that_go_on_from_it() {
        let first = Said::default().and(vec![json!("a")], Vec::new(), 3);
        let second = first.and(vec![json!("b"), json!("c")], vec!["lookup".to_owned()], 9);
        assert!(second.messages().eq([&json!("a"), &json!("b"), &json!("c")]));
        assert!(std::ptr::eq(first.messages().next().unwrap(), second.messages().next().unwrap()));
        assert_eq!((second.offered[..].join(" ").as_str(), second.bytes), ("lookup", 9));
    }
}
