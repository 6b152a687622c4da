//! Reading and writing the state of an item.

use std::io::{self, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use thiserror::Error;

use super::{ItemState, STATE_FILE, STATE_VERSION};

/// A state that cannot be read or written.
#[derive(Debug, Error)]
pub enum StateError {
    /// The file or its folder.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: Utf8PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What the file says.
    #[error("{path}: {reason}")]
    Malformed {
        /// Which.
        path: Utf8PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Reads the state in an item's folder; none if there is none.
///
/// # Errors
/// The file cannot be read, or is of another version or shape.
pub fn load(folder: &Utf8Path) -> Result<Option<ItemState>, StateError> {
    let path = folder.join(STATE_FILE);
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(StateError::Io { path, source }),
    };
    let state: ItemState = serde_json::from_slice(&text)
        .map_err(|error| StateError::Malformed { path: path.clone(), reason: error.to_string() })?;
    if state.version != STATE_VERSION {
        let reason = format!("version {} is not known here, only {STATE_VERSION} is", state.version);
        return Err(StateError::Malformed { path, reason });
    }
    Ok(Some(state))
}

/// Writes the state into an item's folder: whole, or not at all.
///
/// # Errors
/// The file cannot be written.
pub fn save(folder: &Utf8Path, state: &ItemState) -> Result<(), StateError> {
    let path = folder.join(STATE_FILE);
    let io = |source| StateError::Io { path: path.clone(), source };
    let mut temporary = tempfile::Builder::new().prefix(".graph-state-").tempfile_in(folder).map_err(io)?;
    let mut text = serde_json::to_vec_pretty(state).map_err(|error| io(error.into()))?;
    text.push(b'\n');
    temporary.write_all(&text).map_err(io)?;
    temporary.persist(&path).map_err(|error| io(error.error))?;
    Ok(())
}
