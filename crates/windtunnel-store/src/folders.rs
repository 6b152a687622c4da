//! Folders that are made once and then remembered.

use std::collections::HashSet;
use std::io;
use std::sync::{Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};

use crate::temporary;

/// The folders of a store, so that no file asks for one that an earlier file has asked for.
#[derive(Debug, Default)]
pub(crate) struct Folders(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Folders that exist.
    there: HashSet<Utf8PathBuf>,
    /// Of these, the ones that files are written to: they were swept.
    ready: HashSet<Utf8PathBuf>,
}

impl Folders {
    /// Makes a folder, and those above it, ready for files.
    pub(crate) fn make_ready(&self, folder: &Utf8Path) -> io::Result<()> {
        // Held to the end: no other thread writes to a folder that is still being swept.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.ready.contains(folder) {
            return Ok(());
        }
        let missing: Vec<&Utf8Path> = folder
            .ancestors()
            .take_while(|ancestor| !ancestor.as_str().is_empty() && !known.there.contains(*ancestor))
            .collect();
        let mut existed = true;
        for ancestor in missing.iter().rev() {
            existed = make(ancestor)?;
        }
        if existed {
            temporary::sweep(folder);
        }
        known.there.extend(missing.into_iter().map(Utf8Path::to_owned));
        known.ready.insert(folder.to_owned());
        Ok(())
    }

    /// Forgets all folders: somebody removed one of them.
    pub(crate) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Known::default();
    }
}

/// Whether the folder was there before.
fn make(folder: &Utf8Path) -> io::Result<bool> {
    match std::fs::create_dir(folder) {
        Ok(()) => Ok(false),
        // The root of a drive, a read-only parent and the like answer with other errors for a folder that exists.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists || folder.is_dir() => Ok(true),
        Err(error) => Err(error),
    }
}
