//! Standard output and files that a command writes.

use camino::Utf8Path;
use windtunnel_report::{Output, is_stdout};

use super::error::CliError;

/// Writes a text to standard output, or whole to a file.
pub(super) fn deliver(path: &Utf8Path, text: &str) -> Result<(), CliError> {
    if is_stdout(path) {
        return print(text);
    }
    Ok(Output::file(path)?.deliver(text)?)
}

/// Writes a text to standard output. A closed pipe is no error.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    let what = || "cannot write to standard output".to_owned();
    windtunnel_report::print(text).map_err(|error| CliError::Io { what: what(), error })
}
