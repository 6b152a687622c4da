//! Standard output and files that a command writes.

use std::io::{self, Write as _};

use camino::Utf8Path;
use windtunnel_report::Output;

use super::error::CliError;

/// Names of standard output that `--output` and `--dump` take.
pub(super) fn is_stdout(path: &Utf8Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(&path.as_str())
}

/// Writes a text to standard output, or whole to a file.
pub(super) fn deliver(path: &Utf8Path, text: &str) -> Result<(), CliError> {
    if is_stdout(path) {
        return print(text);
    }
    Ok(Output::file(path)?.deliver(text)?)
}

/// Writes a text to standard output. A closed pipe is no error.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CliError::Io { what: "cannot write to standard output".to_owned(), error })
        }
        _ => Ok(()),
    }
}
