//! Where it takes a file to lock a folder.

use std::fs::File;
use std::io;

use camino::Utf8Path;

/// A file in the folder, as a folder cannot be locked here.
pub(super) fn open(folder: &Utf8Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(folder.join(".graph-state.lock"))
}
