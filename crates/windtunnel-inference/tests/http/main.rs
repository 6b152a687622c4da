//! The scripted endpoint over real sockets, as real clients meet it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

#[path = "../support/case.rs"]
mod case;
mod client;
mod doors;
mod faults;
mod harness;
mod limits;
mod paths;
mod raw;
mod retries;
mod serve;
mod wire;
