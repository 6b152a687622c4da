//! What operating systems do differently, behind one interface.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use other::{is_alive, is_at, rename_new};
#[cfg(unix)]
pub(crate) use unix::{is_alive, is_at, rename_new};

use std::io;

use camino::Utf8Path;

/// Renames a file unless the target exists, where that cannot be done in one step. Two processes could
/// still meet between the look and the rename; names carry time and id, so they would have to share both.
fn look_then_rename(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    if to.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(from, to)
}
