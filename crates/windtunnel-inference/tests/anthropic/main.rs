//! Anthropic Messages over real sockets, as real clients meet it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

#[path = "../support/case.rs"]
mod case;
mod clients;
mod faults;
mod harness;
mod paths;
mod stream;
mod threads;
mod tools;
mod whole;
