//! Reading files of rows.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _};

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_api::artifact::event::EventRow;
use windtunnel_api::artifact::ledger::LedgerRow;

use super::warning::{Reason, Warning, decode};
use super::{EVENTS, LEDGER};
use crate::MAX_ROW_BYTES;

/// The rows of the ledger in a runs folder, in the order they were appended. None if there is no ledger.
pub fn read_ledger(runs_dir: &Utf8Path) -> Rows<LedgerRow> {
    Rows::open(runs_dir.join(LEDGER), decode)
}

/// The rows of the event log in a runs folder, in the order they were appended. None if there is no event log.
pub fn read_events(runs_dir: &Utf8Path) -> Rows<EventRow> {
    Rows::open(runs_dir.join(EVENTS), decode)
}

/// The rows of a file, and warnings for the lines that are none. Memory holds one line at a time.
#[derive(Debug)]
pub struct Rows<T> {
    path: Utf8PathBuf,
    file: Opened,
    decode: fn(&[u8]) -> Result<T, Reason>,
    line: u64,
    buffer: Vec<u8>,
}

#[derive(Debug)]
enum Opened {
    Lines(BufReader<File>),
    Failed(io::Error),
    Done,
}

/// What is next in a file of lines.
enum Line {
    Row,
    TooLong,
    End,
}

impl<T> Rows<T> {
    /// The rows of a file that is no runs folder's own. None if there is no such file.
    pub fn open(path: Utf8PathBuf, decode: fn(&[u8]) -> Result<T, Reason>) -> Self {
        let file = match File::open(&path) {
            Ok(file) => Opened::Lines(BufReader::new(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => Opened::Done,
            Err(error) => Opened::Failed(error),
        };
        Self { path, file, decode, line: 0, buffer: Vec::new() }
    }

    fn advance(&mut self) -> io::Result<Line> {
        let reader = match std::mem::replace(&mut self.file, Opened::Done) {
            Opened::Lines(reader) => reader,
            Opened::Failed(error) => return Err(error),
            Opened::Done => return Ok(Line::End),
        };
        self.buffer.clear();
        self.line += 1;
        let mut limited = reader.take(MAX_ROW_BYTES);
        limited.read_until(b'\n', &mut self.buffer)?;
        let cut = limited.limit() == 0 && !self.buffer.ends_with(b"\n");
        let mut reader = limited.into_inner();
        if cut {
            reader.skip_until(b'\n')?;
        }
        let line = match (cut, self.buffer.is_empty()) {
            (true, _) => Line::TooLong,
            (false, true) => return Ok(Line::End),
            (false, false) => Line::Row,
        };
        self.file = Opened::Lines(reader);
        Ok(line)
    }

    fn warning(&self, reason: Reason) -> Warning {
        Warning { path: self.path.clone(), line: (self.line > 0).then_some(self.line), reason }
    }
}

impl<T> Iterator for Rows<T> {
    type Item = Result<T, Warning>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let row = match self.advance() {
                Ok(Line::End) => return None,
                Ok(Line::Row) if self.buffer.trim_ascii().is_empty() => continue,
                Ok(Line::Row) => (self.decode)(&self.buffer),
                Ok(Line::TooLong) => Err(Reason::TooLarge { limit: MAX_ROW_BYTES }),
                Err(error) => Err(Reason::Unreadable(error)),
            };
            return Some(row.map_err(|reason| self.warning(reason)));
        }
    }
}
