//! The examples of the shipped process, one test each.

use std::process::ExitCode;

use windtunnel_process::graph::work_item_loop;
use windtunnel_process::scenario::{Setup, suite::libtest};

fn main() -> ExitCode {
    libtest::main("../../examples/process", work_item_loop().map(Setup::new))
}
