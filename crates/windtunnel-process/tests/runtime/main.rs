//! The verbs, over small graphs and the shipped one: what they answer, what they tell, and what they leave on disk.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail as tests do"
)]

mod cuts;
mod entry;
mod gates;
mod hooks;
mod names;
mod places;
mod processes;
mod questions;
mod selection;
mod shipped;
mod skips;
mod start;
mod turns;
mod world;
