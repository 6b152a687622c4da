//! `wt`: deterministic, evidence-based tests for AI agents.

use std::process::ExitCode;

fn main() -> ExitCode {
    windtunnel_cli::App::new().main()
}
