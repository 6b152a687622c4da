//! The servers' side: what a session's messages are sent to.
//!
//! Each kind is a future that takes a session's messages until the session is cancelled or the server is gone.

pub(crate) mod http;
pub(crate) mod stdio;
pub(crate) mod workspace;
