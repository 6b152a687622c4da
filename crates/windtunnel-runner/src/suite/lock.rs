//! What only one suite on a machine may use at a time.
//!
//! A lock is a file in the temporary folder that the operating system keeps locked for us: it is free again the moment the
//! process ends, however it ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

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
        let folder = std::env::temp_dir().join("windtunnel-locks");
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

/// The locked file; `None` while another holds it.
fn try_take(folder: &Path, key: &str) -> io::Result<Option<File>> {
    fs::create_dir_all(folder)?;
    let path = folder.join(file_name(key));
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
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
}
