//! `wt completions`: a completion script for a shell.

use clap::CommandFactory;
use clap_complete::Shell;
use windtunnel_api::exit::Exit;

use crate::args::Cli;
use crate::error::CliError;
use crate::out;

pub(crate) fn run(shell: Shell) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "wt", &mut script);
    out::text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Success)
}
