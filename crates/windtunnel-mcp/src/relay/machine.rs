//! The state machine: one message in, what to send out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::pending::{Conn, Kind, Pending, Requests};
use crate::message::{PARSE_ERROR, REQUEST_TIMEOUT, SERVER_GONE, error};
use crate::outbox::Weigh;
use crate::recorder::{Outcome, Recorder, timed_out};

/// Something that happens to a session.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event<'a> {
    /// An agent connects.
    Opened(Conn),
    /// It sends a message, or a batch.
    Agent(Conn, &'a str),
    /// It sends something that is no message.
    Garbage(Conn, &'a str),
    /// It is gone.
    Closed(Conn),
    /// The server sends a message, or a batch; over HTTP maybe on the stream of one request.
    Server { text: &'a str, about: Option<u64> },
    /// The server says something about a call that is for the evidence alone.
    Noted { request: u64, key: &'a str, value: &'a Value },
    /// A request was kept waiting for as long as it had to be.
    Held { request: u64 },
    /// One request did not get through to the server.
    Undelivered { request: u64, why: &'a str },
    /// The server is gone; what agents are told.
    Gone(&'a str),
    /// The same where nobody asked the server to end; how it did is what the evidence is missing for.
    Died { why: &'a str, how: &'a str },
    /// The session ends.
    Ended(&'a str),
}

/// What is to be done about it.
#[derive(Debug, PartialEq)]
pub(crate) enum Action {
    ToServer(Outgoing),
    ToAgent(Conn, Delivery),
    Close(Conn),
    /// [`Event::Held`] is due after this long.
    Hold {
        request: u64,
        hold: Duration,
    },
}

/// A message to the server.
#[derive(Debug, PartialEq)]
pub(crate) struct Outgoing {
    pub(crate) text: String,
    pub(crate) kind: OutgoingKind,
}

/// What a message to the server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutgoingKind {
    /// A request with this id.
    Request(u64),
    /// The request that opens the session.
    Initialize(u64),
    /// A notification or a response.
    OneWay,
}

impl Weigh for Delivery {
    fn bytes(&self) -> usize {
        self.text.len()
    }
}

impl Weigh for Outgoing {
    fn bytes(&self) -> usize {
        self.text.len()
    }
}

/// A message to an agent.
#[derive(Debug, PartialEq)]
pub(crate) struct Delivery {
    pub(crate) text: String,
    /// The agent's request that it belongs to, by [`id_key`].
    pub(crate) about: Option<Arc<str>>,
    /// Whether it answers that request.
    pub(crate) answer: bool,
}

/// How far the one session of a shared server is opened.
#[derive(Debug)]
pub(super) enum Handshake {
    None,
    /// The server is being initialised; these wait for the same result.
    Running(Vec<(Conn, String, Arc<str>)>),
    /// The raw result, and whether `notifications/initialized` was sent.
    Done {
        result: String,
        confirmed: bool,
    },
}

/// The relay between agents and one session of a server.
#[derive(Debug)]
pub(crate) struct Relay {
    pub(super) recorder: Arc<Recorder>,
    pub(super) shared: bool,
    pub(super) max_pending: usize,
    pub(super) requests: Requests,
    /// Every connection, and whether it was initialised.
    pub(super) conns: BTreeMap<Conn, bool>,
    pub(super) handshake: Handshake,
    pub(super) gone: Option<String>,
    /// How the server died, as long as no agent has missed it.
    pub(super) unmissed: Option<String>,
    out: Vec<Action>,
}

impl Relay {
    /// A relay that nobody is connected to.
    pub(crate) fn new(recorder: Arc<Recorder>, shared: bool, max_pending: usize) -> Self {
        Self {
            recorder,
            shared,
            max_pending,
            requests: Requests::default(),
            conns: BTreeMap::new(),
            handshake: Handshake::None,
            gone: None,
            unmissed: None,
            out: Vec::new(),
        }
    }

    /// Takes one event; the answer is what to do, in order.
    pub(crate) fn on(&mut self, event: Event<'_>) -> Vec<Action> {
        match event {
            Event::Opened(conn) => {
                self.conns.insert(conn, false);
            }
            Event::Agent(conn, text) => self.agent(conn, text),
            Event::Garbage(conn, why) => self.notify(conn, error("null", PARSE_ERROR, why), None),
            Event::Closed(conn) => self.closed(conn),
            Event::Server { text, about } => self.server(text, about),
            Event::Noted { request, key, value } => self.noted(request, key, value),
            Event::Held { request } => self.held(request),
            Event::Undelivered { request, why } => self.undelivered(request, why),
            Event::Gone(why) => self.gone(why),
            Event::Died { why, how } => self.died(why, how),
            Event::Ended(why) => self.ended(why),
        }
        std::mem::take(&mut self.out)
    }

    /// Whether an agent waits for an answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.requests.len() > 0
    }

    fn noted(&self, request: u64, key: &str, value: &Value) {
        if let Some(Kind::Call(ticket) | Kind::Cancelled(ticket)) =
            self.requests.get(request).map(|pending| &pending.kind)
        {
            self.recorder.note(*ticket, key, value.clone());
        }
    }

    pub(super) fn hold(&mut self, request: u64, hold: Duration) {
        self.out.push(Action::Hold { request, hold });
    }

    /// A call that was neither cancelled nor left behind meanwhile has timed out.
    fn held(&mut self, request: u64) {
        let Some(pending) = self.requests.close(request) else { return };
        if let Kind::Held(ticket, hold) = pending.kind {
            let why = timed_out(hold);
            self.answer(pending.conn, &pending.key, error(&pending.id, REQUEST_TIMEOUT, &why));
            self.recorder.finish(ticket, Outcome::Error(why), 0);
        }
    }

    pub(super) fn send(&mut self, text: String, kind: OutgoingKind) {
        self.out.push(Action::ToServer(Outgoing { text, kind }));
    }

    pub(super) fn notify(&mut self, conn: Conn, text: String, about: Option<Arc<str>>) {
        self.out.push(Action::ToAgent(conn, Delivery { text, about, answer: false }));
    }

    pub(super) fn answer(&mut self, conn: Conn, key: &Arc<str>, text: String) {
        self.out.push(Action::ToAgent(conn, Delivery { text, about: Some(Arc::clone(key)), answer: true }));
    }
}

/// Ends: of a connection, of a request, of the server, of the session.
impl Relay {
    fn closed(&mut self, conn: Conn) {
        if self.conns.remove(&conn).is_none() {
            return;
        }
        if let Handshake::Running(waiting) = &mut self.handshake {
            waiting.retain(|(waiter, ..)| *waiter != conn);
        }
        let (open, asked) = self.requests.leave(conn);
        for (ours, pending) in open {
            self.unanswered(&pending, "the agent closed its connection before the call was answered");
            match pending.kind {
                // Others may wait for its result: the session belongs to all of them.
                Kind::Initialize if self.shared => {
                    self.requests.reopen(ours, pending);
                    continue;
                }
                Kind::Held(..) | Kind::Cancelled(_) => continue,
                _ => {}
            }
            let why = r#""the agent closed its connection""#;
            let cancelled = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{ours},"reason":{why}}}}}"#
            );
            self.send(cancelled, OutgoingKind::OneWay);
        }
        for id in asked {
            let text = error(&id, SERVER_GONE, "the agent closed its connection before it answered");
            self.send(text, OutgoingKind::OneWay);
        }
    }

    fn undelivered(&mut self, request: u64, why: &str) {
        if let Some(pending) = self.requests.close(request) {
            self.fail(&pending, why);
        }
    }

    fn gone(&mut self, why: &str) {
        if self.gone.is_none() {
            self.gone = Some(why.to_owned());
            for pending in self.requests.drain() {
                self.fail(&pending, why);
            }
        }
    }

    /// A server that nobody is connected to, and nobody calls any more, may end.
    fn died(&mut self, why: &str, how: &str) {
        if self.conns.is_empty() && self.requests.len() == 0 {
            self.unmissed = Some(how.to_owned());
        } else {
            self.recorder.server_ended(how);
        }
        self.gone(why);
    }

    /// Answers a request in the server's place.
    pub(super) fn fail(&mut self, pending: &Pending, why: &str) {
        self.unanswered(pending, why);
        if let Kind::Initialize = pending.kind
            && let Handshake::Running(waiting) = std::mem::replace(&mut self.handshake, Handshake::None)
        {
            for (conn, id, key) in waiting {
                self.answer(conn, &key, error(&id, SERVER_GONE, why));
            }
        }
        if self.conns.contains_key(&pending.conn) {
            self.answer(pending.conn, &pending.key, error(&pending.id, SERVER_GONE, why));
        }
    }

    /// A call will never be answered. Where somebody wanted it so, the log says that already, or says nothing else.
    fn unanswered(&self, pending: &Pending, why: &str) {
        let (ticket, why) = match pending.kind {
            Kind::Call(ticket) => (ticket, why),
            Kind::Held(ticket, _) => (ticket, "no answer"),
            _ => return,
        };
        self.recorder.finish(ticket, Outcome::Error(why.to_owned()), 0);
    }

    fn ended(&mut self, why: &str) {
        for pending in self.requests.drain() {
            self.unanswered(&pending, why);
        }
        self.gone.get_or_insert_with(|| why.to_owned());
        let conns = std::mem::take(&mut self.conns);
        self.out.extend(conns.into_keys().map(Action::Close));
    }
}
