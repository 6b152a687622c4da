//! The relay between agents and one session of an MCP server.
//!
//! [`Relay`] is a state machine without I/O: one message in, what to send out. It changes request ids and progress
//! tokens, so that several agents can share a session, and nothing else: every other byte passes through. A
//! [`Session`] puts it between an upstream and the agents' connections.
//!
//! A stdio server has exactly one session. Its relay is `shared`: the first `initialize` reaches the server, and every
//! later connection is answered with the same result. Other servers get a session for each connection.

mod from_agent;
mod from_server;
mod machine;
mod pending;
mod session;

#[cfg(test)]
mod tests;

pub(crate) use machine::{Delivery, Outgoing, OutgoingKind};
pub(crate) use pending::Conn;
pub(crate) use session::{AgentSink, Closed, Session};
