//! What the relay does with the messages of agents.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::machine::{Handshake, OutgoingKind, Relay};
use super::pending::{Conn, Kind, Pending};
use crate::message::{
    self, INVALID_PARAMS, INVALID_REQUEST, Message, PARSE_ERROR, Params, error, id_key, splice,
};
use crate::recorder::{Injection, Outcome, Ticket, injection};

/// The entry of a call's `extra` that names the failure it was made to show.
const INJECTED: &str = "injected";

/// What becomes of a call.
enum Called {
    Through(Ticket),
    Held(Ticket, Duration),
    /// With this raw result.
    Answered(String),
}

impl Relay {
    pub(super) fn agent(&mut self, conn: Conn, text: &str) {
        let messages = match message::split(text) {
            Ok(messages) => messages,
            Err(why) => {
                return self.notify(conn, error("null", PARSE_ERROR, &format!("not JSON-RPC: {why}")), None);
            }
        };
        for text in messages {
            match Message::parse(text) {
                Ok(Message::Request { id, method, params }) => self.request(conn, text, id, &method, params),
                Ok(Message::Notification { method, params }) => {
                    self.notification(conn, text, &method, params);
                }
                Ok(Message::Response { id, .. }) => {
                    let expected = id.is_some_and(|id| self.requests.answered(&id_key(id), conn));
                    if expected {
                        self.send(text.to_owned(), OutgoingKind::OneWay);
                    } else {
                        tracing::debug!(server = self.recorder.server(), "an answer that nobody asked for");
                    }
                }
                Err(why) => {
                    self.notify(conn, error("null", PARSE_ERROR, &format!("not JSON-RPC: {why}")), None);
                }
            }
        }
    }

    fn request(&mut self, conn: Conn, text: &str, id: &RawValue, method: &str, params: Option<&RawValue>) {
        let key: Arc<str> = id_key(id).into();
        let refuse = |code, why: &str| error(id.get(), code, why);
        if self.requests.is_open(conn, &key) {
            let why = format!("request id {id} is still in use: wait for its answer, or use another id");
            return self.answer(conn, &key, refuse(INVALID_REQUEST, &why));
        }
        if self.requests.len() >= self.max_pending {
            let why = format!("{} requests are waiting for answers already", self.max_pending);
            return self.answer(conn, &key, refuse(INVALID_REQUEST, &why));
        }
        if self.shared && method == "initialize" && self.joins(conn, id, &key) {
            return;
        }
        let read = match Params::read(params) {
            Ok(read) => read,
            // What cannot be read cannot be witnessed; other methods are the server's to judge.
            Err(why) if method == "tools/call" => {
                return self.answer(
                    conn,
                    &key,
                    refuse(INVALID_PARAMS, &format!("params of tools/call: {why}")),
                );
            }
            Err(_) => Params::default(),
        };
        let kind = match method {
            "initialize" => Kind::Initialize,
            "tools/list" => Kind::ListTools { cursor: message::string(read.cursor) },
            "tools/call" => match self.call(&read) {
                Ok(Called::Through(ticket)) => Kind::Call(ticket),
                Ok(Called::Held(ticket, hold)) => Kind::Held(ticket, hold),
                Ok(Called::Answered(result)) => {
                    return self.answer(conn, &key, message::result(id.get(), &result));
                }
                Err(why) => return self.answer(conn, &key, refuse(INVALID_PARAMS, &why)),
            },
            _ => Kind::Plain,
        };
        let pending = Pending { conn, id: id.get().to_owned(), key, kind };
        if let Some(why) = self.gone.clone() {
            if let Some(how) = self.unmissed.take() {
                self.recorder.server_ended(&how);
            }
            return self.fail(&pending, &why);
        }
        self.forward(pending, text, id, read.meta().progress_token);
    }

    fn forward(&mut self, pending: Pending, text: &str, id: &RawValue, token: Option<&RawValue>) {
        let held = if let Kind::Held(_, hold) = pending.kind { Some(hold) } else { None };
        let initialize = matches!(pending.kind, Kind::Initialize);
        let ours = self.requests.open(pending, token.map(RawValue::get));
        if let Some(hold) = held {
            return self.hold(ours, hold);
        }
        if initialize && self.shared {
            self.handshake = Handshake::Running(Vec::new());
        }
        let new_id = ours.to_string();
        let mut edits = vec![(id.get(), new_id.as_str())];
        edits.extend(token.map(|token| (token.get(), new_id.as_str())));
        let kind = if initialize { OutgoingKind::Initialize(ours) } else { OutgoingKind::Request(ours) };
        self.send(splice(text, edits), kind);
    }

    /// Whether the connection joins a session that another one has opened.
    fn joins(&mut self, conn: Conn, id: &RawValue, key: &Arc<str>) -> bool {
        match &mut self.handshake {
            Handshake::None => return false,
            Handshake::Running(waiting) => waiting.push((conn, id.get().to_owned(), Arc::clone(key))),
            Handshake::Done { result, .. } => {
                let text = message::result(id.get(), result);
                self.conns.insert(conn, true);
                self.answer(conn, key, text);
            }
        }
        true
    }

    /// Witnesses a call, and decides whether it reaches the server.
    fn call(&mut self, params: &Params<'_>) -> Result<Called, String> {
        let tool = message::string(params.name).ok_or("params of tools/call: `name` is not a string")?;
        let raw = params.arguments.map_or("{}", RawValue::get);
        let args = serde_json::from_str::<Value>(raw).map_err(|error| {
            format!("arguments of {tool} cannot be witnessed, so the call is refused: {error}")
        })?;
        let args = if args.is_null() { Value::Object(Map::new()) } else { args };
        let Some(failure) = self.recorder.injected(&tool) else {
            return Ok(Called::Through(self.recorder.begin(&tool, args, raw.len())));
        };
        let instead = injection(failure, &tool, &args);
        let ticket = self.recorder.begin(&tool, args, raw.len());
        self.recorder.note(ticket, INJECTED, failure.name().into());
        Ok(match instead {
            Injection::Silence(hold) => Called::Held(ticket, hold),
            Injection::Result(result) => {
                let result = result.to_string();
                self.recorder.finish_with_result(ticket, &result);
                Called::Answered(result)
            }
        })
    }

    fn notification(&mut self, conn: Conn, text: &str, method: &str, params: Option<&RawValue>) {
        match method {
            "notifications/cancelled" => self.cancel(conn, text, params),
            "notifications/initialized" if self.shared => {
                if let Handshake::Done { confirmed, .. } = &mut self.handshake
                    && !std::mem::replace(confirmed, true)
                {
                    self.send(text.to_owned(), OutgoingKind::OneWay);
                }
            }
            _ => self.send(text.to_owned(), OutgoingKind::OneWay),
        }
    }

    /// A cancellation of a request that is not open has nothing to cancel, and is dropped.
    fn cancel(&mut self, conn: Conn, text: &str, params: Option<&RawValue>) {
        let Ok(Params { request_id: Some(request), .. }) = Params::read(params) else { return };
        let Some((ours, pending)) = self.requests.of_agent(conn, &id_key(request)) else { return };
        if let Kind::Call(ticket) | Kind::Held(ticket, _) = pending.kind {
            let held = matches!(pending.kind, Kind::Held(..));
            pending.kind = Kind::Cancelled(ticket);
            let why = "cancelled by the agent before it was answered";
            self.recorder.finish(ticket, Outcome::Error(why.to_owned()), 0);
            if held {
                self.requests.close(ours);
                return;
            }
        }
        self.send(splice(text, vec![(request.get(), &ours.to_string())]), OutgoingKind::OneWay);
    }
}
