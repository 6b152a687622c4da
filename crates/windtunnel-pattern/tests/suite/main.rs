//! The language and its matcher, seen from outside.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod admits;
mod common;
mod cost;
mod failures;
mod faults;
mod generate;
mod language;
mod properties;
mod reference;
mod sequences;
mod whole_values;
