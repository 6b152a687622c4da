use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;

use camino::Utf8Path;
use rustix::process::{Pid, test_kill_process};

/// Whether a process of this id runs on this machine. One of another user does, too.
pub(crate) fn is_alive(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}

/// Whether a path still leads to an open file, rather than to none or to another that took its place.
pub(crate) fn is_at(file: &File, path: &Utf8Path) -> bool {
    let (Ok(file), Ok(there)) = (file.metadata(), path.metadata()) else { return false };
    (file.dev(), file.ino()) == (there.dev(), there.ino())
}

/// Renames a file; fails with [`io::ErrorKind::AlreadyExists`] rather than replace another.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(crate) fn rename_new(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;

    match renameat_with(CWD, from.as_std_path(), CWD, to.as_std_path(), RenameFlags::NOREPLACE) {
        // The file system or the kernel does not know the flag.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => super::look_then_rename(from, to),
        done => Ok(done?),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(crate) use super::look_then_rename as rename_new;
