//! The `wt` binary from outside: its commands, what it says about malformed files, and how it ends.

#![expect(clippy::unwrap_used, clippy::panic, reason = "test code")]
// Signals, symlinks and `sh` are used throughout.
#![cfg(unix)]

mod commands;
mod documented;
#[cfg(target_os = "linux")]
mod ends;
mod harness;
mod malformed;
mod process;
