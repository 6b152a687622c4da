//! What only one suite of a user may use at a time on a machine.
//!
//! A lock is a file in a folder of the user's own, below the temporary folder, that the operating system keeps locked for
//! us: it is free again the moment the process ends, however it ends.

#[cfg(unix)]
use std::fs::DirBuilder;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(unix)]
use rustix::fs::OFlags;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use windtunnel_api::event::SuiteEvent;
use windtunnel_store::segment;

use super::conduct::Stage;
use super::session::Interrupted;
use crate::cases::tell;

/// How often a lock that somebody else holds is tried again.
const RETRY: Duration = Duration::from_millis(100);
/// The longest description of a holder that is read.
const MAX_HOLDER_BYTES: u64 = 4096;

/// A held lock; dropping it frees it.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until the lock is free, and takes it.
    pub(super) async fn acquire(key: &str, stage: &mut Stage<'_>) -> Result<io::Result<Self>, Interrupted> {
        let folder = match own_folder(&std::env::temp_dir()) {
            Ok(folder) => folder,
            Err(error) => return Ok(Err(error)),
        };
        let began = Instant::now();
        let mut told = false;
        loop {
            match try_take(&folder, key) {
                Ok(Some(file)) => {
                    stage.watch.lock_acquired(key, began.elapsed().as_secs_f64());
                    return Ok(Ok(Self { _file: file }));
                }
                Ok(None) => {}
                Err(error) => return Ok(Err(error)),
            }
            if !told {
                told = true;
                let holder = holder(&folder, key);
                let by = holder
                    .as_ref()
                    .and_then(|holder| holder.get("pid"))
                    .map(|pid| format!(" by process {pid}"));
                let text = format!("waiting for {key}, which is held{}", by.unwrap_or_default());
                tell(stage.events, SuiteEvent::Notice { text });
                stage.watch.lock_waiting(key, holder);
            }
            tokio::select! {
                () = sleep(RETRY) => {}
                () = stage.interrupts.next() => return Err(Interrupted),
            }
        }
    }
}

/// The folder for this user's locks. The temporary folder may be everybody's, so on Unix it is made for the user alone, and
/// refused if somebody else could write to what is there.
#[cfg(unix)]
fn own_folder(temporary: &Path) -> io::Result<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let folder = temporary.join(format!("windtunnel-locks-{user}"));
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = fs::symlink_metadata(&folder)?;
    if found.is_dir() && found.uid() == user && found.mode() & 0o022 == 0 {
        return Ok(folder);
    }
    let folder = folder.display();
    Err(io::Error::other(format!(
        "{folder} is not a folder that only user {user} can write to; remove it, or set TMPDIR to a folder of your own"
    )))
}

/// The folder for this user's locks: here the temporary folder is the user's own.
#[cfg(not(unix))]
fn own_folder(temporary: &Path) -> io::Result<PathBuf> {
    let folder = temporary.join("windtunnel-locks");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The locked file; `None` while another holds it.
fn try_take(folder: &Path, key: &str) -> io::Result<Option<File>> {
    // Emptied only once it is locked: until then it is its holder's.
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    // A link could lead to any file of the user's.
    #[cfg(unix)]
    options.mode(0o600).custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
    let mut file = options.open(folder.join(file_name(key)))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(json!({ "pid": std::process::id() }).to_string().as_bytes())?;
    Ok(Some(file))
}

/// What the holder says of itself, as far as the platform lets us read it.
fn holder(folder: &Path, key: &str) -> Option<Value> {
    let mut text = String::new();
    File::open(folder.join(file_name(key))).ok()?.take(MAX_HOLDER_BYTES).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn file_name(key: &str) -> String {
    format!("{}.lock", segment(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once_and_free_when_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let held = try_take(folder.path(), "gpu/0").unwrap().unwrap();
        assert!(try_take(folder.path(), "gpu/0").unwrap().is_none());
        assert!(try_take(folder.path(), "gpu/1").unwrap().is_some());
        if cfg!(unix) {
            assert_eq!(holder(folder.path(), "gpu/0").unwrap()["pid"], std::process::id());
        }
        drop(held);
        assert!(try_take(folder.path(), "gpu/0").unwrap().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_a_lock_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        std::os::unix::fs::symlink(&victim, folder.path().join(file_name("gpu"))).unwrap();
        assert!(try_take(folder.path(), "gpu").is_err());
        assert_eq!(fs::read_to_string(victim).unwrap(), "precious");
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_of_the_locks_is_the_users_alone() {
        use std::os::unix::fs::PermissionsExt;

        let temporary = tempfile::tempdir().unwrap();
        let folder = own_folder(temporary.path()).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        assert_eq!(own_folder(temporary.path()).unwrap(), folder, "it is used again");

        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        let error = own_folder(temporary.path()).unwrap_err().to_string();
        assert!(error.starts_with(folder.to_str().unwrap()) && error.contains("set TMPDIR"), "{error}");

        let elsewhere = temporary.path().join("elsewhere");
        fs::rename(&folder, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &folder).unwrap();
        assert!(own_folder(temporary.path()).is_err(), "a link may lead anywhere");
    }
}
