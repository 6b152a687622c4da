//! Who waits for what: requests of agents at the server, and of the server at agents.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use crate::recorder::Ticket;

/// An agent's connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Conn(pub(crate) u64);

/// A request of an agent that the server has not answered yet.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) conn: Conn,
    /// The agent's id as it wrote it.
    pub(super) id: String,
    /// The same in its one spelling.
    pub(super) key: Arc<str>,
    pub(super) kind: Kind,
}

/// What has to be done with the answer, besides passing it on.
#[derive(Debug)]
pub(super) enum Kind {
    Plain,
    Initialize,
    ListTools {
        cursor: Option<String>,
    },
    Call(Ticket),
    /// A call that the agent does not want to be answered any more; some servers answer nevertheless.
    Cancelled(Ticket),
    /// A call that the server never saw and that is kept waiting this long.
    Held(Ticket, Duration),
}

/// Progress tokens that are remembered; they may outlive their request, so the oldest are forgotten.
const MAX_TOKENS: usize = 10_000;

/// Where progress belongs.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) conn: Conn,
    /// The agent's token as it wrote it.
    pub(super) raw: String,
    /// The request it came with.
    pub(super) request: Arc<str>,
}

/// The open requests of a session, in both directions.
#[derive(Debug, Default)]
pub(super) struct Requests {
    next: u64,
    at_server: BTreeMap<u64, Pending>,
    by_agent: HashMap<(Conn, Arc<str>), u64>,
    tokens: BTreeMap<u64, Token>,
    at_agent: HashMap<String, Conn>,
}

impl Requests {
    /// How many requests the server has to answer.
    pub(super) fn len(&self) -> usize {
        self.at_server.len()
    }

    /// Whether this agent already waits for an answer under this id.
    pub(super) fn is_open(&self, conn: Conn, key: &Arc<str>) -> bool {
        self.by_agent.contains_key(&(conn, Arc::clone(key)))
    }

    /// Remembers a request; the answer is the id that the server gets.
    pub(super) fn open(&mut self, pending: Pending, token: Option<&str>) -> u64 {
        self.next += 1;
        let id = self.next;
        if let Some(raw) = token {
            let token = Token { conn: pending.conn, raw: raw.to_owned(), request: Arc::clone(&pending.key) };
            self.tokens.insert(id, token);
            if self.tokens.len() > MAX_TOKENS {
                self.tokens.pop_first();
            }
        }
        self.by_agent.insert((pending.conn, Arc::clone(&pending.key)), id);
        self.at_server.insert(id, pending);
        id
    }

    /// Remembers a request again that was closed, under the id that the server knows.
    pub(super) fn reopen(&mut self, id: u64, pending: Pending) {
        self.by_agent.insert((pending.conn, Arc::clone(&pending.key)), id);
        self.at_server.insert(id, pending);
    }

    /// The request is answered.
    pub(super) fn close(&mut self, id: u64) -> Option<Pending> {
        let pending = self.at_server.remove(&id)?;
        self.by_agent.remove(&(pending.conn, Arc::clone(&pending.key)));
        Some(pending)
    }

    /// The open request of the server's id.
    pub(super) fn get(&self, id: u64) -> Option<&Pending> {
        self.at_server.get(&id)
    }

    /// The open request of the agent's id.
    pub(super) fn of_agent(&mut self, conn: Conn, key: &str) -> Option<(u64, &mut Pending)> {
        let id = *self.by_agent.get(&(conn, Arc::from(key)))?;
        Some((id, self.at_server.get_mut(&id)?))
    }

    /// The request that was opened last and is still open.
    pub(super) fn last(&self) -> Option<&Pending> {
        self.at_server.last_key_value().map(|(_, pending)| pending)
    }

    /// Where progress with this token of ours belongs.
    pub(super) fn token(&self, token: &str) -> Option<&Token> {
        self.tokens.get(&token.parse().ok()?)
    }

    /// The server asks this agent.
    pub(super) fn ask(&mut self, key: String, conn: Conn) {
        self.at_agent.insert(key, conn);
    }

    /// The agent that the server asked under this id.
    pub(super) fn asked(&self, key: &str) -> Option<Conn> {
        self.at_agent.get(key).copied()
    }

    /// The agent answered, if it was the one that was asked.
    pub(super) fn answered(&mut self, key: &str, conn: Conn) -> bool {
        self.asked(key) == Some(conn) && self.at_agent.remove(key).is_some()
    }

    /// Forgets a connection: its open requests, and the ids under which the server waits for it.
    pub(super) fn leave(&mut self, conn: Conn) -> (Vec<(u64, Pending)>, Vec<String>) {
        self.tokens.retain(|_, token| token.conn != conn);
        let ids: Vec<u64> =
            self.at_server.iter().filter(|(_, pending)| pending.conn == conn).map(|(id, _)| *id).collect();
        let open = ids.into_iter().filter_map(|id| Some((id, self.close(id)?))).collect();
        let mut asked = Vec::new();
        self.at_agent.retain(|key, to| {
            if *to == conn {
                asked.push(key.clone());
            }
            *to != conn
        });
        (open, asked)
    }

    /// Forgets everything; what was open, in the order it was opened.
    pub(super) fn drain(&mut self) -> Vec<Pending> {
        self.by_agent.clear();
        self.at_agent.clear();
        std::mem::take(&mut self.at_server).into_values().collect()
    }
}
