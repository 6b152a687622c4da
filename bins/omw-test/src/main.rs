//! Deterministic tests of agents, from omw.test.toml files.

use std::process::ExitCode;

fn main() -> ExitCode {
    omw::cli::OmwTest::main()
}
