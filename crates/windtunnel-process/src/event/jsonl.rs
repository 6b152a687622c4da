//! A log in a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::{Mutex, PoisonError};

use camino::Utf8Path;

use super::{EventRecord, EventSink};

/// JSON lines at the end of a file, which several processes may write.
///
/// A line is written at once and under a lock of the file, so that lines never mix. What a process left behind that was killed as it
/// wrote is ended before the next line begins.
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
        let file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        Ok(Self { file: Mutex::new(file) })
    }

    /// The events of a log, the oldest first. A line that its process did not live to end is left out.
    ///
    /// # Errors
    /// The file cannot be read, or a line is no event.
    pub fn read(path: &Utf8Path) -> io::Result<Vec<EventRecord>> {
        let bytes = std::fs::read(path)?;
        let lines = bytes.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
        let records = lines.filter_map(|(index, line)| match serde_json::from_slice(line) {
            Ok(record) => Some(Ok(record)),
            Err(error) if error.is_eof() => None,
            Err(error) => {
                let message = format!("{path}:{}: no event: {error}", index + 1);
                Some(Err(io::Error::new(io::ErrorKind::InvalidData, message)))
            }
        });
        records.collect()
    }
}

impl EventSink for JsonlLog {
    fn append(&self, record: &EventRecord) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.lock()?;
        let written = append_line(&mut file, line);
        written.and(file.unlock())
    }
}

fn append_line(file: &mut File, mut line: Vec<u8>) -> io::Result<()> {
    if is_torn(file)? {
        line.insert(0, b'\n');
    }
    file.write_all(&line)
}

/// Whether the last line was not ended.
fn is_torn(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;
    use crate::event::ProcessEvent;

    fn started(node: &str) -> EventRecord {
        EventRecord {
            ts: "2026-03-01T12:00:00.000000+00:00".to_owned(),
            work_item: "issue-42".to_owned(),
            reference: "github:e2e/e2e#42".to_owned(),
            event: ProcessEvent::Started { node: node.to_owned() },
        }
    }

    fn log_in(folder: &tempfile::TempDir) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(folder.path().join("events.jsonl")).unwrap()
    }

    #[test]
    fn a_line_says_when_which_item_and_what() {
        let folder = tempfile::tempdir().unwrap();
        let path = log_in(&folder);
        JsonlLog::open(&path).unwrap().append(&started("first")).unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "{\"ts\":\"2026-03-01T12:00:00.000000+00:00\",\"work_item\":\"issue-42\",\
             \"ref\":\"github:e2e/e2e#42\",\"event\":\"graph.started\",\"node\":\"first\"}\n"
        );
    }

    #[test]
    fn a_line_that_was_torn_anywhere_is_ended_and_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = log_in(&folder);
        let line = serde_json::to_vec(&started("höhe")).unwrap();
        for length in 1..line.len() {
            std::fs::write(&path, &line[..length]).unwrap();
            let log = JsonlLog::open(&path).unwrap();
            log.append(&started("first")).unwrap();
            log.append(&started("second")).unwrap();
            assert_eq!(JsonlLog::read(&path).unwrap(), [started("first"), started("second")], "{length}");
        }
    }

    #[test]
    fn a_line_that_is_torn_while_the_log_is_open_is_ended_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = log_in(&folder);
        let log = JsonlLog::open(&path).unwrap();
        log.append(&started("first")).unwrap();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"ts\"").unwrap();
        log.append(&started("second")).unwrap();
        assert_eq!(JsonlLog::read(&path).unwrap(), [started("first"), started("second")]);
    }

    #[test]
    fn a_line_that_is_no_event_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = log_in(&folder);
        std::fs::write(&path, "\n{\"event\":\"graph.invented\"}\n").unwrap();
        let error = JsonlLog::read(&path).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{path}:2: no event: ")), "{error}");
    }

    #[test]
    fn many_writers_never_mix_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = log_in(&folder);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    let log = JsonlLog::open(path).unwrap();
                    (0..50).for_each(|_| log.append(&started(&format!("node-{writer}"))).unwrap());
                });
            }
        });
        assert_eq!(JsonlLog::read(&path).unwrap().len(), 200);
    }
}
