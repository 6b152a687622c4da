//! `wt new`: a starter pack, or a folder of process scenarios.

use windtunnel_api::exit::Exit;

use crate::args::NewArgs;
use crate::error::CliError;
use crate::shell;
use crate::starter::{self, Starter};

pub(crate) fn run(args: &NewArgs) -> Result<Exit, CliError> {
    let NewArgs { dir, process } = args;
    let starter = if *process { Starter::Process } else { Starter::Pack };
    starter::write(dir, starter)?;
    let word = shell::word(dir);
    let (shown, word) = (windtunnel_report::line(dir.as_str()), windtunnel_report::line(&word));
    windtunnel_report::print(&match starter {
        Starter::Pack => format!("Made the pack {shown}. Prove its gate:\n\n  wt selftest {word}\n"),
        Starter::Process => format!("Made the process scenarios {shown}. Play them:\n\n  wt run {word}\n"),
    })?;
    Ok(Exit::Success)
}
