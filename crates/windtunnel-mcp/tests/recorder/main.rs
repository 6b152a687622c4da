//! Real servers and real clients on both sides of the recorder.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod agent_http;
mod bridge;
mod desk;
mod failures;
mod http_server;
mod stdio_server;
mod support;
mod universe;
mod workspace;
