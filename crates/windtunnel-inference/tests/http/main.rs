//! The scripted endpoint over real sockets, as real clients meet it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod client;
mod harness;
mod limits;
mod paths;
mod retries;
mod serve;
mod wire;
