//! The `command` runtime over real processes.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "what helpers of tests unwrap fails the test")]

mod leftovers;
mod live;
mod reference;
mod sessions;
mod settings;
mod support;
mod tools;
mod turns;
