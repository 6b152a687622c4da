//! Trees without a shim: a process group, and what `/proc` knows.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "what helpers of tests unwrap fails the test")]

mod trees;

fn prepare() {}
