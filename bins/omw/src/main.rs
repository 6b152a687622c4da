//! Runs agents from an omw.toml.

use std::process::ExitCode;

fn main() -> ExitCode {
    omw::cli::Omw::main()
}
