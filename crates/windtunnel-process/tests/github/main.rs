//! The control plane over GitHub, against servers that say what GitHub says, and worse.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod operations;
mod refusals;
mod server;
mod setup;
mod token;
