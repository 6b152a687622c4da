//! The verdict of a play, on disk beside its event log.

use std::io::{self, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use windtunnel_api::event::ProcessRecord;

/// The version of the file.
pub const VERDICT_VERSION: u32 = 1;

/// What the name of an event log ends in.
const EVENTS: &str = ".events.jsonl";

/// What came of a play, as it is kept: `<stem>.verdict.json` beside `<stem>.events.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredVerdict {
    /// The version of this shape.
    pub windtunnel_process_verdict: u32,
    /// `PASS`, `FAIL` or `ERROR`.
    pub verdict: String,
    /// The graph that was walked.
    pub graph: String,
    /// When the play ended.
    pub finished_at: Timestamp,
    /// How long it took, in seconds.
    pub duration_s: f64,
    /// The phase labels that were set, in order.
    pub labels: Vec<String>,
    /// The scenario, its walk, and what is wrong.
    #[serde(flatten)]
    pub record: ProcessRecord,
}

impl StoredVerdict {
    /// The file of the verdict that belongs to this event log.
    pub fn path_beside(events: &Utf8Path) -> Utf8PathBuf {
        let name = events.file_name().unwrap_or_default();
        events.with_file_name(format!("{}.verdict.json", name.strip_suffix(EVENTS).unwrap_or(name)))
    }

    /// Writes it beside its event log: whole, or not at all.
    pub(super) fn write_beside(&self, events: &Utf8Path) -> io::Result<()> {
        let folder = events.parent().unwrap_or(events);
        let mut temporary = tempfile::Builder::new().prefix(".verdict-").tempfile_in(folder)?;
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        temporary.write_all(&text)?;
        temporary.persist(Self::path_beside(events))?;
        Ok(())
    }
}
