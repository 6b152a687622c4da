//! One verb at a time per item, whoever carries it out.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use other::open;
#[cfg(unix)]
use unix::open;

use std::fs::{File, TryLockError};
use std::io;
use std::time::Duration;

use camino::Utf8Path;

/// The longest pause between two looks at an item that another verb has.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// An item that one verb has to itself; it is given back when this is dropped, or its process ends.
#[derive(Debug)]
pub(crate) struct ItemLock {
    _file: File,
}

impl ItemLock {
    /// Waits until no other verb, of this process or another, has the item of this folder.
    ///
    /// It looks again and again rather than block: a thread that is blocked would outlive a verb that is dropped.
    pub(crate) async fn acquire(folder: &Utf8Path) -> io::Result<Self> {
        let file = open(folder)?;
        let mut pause = Duration::from_millis(1);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) => tokio::time::sleep(pause).await,
                Err(TryLockError::Error(error)) => return Err(error),
            }
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }
}
