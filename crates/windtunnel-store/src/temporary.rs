//! Files under a temporary name, and what killed processes leave of them.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use uuid::Uuid;

use crate::platform;

/// `.wt-<pid>-<uuid>.tmp`: in two containers that share a folder, the same process id may be two processes.
pub(crate) const PREFIX: &str = ".wt-";
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
        let unique = Uuid::new_v4().simple();
        let path = folder.join(format!("{PREFIX}{}-{unique}{SUFFIX}", std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
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
    let (pid, unique) = file_name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.split_once('-')?;
    Uuid::try_parse(unique).ok()?;
    pid.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_temporary_names_are_recognised() {
        let unique = "67e5504410b1426f9247bb680e5fe0c8";
        for (name, expected) in [
            (format!(".wt-17-{unique}.tmp"), Some(17)),
            (".wt-17.tmp".to_owned(), None),
            (format!(".wt--{unique}.tmp"), None),
            (".wt-17-a.tmp".to_owned(), None),
            (format!(".wt-17-{unique}.tmp.bak"), None),
            (format!("wt-17-{unique}.tmp"), None),
        ] {
            assert_eq!(owner(&name), expected, "{name}");
        }
    }

    #[test]
    fn a_temporary_name_says_its_process_and_cannot_be_foreseen() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let files = [(); 2].map(|()| TemporaryFile::write(folder, b"").unwrap());
        let names = files.each_ref().map(|file| file.path.file_name().unwrap());
        assert_eq!(names.map(owner), [Some(std::process::id()); 2]);
        let unique = names.map(|name| name.rsplit('-').next().unwrap());
        assert_ne!(unique[0], unique[1]);
    }
}
