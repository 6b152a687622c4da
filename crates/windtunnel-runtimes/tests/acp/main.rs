//! The `acp` runtime over real processes.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "what helpers of tests unwrap fails the test")]

mod malformed;
mod permissions;
mod reference;
mod sessions;
mod settings;
mod start;
mod support;
mod turns;
