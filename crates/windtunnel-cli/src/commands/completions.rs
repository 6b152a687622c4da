//! `wt completions`: a completion script for a shell.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use windtunnel_api::exit::Exit;

use crate::args::Cli;
use crate::error::CliError;

pub(crate) fn run(shell: Shell) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut visible(), "wt", &mut script);
    windtunnel_report::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Success)
}

/// The command line without what nobody types.
fn visible() -> Command {
    let all = Cli::command();
    let commands = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    Command::new("wt")
        .version(env!("CARGO_PKG_VERSION"))
        .args(all.get_arguments().cloned())
        .subcommands(commands)
}
