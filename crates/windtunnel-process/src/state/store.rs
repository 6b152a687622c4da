//! Reading and writing the state of an item.

use std::fs::{self, File};
use std::io::{self, Read as _};

use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use thiserror::Error;

use super::{ItemState, STATE_FILE, STATE_VERSION};

/// A state has so many bytes at most.
const MAX_BYTES: u64 = 1 << 20;

/// What is written before it takes the state's place; left behind only by a process that was killed, and written over by the next.
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
/// The file cannot be read, is of another version, or says something that is not known here.
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
    decode(&bytes).map(Some).map_err(|reason| StateError::malformed(folder, reason))
}

fn read(path: &Utf8Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn decode(bytes: &[u8]) -> Result<ItemState, String> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let decoded: Result<ItemState, _> = serde_json::from_slice(bytes);
    let version = match &decoded {
        Ok(state) => state.version,
        // The shape of another version is not known: that it is another is what there is to say.
        Err(_) => serde_json::from_slice(bytes).map_or(STATE_VERSION, |Versioned { version }| version),
    };
    if version != STATE_VERSION {
        return Err(format!("version {version} is not known here, only {STATE_VERSION} is"));
    }
    decoded.map_err(|error| error.to_string())
}

/// Writes the state into an item's folder: whole, or not at all. Whoever writes has the item to themselves.
///
/// It is safe against the end of this process at any moment, not against the loss of power.
///
/// # Errors
/// The file cannot be written.
pub fn save(folder: &Utf8Path, state: &ItemState) -> Result<(), StateError> {
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
