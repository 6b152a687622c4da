//! `wt new`: a starter pack.

use camino::Utf8Path;
use windtunnel_api::exit::Exit;

use crate::error::CliError;
use crate::{out, starter};

pub(crate) fn run(dir: &Utf8Path) -> Result<Exit, CliError> {
    let occupied = match dir.read_dir_utf8() {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => dir.symlink_metadata().is_ok(),
    };
    if occupied {
        return Err(CliError::usage(format!("{dir} is there already"), "name a folder that is not there, or is empty"));
    }
    starter::write(dir).map_err(|error| CliError::io(format!("cannot make {dir}"), error))?;
    out::text(&format!("Made the pack {dir}. Prove its gate:\n\n  wt selftest {dir}\n"))?;
    Ok(Exit::Success)
}
