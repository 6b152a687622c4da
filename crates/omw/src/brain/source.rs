//! Reading a script.

use std::fs::File;
use std::io::Read as _;

use camino::Utf8Path;

use super::BrainError;

/// The longest script that is read, in bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The text of a script.
pub(super) fn read(script: &Utf8Path) -> Result<String, BrainError> {
    let unreadable =
        |error: &dyn ToString| BrainError::Unreadable { path: script.to_string(), error: error.to_string() };
    // Looked at before it is opened: opening a pipe would wait for somebody to write to it.
    let metadata = script.metadata().map_err(|error| unreadable(&error))?;
    if !metadata.is_file() {
        return Err(unreadable(&"it is not a regular file"));
    }
    let mut text = String::new();
    File::open(script)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text))
        .map_err(|error| unreadable(&error))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(unreadable(&format_args!("it is longer than {MAX_BYTES} bytes")));
    }
    Ok(text)
}
