//! What the relay does with the messages of the server.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::machine::{Handshake, OutgoingKind, Relay};
use super::pending::{Conn, Kind, Pending};
use crate::message::{self, Message, Params, Reply, SERVER_GONE, error, id_key, splice};
use crate::recorder::Outcome;

impl Relay {
    pub(super) fn server(&mut self, text: &str, about: Option<u64>) {
        let messages = message::split(text).unwrap_or_else(|_| vec![text]);
        for text in messages {
            match Message::parse(text) {
                Ok(Message::Response { id, reply }) => self.response(text, id, reply),
                Ok(Message::Request { id, .. }) => self.ask(text, id, about),
                Ok(Message::Notification { method, params }) => self.announce(text, &method, params, about),
                Err(why) => {
                    tracing::warn!(
                        server = self.recorder.server(),
                        why,
                        "the server wrote something else than JSON-RPC"
                    );
                }
            }
        }
    }

    fn response(&mut self, text: &str, id: Option<&RawValue>, reply: Reply<'_>) {
        let Some(id) = id else {
            // It answers something that the server could not read, so nobody knows what.
            if let (false, Some((&conn, _))) = (self.shared, self.conns.first_key_value()) {
                self.notify(conn, text.to_owned(), None);
            }
            return;
        };
        let Some(pending) = id.get().parse().ok().and_then(|id| self.requests.close(id)) else {
            tracing::debug!(server = self.recorder.server(), %id, "the server answers a request that is not open");
            return;
        };
        match (&pending.kind, reply) {
            (Kind::Call(ticket) | Kind::Cancelled(ticket), Reply::Result(raw)) => {
                self.recorder.finish_with_result(*ticket, raw);
            }
            (Kind::Call(ticket) | Kind::Cancelled(ticket), Reply::Error(error)) => {
                let text = message::error_text(error);
                let bytes = text.len();
                self.recorder.finish(*ticket, Outcome::Error(text), bytes);
            }
            (Kind::ListTools { cursor }, Reply::Result(raw)) => self.recorder.listed(cursor.as_deref(), raw),
            (Kind::Initialize, reply) => self.initialized(&pending, reply),
            _ => {}
        }
        if self.conns.contains_key(&pending.conn) {
            self.answer(pending.conn, &pending.key, splice(text, vec![(id.get(), &pending.id)]));
        }
    }

    /// The server answered `initialize`: so do we, to everyone who waits for it.
    fn initialized(&mut self, pending: &Pending, reply: Reply<'_>) {
        if let (Some(ready), Reply::Result(_)) = (self.conns.get_mut(&pending.conn), reply) {
            *ready = true;
        }
        if !self.shared {
            return;
        }
        let next = match reply {
            Reply::Result(raw) => Handshake::Done { result: raw.to_owned(), confirmed: false },
            Reply::Error(_) => Handshake::None,
        };
        let Handshake::Running(waiting) = std::mem::replace(&mut self.handshake, next) else { return };
        for (conn, id, key) in waiting {
            let text = match reply {
                Reply::Result(raw) => {
                    self.conns.insert(conn, true);
                    message::result(&id, raw)
                }
                Reply::Error(raw) => format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{raw}}}"#),
            };
            self.answer(conn, &key, text);
        }
    }

    /// The server asks an agent: the one whose request it works on, as far as that can be told.
    fn ask(&mut self, text: &str, id: &RawValue, about: Option<u64>) {
        let working_on = about.and_then(|id| self.requests.get(id)).or_else(|| self.requests.last());
        let (conn, about) = match working_on {
            Some(pending) => (Some(pending.conn), about.is_some().then(|| Arc::clone(&pending.key))),
            None => (self.conns.last_key_value().map(|(conn, _)| *conn), None),
        };
        match conn.filter(|conn| self.conns.contains_key(conn)) {
            Some(conn) => {
                self.requests.ask(id_key(id), conn);
                self.notify(conn, text.to_owned(), about);
            }
            None => {
                self.send(error(id.get(), SERVER_GONE, "no agent is connected"), OutgoingKind::OneWay);
            }
        }
    }

    fn announce(&mut self, text: &str, method: &str, params: Option<&RawValue>, about: Option<u64>) {
        let read = Params::read(params).unwrap_or_default();
        match method {
            "notifications/progress" => {
                if let Some(raw) = read.progress_token
                    && let Some(token) = self.requests.token(raw.get())
                {
                    let (conn, request) = (token.conn, Arc::clone(&token.request));
                    let text = splice(text, vec![(raw.get(), &token.raw)]);
                    return self.notify(conn, text, Some(request));
                }
            }
            "notifications/cancelled" => {
                if let Some(conn) = read.request_id.and_then(|id| self.requests.asked(&id_key(id))) {
                    return self.notify(conn, text.to_owned(), None);
                }
            }
            "notifications/tools/list_changed" => self.recorder.tools_changed(),
            _ => {}
        }
        if let Some(pending) = about.and_then(|id| self.requests.get(id)) {
            let (conn, key) = (pending.conn, Arc::clone(&pending.key));
            return self.notify(conn, text.to_owned(), Some(key));
        }
        let everyone: Vec<Conn> =
            self.conns.iter().filter(|(_, ready)| !self.shared || **ready).map(|(conn, _)| *conn).collect();
        for conn in everyone {
            self.notify(conn, text.to_owned(), None);
        }
    }
}
