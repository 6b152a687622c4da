//! Reading and writing the state of an item.

use std::fs::{self, File};
use std::io::{self, Read as _};

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value};
use thiserror::Error;

use super::{ItemState, STATE_FILE, STATE_VERSION};

/// A state has so many bytes at most.
const MAX_BYTES: u64 = 1 << 20;

/// What is written before it takes the state's place; left behind only by a process that was killed, and written over by the next.
///
/// Whoever writes has the item to themselves, so one name is enough: there are none to be swept.
const DRAFT_FILE: &str = ".graph-state.json.draft";

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
    /// The file is a later program's.
    #[error(
        "{path}: version {found} is one this program does not know (it knows {STATE_VERSION}); use a later one"
    )]
    UnknownVersion {
        /// Which.
        path: Utf8PathBuf,
        /// Its version.
        found: Value,
    },
    /// What the file says.
    #[error(
        "{path}: {reason}; put back the file as it was last committed, or remove it to start the item anew"
    )]
    Malformed {
        /// Which.
        path: Utf8PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl StateError {
    pub(crate) fn malformed(folder: &Utf8Path, reason: impl Into<String>) -> Self {
        Self::Malformed { path: folder.join(STATE_FILE), reason: reason.into() }
    }
}

/// Reads the state in an item's folder; none if there is none.
///
/// # Errors
/// The file cannot be read, is of another version, or is no state. Fields that are not known here are passed over.
pub fn load(folder: &Utf8Path) -> Result<Option<ItemState>, StateError> {
    let path = folder.join(STATE_FILE);
    let bytes = match read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(StateError::Io { path, source }),
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(StateError::malformed(folder, format!("larger than {MAX_BYTES} bytes")));
    }
    decode(folder, &bytes).map(Some)
}

fn read(path: &Utf8Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn decode(folder: &Utf8Path, bytes: &[u8]) -> Result<ItemState, StateError> {
    let decoded: Result<ItemState, _> = serde_json::from_slice(bytes);
    let found = match &decoded {
        Ok(state) => Some(Value::from(state.version)),
        // It may have another shape because it is of another version.
        Err(_) => serde_json::from_slice(bytes).ok().and_then(|mut map: Map<_, _>| map.remove("version")),
    };
    match found {
        Some(found) if found != STATE_VERSION => {
            Err(StateError::UnknownVersion { path: folder.join(STATE_FILE), found })
        }
        _ => decoded.map_err(|error| StateError::malformed(folder, error.to_string())),
    }
}

/// Writes the state into an item's folder: whole, or not at all. Whoever writes has the item to themselves.
///
/// It is safe against the end of this process at any moment, not against the loss of power.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn save(folder: &Utf8Path, state: &ItemState) -> Result<(), StateError> {
    let (draft, path) = (folder.join(DRAFT_FILE), folder.join(STATE_FILE));
    let written = serde_json::to_vec_pretty(state).map_err(io::Error::from).and_then(|mut text| {
        text.push(b'\n');
        if text.len() as u64 > MAX_BYTES {
            // It could not be read again.
            return Err(io::Error::other(format!(
                "it would have {} bytes, and {MAX_BYTES} is the limit",
                text.len()
            )));
        }
        fs::write(&draft, text)?;
        fs::rename(&draft, &path)
    });
    written.map_err(|source| StateError::Io { path, source })
}
