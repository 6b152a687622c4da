//! The `wt` binary from outside: its commands, what it says about malformed files, and how it ends.

// Signals, symlinks and `sh` are used throughout.
#![cfg(unix)]

mod harness;
mod malformed;
