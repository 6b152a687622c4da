//! `wt new`: a starter pack, or a folder of process scenarios.

use windtunnel_api::exit::Exit;

use crate::args::NewArgs;
use crate::error::CliError;
use crate::folder;
use crate::shell;
use crate::starter::{self, Starter};

pub(crate) fn run(args: &NewArgs) -> Result<Exit, CliError> {
    let NewArgs { dir, process } = args;
    if let Some(occupied) = folder::occupied(dir) {
        return Err(CliError::usage(
            format!("{dir} {occupied}"),
            "name a folder that is not there, or is empty",
        ));
    }
    let starter = if *process { Starter::Process } else { Starter::Pack };
    starter::write(dir, starter).map_err(|error| CliError::io(format!("cannot make {dir}"), error))?;
    let word = shell::word(dir);
    let (shown, word) = (windtunnel_report::line(dir.as_str()), windtunnel_report::line(&word));
    windtunnel_report::print(&match starter {
        Starter::Pack => format!("Made the pack {shown}. Prove its gate:\n\n  wt selftest {word}\n"),
        Starter::Process => format!("Made the process scenarios {shown}. Play them:\n\n  wt run {word}\n"),
    })?;
    Ok(Exit::Success)
}
