//! The process of changes, walked through every scenario in `scenarios/`.

// ANCHOR: main
use std::process::ExitCode;

use windtunnel_core::process::scenario::{Setup, suite::libtest};

fn main() -> ExitCode {
    libtest::main("scenarios", own_process::graph().map(Setup::new))
}
// ANCHOR_END: main
