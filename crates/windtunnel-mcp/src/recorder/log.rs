//! The witnessed calls: in order of arrival, bounded, and never silently cut.

use std::time::Instant;

use serde_json::{Map, Value};
use windtunnel_api::artifact::evidence::{ToolCall, Witness};
use windtunnel_spi::{Moment, Stamped};

use super::outcome::Outcome;

/// A call that was witnessed and may still be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ticket(u64);

#[derive(Debug)]
pub(super) struct CallLog {
    calls: Vec<(Instant, Stamped<ToolCall>)>,
    /// The ticket of the first kept call.
    first: u64,
    bytes: usize,
    max_calls: usize,
    max_bytes: usize,
    lost: Option<String>,
    died: bool,
    /// How the server ended though nobody ended it; only another server makes up for that.
    ended: Option<String>,
}

impl CallLog {
    pub(super) fn new(max_calls: usize, max_bytes: usize) -> Self {
        Self {
            calls: Vec::new(),
            first: 0,
            bytes: 0,
            max_calls,
            max_bytes,
            lost: None,
            died: false,
            ended: None,
        }
    }

    /// Keeps a call as not answered yet; nothing is kept once something was lost.
    pub(super) fn begin(&mut self, server: &str, tool: String, args: Value, bytes: usize) -> Ticket {
        let ticket = Ticket(self.first + self.calls.len() as u64);
        if self.calls.len() >= self.max_calls {
            self.lose(&format!("more than {} calls were made between two resets", self.max_calls));
        }
        self.weigh(bytes);
        if self.lost.is_none() {
            let value = ToolCall {
                server: server.to_owned(),
                tool,
                args,
                result: Value::Null,
                error: Some("no answer".to_owned()),
                ms: 0.0,
                witness: Witness::Recorder,
                extra: None,
            };
            self.calls.push((Instant::now(), Moment::now().with(value)));
        } else {
            self.first += 1;
        }
        ticket
    }

    /// Keeps how a call ended. A call from before the last reset is not known any more.
    pub(super) fn finish(&mut self, ticket: Ticket, outcome: Outcome, bytes: usize) {
        self.weigh(bytes);
        let Some((began, call)) = self.call(ticket) else { return };
        call.value.ms = began.elapsed().as_secs_f64() * 1000.0;
        (call.value.result, call.value.error) = match outcome {
            Outcome::Result(value) => (value, None),
            Outcome::Error(text) => (Value::Null, Some(text)),
        };
    }

    /// Keeps something about a call in its `extra`.
    pub(super) fn note(&mut self, ticket: Ticket, key: &str, value: Value) {
        let Some((_, call)) = self.call(ticket) else { return };
        let extra = call.value.extra.get_or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(extra) = extra {
            extra.insert(key.to_owned(), value);
        }
    }

    fn call(&mut self, Ticket(ticket): Ticket) -> Option<&mut (Instant, Stamped<ToolCall>)> {
        let index = usize::try_from(ticket.checked_sub(self.first)?).ok()?;
        self.calls.get_mut(index)
    }

    fn weigh(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.max_bytes {
            self.lose(&format!(
                "arguments and results came to more than {} bytes between two resets",
                self.max_bytes
            ));
        }
    }

    pub(super) fn lose(&mut self, why: &str) {
        if self.lost.is_none() {
            self.lost = Some(why.to_owned());
            self.first += self.calls.len() as u64;
            self.calls = Vec::new();
        }
    }

    pub(super) fn relay_died(&mut self) {
        self.died = true;
    }

    /// The server ended though nobody ended it.
    pub(super) fn server_ended(&mut self, how: &str) {
        self.ended.get_or_insert_with(|| how.to_owned());
    }

    /// Another server is there.
    pub(super) fn server_replaced(&mut self) {
        self.ended = None;
    }

    pub(super) fn calls(&self) -> Result<Vec<Stamped<ToolCall>>, String> {
        match self.ended.as_ref().or(self.lost.as_ref()) {
            _ if self.died => Err("the recorder itself failed; this is a fault of ours".to_owned()),
            Some(why) => Err(why.clone()),
            None => Ok(self.calls.iter().map(|(_, call)| call.clone()).collect()),
        }
    }

    pub(super) fn reset(&mut self) {
        self.first += self.calls.len() as u64;
        self.calls.clear();
        self.bytes = 0;
        self.lost = None;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn begin(log: &mut CallLog, tool: &str) -> Ticket {
        log.begin("crm", tool.to_owned(), json!({}), 2)
    }

    #[test]
    fn calls_are_kept_in_order_of_arrival_and_finished_in_any_order() {
        let mut log = CallLog::new(10, 100);
        let (a, b) = (begin(&mut log, "a"), begin(&mut log, "b"));
        log.finish(b, Outcome::Result(json!("B")), 1);
        let calls = log.calls().unwrap();
        assert!(calls[0].stamp < calls[1].stamp && calls[0].at_ms > 1e12);
        assert_eq!(calls[0].value.error.as_deref(), Some("no answer"));
        assert_eq!((&calls[1].value.result, &calls[1].value.error), (&json!("B"), &None));
        log.finish(a, Outcome::Error("no".to_owned()), 1);
        assert_eq!(log.calls().unwrap()[0].value.error.as_deref(), Some("no"));
    }

    #[test]
    fn what_is_noted_of_a_call_stays_with_it() {
        let mut log = CallLog::new(10, 100);
        let (a, b) = (begin(&mut log, "a"), begin(&mut log, "b"));
        log.note(a, "injected", json!("timeout"));
        log.note(a, "divergence", json!({"policy": "empty"}));
        let calls = log.calls().unwrap();
        let both = json!({"injected": "timeout", "divergence": {"policy": "empty"}});
        assert_eq!((&calls[0].value.extra, &calls[1].value.extra), (&Some(both), &None));
        log.reset();
        log.note(b, "late", json!(1));
        assert!(log.calls().unwrap().is_empty());
    }

    #[test]
    fn an_answer_to_a_call_from_before_the_reset_is_ignored() {
        let mut log = CallLog::new(10, 100);
        let old = begin(&mut log, "old");
        log.reset();
        begin(&mut log, "new");
        log.finish(old, Outcome::Result(json!("late")), 1);
        let calls = log.calls().unwrap();
        assert_eq!((calls.len(), calls[0].value.error.as_deref()), (1, Some("no answer")));
    }

    #[test]
    fn a_full_log_is_unavailable_and_says_so_until_the_reset() {
        let mut log = CallLog::new(2, 100);
        for tool in ["a", "b", "c"] {
            begin(&mut log, tool);
        }
        assert_eq!(log.calls().unwrap_err(), "more than 2 calls were made between two resets");
        log.reset();
        let call = begin(&mut log, "d");
        log.finish(call, Outcome::Result(json!("x")), 99);
        assert_eq!(
            log.calls().unwrap_err(),
            "arguments and results came to more than 100 bytes between two resets"
        );
        let unkept = begin(&mut log, "e");
        log.reset();
        begin(&mut log, "f");
        log.finish(unkept, Outcome::Result(json!("late")), 1);
        assert_eq!(log.calls().unwrap()[0].value.error.as_deref(), Some("no answer"));
    }

    #[test]
    fn a_server_that_ended_makes_the_log_unavailable_until_there_is_another_one() {
        let mut log = CallLog::new(2, 100);
        log.server_ended("it ended");
        log.server_ended("it ended again");
        log.reset();
        assert_eq!(log.calls().unwrap_err(), "it ended");
        log.server_replaced();
        assert!(log.calls().unwrap().is_empty());
    }

    #[test]
    fn a_dead_relay_stays_unavailable() {
        let mut log = CallLog::new(2, 100);
        log.relay_died();
        log.reset();
        assert!(log.calls().unwrap_err().contains("the recorder itself failed"));
    }
}
