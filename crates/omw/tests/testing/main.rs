//! Tests of agents: what is asserted, how it is judged, and how suites of tests are run.
#![cfg(feature = "testing")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what fails outside of a test function fails the test"
)]

mod bench;
mod dump;
mod ends;
mod faults;
mod harness;
mod messages;
mod mocks;
#[cfg(feature = "rhai")]
mod scripts;
#[cfg(feature = "rhai")]
mod suite;
