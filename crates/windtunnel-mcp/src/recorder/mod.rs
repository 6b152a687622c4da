//! What is witnessed at one tool server: its calls, its tools, and the failures it is made to show.

mod failure;
mod log;
mod outcome;
mod tools;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use windtunnel_api::artifact::evidence::ToolCall;
use windtunnel_api::secret::Redactor;
use windtunnel_spi::{EvidenceUnavailable, InjectedFailure, Stamped};

pub(crate) use failure::{Injection, injection, timed_out};
use log::CallLog;
pub(crate) use log::Ticket;
pub(crate) use outcome::Outcome;
use tools::ToolPages;
pub(crate) use tools::served;

use crate::limits::RecorderLimits;

/// The memory of one recorder. It outlives the sessions and the servers that it watches.
#[derive(Debug)]
pub(crate) struct Recorder {
    server: String,
    redactor: Redactor,
    log: Mutex<CallLog>,
    failures: Mutex<HashMap<String, InjectedFailure>>,
    tools: Mutex<ToolPages>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    /// An empty memory of the named server.
    pub(crate) fn new(server: &str, redactor: Redactor, limits: &RecorderLimits) -> Self {
        Self {
            server: server.to_owned(),
            redactor,
            log: Mutex::new(CallLog::new(limits.logged_calls, limits.logged_bytes)),
            failures: Mutex::default(),
            tools: Mutex::default(),
        }
    }

    /// The server's name.
    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// What hides secrets in everything that is kept.
    pub(crate) fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// A call arrives. Its arguments are kept redacted.
    pub(crate) fn begin(&self, tool: &str, mut args: Value, bytes: usize) -> Ticket {
        self.redactor.value(&mut args);
        lock(&self.log).begin(&self.server, self.redactor.text(tool), args, bytes)
    }

    /// A call is answered, or will never be.
    pub(crate) fn finish(&self, ticket: Ticket, outcome: Outcome, bytes: usize) {
        let outcome = match outcome {
            Outcome::Result(mut value) => {
                self.redactor.value(&mut value);
                Outcome::Result(value)
            }
            Outcome::Error(text) => Outcome::Error(self.redactor.text(&text)),
        };
        lock(&self.log).finish(ticket, outcome, bytes);
    }

    /// A call is answered with this raw `result` of JSON-RPC.
    pub(crate) fn finish_with_result(&self, ticket: Ticket, raw: &str) {
        match Outcome::of_result(raw) {
            Ok(outcome) => self.finish(ticket, outcome, raw.len()),
            Err(error) => {
                let why = format!("the result of a call cannot be read: {error}");
                self.finish(ticket, Outcome::Error(why.clone()), 0);
                self.lose(&why);
            }
        }
    }

    /// Something worth knowing about a call besides its result: it is kept in its `extra`.
    pub(crate) fn note(&self, ticket: Ticket, key: &str, value: Value) {
        lock(&self.log).note(ticket, key, value);
    }

    /// From now until the next reset the log is not to be trusted.
    pub(crate) fn lose(&self, why: &str) {
        lock(&self.log).lose(why);
    }

    /// The server ended though nobody ended it: nobody knows what it would have done. This outlasts a reset.
    pub(crate) fn server_ended(&self, how: &str) {
        lock(&self.log).server_ended(&self.redactor.text(how));
    }

    /// Another server is there, which the end of the one before says nothing about.
    pub(crate) fn server_replaced(&self) {
        lock(&self.log).server_replaced();
    }

    /// Sessions can no longer be trusted to witness anything; a reset does not help.
    pub(crate) fn relay_died(&self) {
        lock(&self.log).relay_died();
    }

    /// The calls since the last reset.
    pub(crate) fn calls(&self) -> Result<Vec<Stamped<ToolCall>>, EvidenceUnavailable> {
        lock(&self.log).calls().map_err(|why| EvidenceUnavailable::new(&self.server, why))
    }

    /// Forgets the calls, also those that are still to be answered.
    pub(crate) fn reset(&self) {
        lock(&self.log).reset();
    }

    /// Makes the tool fail like this from now on.
    pub(crate) fn inject(&self, tool: &str, failure: InjectedFailure) {
        lock(&self.failures).insert(tool.to_owned(), failure);
    }

    /// How the tool is made to fail.
    pub(crate) fn injected(&self, tool: &str) -> Option<InjectedFailure> {
        lock(&self.failures).get(tool).copied()
    }

    /// A page of `tools/list` was answered with this raw result.
    pub(crate) fn listed(&self, cursor: Option<&str>, raw: &str) {
        lock(&self.tools).page(cursor, raw);
    }

    /// The server says that its tools changed.
    pub(crate) fn tools_changed(&self) {
        lock(&self.tools).forget();
    }

    /// The definitions of the last complete list, if there is one.
    pub(crate) fn tools(&self) -> Option<Vec<Value>> {
        lock(&self.tools).complete()
    }
}
