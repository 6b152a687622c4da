//! The agents' side: how an agent's messages reach a session, and come back.

pub(crate) mod http;
pub(crate) mod lines;

use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

use crate::relay::{AgentSink, Closed, Conn, Session};

/// An agent's connection to a session. It leaves when this is dropped.
pub(crate) struct AgentLink {
    session: Arc<Session>,
    conn: Conn,
    _slot: Option<OwnedSemaphorePermit>,
}

impl AgentLink {
    /// Connects.
    pub(crate) fn join(
        session: Arc<Session>,
        sink: Arc<dyn AgentSink>,
        slot: Option<OwnedSemaphorePermit>,
    ) -> Result<Self, Closed> {
        let conn = session.join(sink)?;
        Ok(Self { session, conn, _slot: slot })
    }

    /// The agent sends a message or a batch.
    pub(crate) fn send(&self, text: &str) {
        self.session.agent_sends(self.conn, text);
    }

    /// The agent sends something that is no message.
    pub(crate) fn garbage(&self, why: &str) {
        self.session.garbage(self.conn, why);
    }

    /// Waits until nobody waits for an answer.
    pub(crate) async fn idle(&self) {
        self.session.idle().await;
    }
}

impl Drop for AgentLink {
    fn drop(&mut self) {
        self.session.leave(self.conn);
    }
}
