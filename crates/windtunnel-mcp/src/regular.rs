//! Files that somebody may swap for something else while they are opened.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Opens a file of a folder that an agent can write to, whatever a look at it has shown before.
///
/// The last part of the path is not followed if it is a symbolic link, and a pipe is not waited for.
///
/// # Errors
/// It cannot be opened, or it is no regular file.
pub fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = as_it_is(options).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}

/// Writes a file of a folder that an agent can write to, as [`open_regular`] opens one; what it had before is gone.
///
/// # Errors
/// It cannot be opened or written, or it is no regular file.
pub fn write_regular(path: &Path, content: &[u8]) -> io::Result<()> {
    // It is emptied only once it is known to be a file.
    let mut file = open_regular(path, File::options().write(true).create(true).truncate(false))?;
    file.set_len(0)?;
    file.write_all(content)
}

#[cfg(unix)]
fn as_it_is(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
}

#[cfg(windows)]
fn as_it_is(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::windows::fs::OpenOptionsExt;

    /// Opens the link itself, which is no regular file.
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

    options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_link_a_pipe_and_a_folder_are_refused_and_a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "x").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        for name in ["link", "pipe", "."] {
            assert!(open_regular(&at(name), File::options().read(true)).is_err(), "{name}");
            assert!(open_regular(&at(name), File::options().write(true)).is_err(), "{name}");
        }
        assert!(open_regular(&at("file"), File::options().read(true)).is_ok());
    }
}
