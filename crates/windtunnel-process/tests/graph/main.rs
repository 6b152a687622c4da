//! Graphs: what compiles, and what is said of what does not.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod compiled;
mod hooks;
mod malformed;
mod properties;
mod shipped;
