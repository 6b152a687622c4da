//! `wt new`: a starter pack.

use camino::Utf8Path;
use windtunnel_api::exit::Exit;

use crate::error::CliError;
use crate::starter;

pub(crate) fn run(dir: &Utf8Path) -> Result<Exit, CliError> {
    let occupied = match dir.read_dir_utf8() {
        Ok(mut entries) => entries.next().map(|_| "is not empty"),
        Err(_) => dir.symlink_metadata().ok().map(|_| "is there already, and is no folder"),
    };
    if let Some(occupied) = occupied {
        return Err(CliError::usage(
            format!("{dir} {occupied}"),
            "name a folder that is not there, or is empty",
        ));
    }
    starter::write(dir).map_err(|error| CliError::io(format!("cannot make {dir}"), error))?;
    windtunnel_report::print(&format!("Made the pack {dir}. Prove its gate:\n\n  wt selftest {dir}\n"))?;
    Ok(Exit::Success)
}
