//! Files that rows are appended to, by several processes at once.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::{Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};

use crate::MAX_ROW_BYTES;
use crate::error::StoreError;
use crate::folders::Folders;
use crate::platform;

/// A file of JSON lines. It is made with its first row, and again when it is gone.
#[derive(Debug)]
pub(crate) struct RowFile {
    path: Utf8PathBuf,
    file: Mutex<Option<File>>,
}

impl RowFile {
    pub(crate) fn new(path: Utf8PathBuf) -> Self {
        Self { path, file: Mutex::new(None) }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    pub(crate) fn append(&self, row: &str, folders: &Folders) -> Result<(), StoreError> {
        let mut slot = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A row for a file that was removed or moved away meanwhile would be lost unheard.
        let file = match slot.take().filter(|file| platform::is_at(file, &self.path)) {
            Some(file) => file,
            None => self.open(folders)?,
        };
        let file = slot.insert(file);
        append_row(file, &self.path, row)
    }

    fn open(&self, folders: &Folders) -> Result<File, StoreError> {
        let open = || OpenOptions::new().read(true).append(true).create(true).open(&self.path);
        match open() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if let Some(folder) = self.path.parent() {
                    // It may be one that we remember.
                    folders.forget();
                    folders.make_ready(folder).map_err(StoreError::io(folder, "make the folder"))?;
                }
                open()
            }
            opened => opened,
        }
        .map_err(StoreError::io(&self.path, "open"))
    }
}

/// Appends a row to a file that is open for reading and appending, with a single write, so that rows of several processes
/// do not mix. Nobody is waited for. The path is what errors call the file.
///
/// A line that somebody was killed in the middle of is ended first. The look at its end is not one step with the
/// write: at worst there is an empty line, which readers pass over.
///
/// # Errors
/// The row is too long to be read again, cannot be written, or was written in part.
pub fn append_row(file: &mut File, path: &Utf8Path, row: &str) -> Result<(), StoreError> {
    if row.len() as u64 >= MAX_ROW_BYTES {
        return Err(StoreError::TooLarge { path: path.to_owned(), bytes: row.len(), limit: MAX_ROW_BYTES });
    }
    let torn = ends_torn(file).map_err(StoreError::io(path, "read the end of it"))?;
    let line = format!("{}{row}\n", if torn { "\n" } else { "" });
    let written = write_once(file, line.as_bytes()).map_err(StoreError::io(path, "append"))?;
    if written < line.len() {
        return Err(StoreError::TornRow { path: path.to_owned(), written, bytes: line.len() });
    }
    Ok(())
}

fn ends_torn(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    match file.seek(SeekFrom::End(-1)) {
        Ok(_) => Ok(file.read(&mut last)? == 1 && last != *b"\n"),
        // Before the start of an empty file.
        Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(false),
        Err(error) => Err(error),
    }
}

/// One write. What it leaves out is not sent after it, because another process may have written in between.
fn write_once(file: &mut File, bytes: &[u8]) -> io::Result<usize> {
    loop {
        match file.write(bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
