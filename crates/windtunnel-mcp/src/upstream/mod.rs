//! The servers' side: what a session's messages are sent to.
//!
//! Each kind is a future that takes a session's messages until the session is cancelled or the server is gone.

mod builtin;
pub(crate) mod http;
pub(crate) mod stdio;
pub(crate) mod universe;
pub(crate) mod workspace;
