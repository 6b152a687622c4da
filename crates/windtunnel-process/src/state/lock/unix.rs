//! Where a folder can be locked.

use std::fs::File;
use std::io;

use camino::Utf8Path;

/// The folder itself, which can be locked here.
pub(super) fn open(folder: &Utf8Path) -> io::Result<File> {
    File::open(folder)
}
