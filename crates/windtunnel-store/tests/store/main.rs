//! The store over real files.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what fails outside of a test function fails the test"
)]

mod append;
mod kill;
mod read;
mod support;
mod write;
