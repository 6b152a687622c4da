//! A log in a file.

use std::fs::{File, OpenOptions};
use std::io;
use std::sync::{Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_store::{Reason, Rows, append_row};

use super::{EventRecord, EventSink};

/// JSON lines at the end of a file, which several processes may write.
///
/// A line is written at once and nobody is waited for, so that lines never mix. What a process left behind that was killed as it
/// wrote is ended before the next line begins.
#[derive(Debug)]
pub struct JsonlLog {
    path: Utf8PathBuf,
    file: Mutex<File>,
}

impl JsonlLog {
    /// Opens a log, or makes it.
    ///
    /// # Errors
    /// The file cannot be opened for appending.
    pub fn open(path: &Utf8Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        Ok(Self { path: path.to_owned(), file: Mutex::new(file) })
    }

    /// The events of a log, the oldest first, and between them warnings for the lines that are none: one that its process did not
    /// live to end, or an event that is not known here. None if there is no log.
    pub fn read(path: &Utf8Path) -> Rows<EventRecord> {
        Rows::open(path.to_owned(), |line| {
            serde_json::from_slice(line).map_err(|error| Reason::undecoded("an event", error))
        })
    }
}

impl EventSink for JsonlLog {
    fn append(&self, record: &EventRecord) -> io::Result<()> {
        let line = serde_json::to_string(record)?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        append_row(&mut file, &self.path, &line).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::event::ProcessEvent;
    use windtunnel_store::Warning;

    fn started(node: &str) -> EventRecord {
        EventRecord {
            ts: "2026-03-01T12:00:00.000000+00:00".to_owned(),
            work_item: "issue-42".to_owned(),
            reference: "github:e2e/e2e#42".to_owned(),
            event: ProcessEvent::Started { node: node.to_owned() },
        }
    }

    fn read(path: &Utf8Path) -> (Vec<EventRecord>, Vec<Warning>) {
        let (records, warnings): (Vec<_>, Vec<_>) = JsonlLog::read(path).partition(Result::is_ok);
        (
            records.into_iter().map(Result::unwrap).collect(),
            warnings.into_iter().map(Result::unwrap_err).collect(),
        )
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
            let (records, warnings) = read(&path);
            assert_eq!(records, [started("first"), started("second")], "{length}");
            let [Warning { line: Some(1), reason: Reason::Torn(_), .. }] = warnings.as_slice() else {
                panic!("{length}: {warnings:?}");
            };
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
        assert_eq!(read(&path).0, [started("first"), started("second")]);
    }

    #[test]
    fn an_event_that_is_not_known_here_is_passed_over_and_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = log_in(&folder);
        let known = serde_json::to_string(&started("first")).unwrap();
        let later = known.replace("graph.started", "graph.invented");
        let longer = known.replace('}', ",\"mood\":\"calm\"}");
        std::fs::write(&path, format!("{known}\n\n{later}\n{longer}\n")).unwrap();
        let (records, warnings) = read(&path);
        assert_eq!(records, [started("first"), started("first")]);
        let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
        let told = warning.to_string();
        assert!(
            told.starts_with(&format!("{path}:3: not an event: unknown variant `graph.invented`")),
            "{told}"
        );
    }

    #[test]
    fn a_log_that_is_not_there_has_no_events() {
        let folder = tempfile::tempdir().unwrap();
        let (records, warnings) = read(&log_in(&folder));
        assert!(records.is_empty() && warnings.is_empty());
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
        let (records, warnings) = read(&path);
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(records.len(), 200);
    }
}
