//! A log in a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use camino::Utf8Path;

use super::{EventRecord, EventSink};

/// JSON lines at the end of a file. A line is written at once, so that a reader never sees half of one.
#[derive(Debug)]
pub struct JsonlLog {
    file: Mutex<File>,
}

impl JsonlLog {
    /// Opens a log, or makes it.
    ///
    /// # Errors
    /// The file cannot be opened for appending.
    pub fn open(path: &Utf8Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file: Mutex::new(file) })
    }
}

impl EventSink for JsonlLog {
    fn append(&self, record: &EventRecord) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line)
    }
}
