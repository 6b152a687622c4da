//! OpenAI Responses over real sockets, as real clients meet it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod calls;
#[path = "../support/case.rs"]
mod case;
mod clients;
mod faults;
mod harness;
mod history;
mod operations;
mod requests;
mod stream;
mod whole;
