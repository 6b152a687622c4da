//! Golden files on disk.

use std::io::Write as _;

use camino::Utf8Path;
use windtunnel_api::surface::{GoldenFile, SURFACE_GOLDEN_VERSION};
use windtunnel_api::unknown_version;
use windtunnel_doc::{Document, Format, Limits};

use crate::error::CliError;
use crate::folder;

pub(super) fn read(file: &Utf8Path) -> Result<GoldenFile, CliError> {
    let document = Document::read_as(file, Format::Json, &Limits::default())?;
    let golden: GoldenFile = document.decode()?;
    let version = golden.windtunnel_surface_golden;
    if version != SURFACE_GOLDEN_VERSION {
        let fault = unknown_version("windtunnel_surface_golden", version.into(), SURFACE_GOLDEN_VERSION);
        document.diagnose(vec![fault])?;
    }
    Ok(golden)
}

/// Refuses what is there and is no file of its own: it would be replaced.
pub(super) fn check(file: &Utf8Path) -> Result<(), CliError> {
    match file.symlink_metadata() {
        Ok(found) if !found.is_file() => Err(no_file(file)),
        Ok(_) | Err(_) => Ok(()),
    }
}

pub(super) fn no_file(file: &Utf8Path) -> CliError {
    CliError::usage(
        format!("{file} is there, and is no regular file"),
        "name a file that is not there yet, or one that `wt surface record` has written",
    )
}

/// Complete or not at all.
pub(super) fn write(file: &Utf8Path, golden: &GoldenFile) -> Result<(), CliError> {
    let failed = |error| CliError::io(format!("cannot write {file}"), error);
    let text = serde_json::to_string_pretty(golden).map_err(|error| failed(error.into()))?;
    check(file)?;
    let within = file.parent().filter(|folder| !folder.as_str().is_empty()).unwrap_or(Utf8Path::new("."));
    let mut staged = tempfile::NamedTempFile::new_in(within).map_err(failed)?;
    staged.write_all(text.as_bytes()).and_then(|()| staged.write_all(b"\n")).map_err(failed)?;
    // What is to be committed is not private.
    folder::set_mode(staged.path(), 0o644).map_err(failed)?;
    staged.persist(file).map_err(|error| failed(error.error))?;
    Ok(())
}
