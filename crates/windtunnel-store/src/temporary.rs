//! Files under a temporary name, and what killed processes leave of them.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use crate::platform;

/// `.wt-<pid>-<number>.tmp`
const PREFIX: &str = ".wt-";
const SUFFIX: &str = ".tmp";

/// A temporary file lives for milliseconds. One that is older than this was left behind, even if its process id is
/// in use again.
const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

/// One whose process is gone was left behind after this long. Not at once: a process in another container is alive
/// and not to be seen from here.
const ORPHANED_AFTER: Duration = Duration::from_millis(200);

/// A complete file that is removed again when it is dropped, unless it was kept.
pub(crate) struct TemporaryFile {
    path: Utf8PathBuf,
    kept: bool,
}

impl TemporaryFile {
    /// Writes a file under a temporary name into a folder that exists.
    pub(crate) fn write(folder: &Utf8Path, bytes: &[u8]) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id()));
        // Not `create_new`: what has our name and number was left by a process with our id, which is gone.
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&path)?;
        let temporary = Self { path, kept: false };
        file.write_all(bytes)?;
        Ok(temporary)
    }

    /// Gives the file another name; `false` if that is taken.
    pub(crate) fn rename(&mut self, to: &Utf8Path) -> io::Result<bool> {
        match platform::rename_new(&self.path, to) {
            Ok(()) => {
                to.clone_into(&mut self.path);
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Leaves the file where it is.
    pub(crate) fn keep(mut self) -> Utf8PathBuf {
        self.kept = true;
        std::mem::take(&mut self.path)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.kept {
            // What cannot be removed now is swept later.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the temporary files that killed processes left in a folder. What cannot be listed or removed stays: it
/// is in nobody's way.
pub(crate) fn sweep(folder: &Utf8Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(owner) else { continue };
        if pid == std::process::id() {
            continue;
        }
        let age = entry.metadata().and_then(|metadata| metadata.modified()).map(|at| at.elapsed());
        let Ok(Ok(age)) = age else { continue };
        if age > ABANDONED_AFTER || (age > ORPHANED_AFTER && !platform::is_alive(pid)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that wrote a temporary file of ours.
fn owner(file_name: &str) -> Option<u32> {
    let (pid, number) = file_name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.split_once('-')?;
    number.parse::<u64>().ok()?;
    pid.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_temporary_names_are_recognised() {
        for (name, expected) in [
            (".wt-17-0.tmp", Some(17)),
            (".wt-17.tmp", None),
            (".wt--0.tmp", None),
            (".wt-17-a.tmp", None),
            (".wt-17-0.tmp.bak", None),
            ("wt-17-0.tmp", None),
        ] {
            assert_eq!(owner(name), expected, "{name}");
        }
    }
}
