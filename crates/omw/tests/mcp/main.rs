//! Tool servers over MCP, against real ones: a program that is started, and one behind an HTTP address.

#![cfg(feature = "mcp")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod http;
mod resources;
mod shelf;
mod stdio;
mod support;
