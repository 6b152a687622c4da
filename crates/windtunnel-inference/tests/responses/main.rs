//! OpenAI Responses over real sockets, as real clients meet it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod calls;
mod harness;
mod requests;
mod stream;
mod whole;
