//! The reporters over the events of a suite.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what fails outside of a test function fails the test"
)]

mod json;
mod junit;
mod suite;
mod terminal;
