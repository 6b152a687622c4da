//! Whole runs: how agents start, end, repeat and are replaced.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may fail by panicking anywhere"
)]

mod ending;
mod orders;
mod reload;
mod repeat;
#[cfg(feature = "rhai")]
mod script;
mod stage;
mod starting;
mod whole;
