//! Scenarios and suites over a platform whose every step is written down, with real files and a real store.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may fail by panicking anywhere"
)]

mod judging;
mod order;
mod perturbation;
mod platform;
mod secrets;
mod selftest;
mod signals;
mod stage;
mod sweep;
