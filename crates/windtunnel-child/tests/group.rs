//! Trees without a shim: a process group, and what `/proc` knows.

#![cfg(target_os = "linux")]

mod trees;

fn prepare() {}
