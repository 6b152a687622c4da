//! Writing runs.

use std::io::ErrorKind;

use camino::{Utf8Path, Utf8PathBuf};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use windtunnel_api::artifact::ascii::escape_json;
use windtunnel_api::artifact::event::EventRow;
use windtunnel_api::artifact::ledger::LedgerRow;
use windtunnel_api::artifact::score::ScoreSidecar;
use windtunnel_api::artifact::trace::Trace;

use crate::MAX_FILE_BYTES;
use crate::append::RowFile;
use crate::error::StoreError;
use crate::folders::Folders;
use crate::name::{folder, segment, stamp, stem};
use crate::temporary::TemporaryFile;

/// Names tried for a run whose time and id are taken.
const MAX_ALTERNATIVES: usize = 64;

/// A runs folder that is written to. Share it between threads; several processes may write to one folder.
#[derive(Debug)]
pub struct RunStore {
    runs_dir: Utf8PathBuf,
    folders: Folders,
    ledger: RowFile,
    events: RowFile,
}

/// Where a run was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    /// The trace.
    pub trace_path: Utf8PathBuf,
    /// The score beside it.
    pub score_path: Utf8PathBuf,
}

impl RunStore {
    /// The store in a folder. Nothing is made yet; a file in the folder's place is an error now rather than after the
    /// first run.
    pub fn open(runs_dir: impl Into<Utf8PathBuf>) -> Result<Self, StoreError> {
        let runs_dir = runs_dir.into();
        if runs_dir.metadata().is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(StoreError::NotAFolder { path: runs_dir });
        }
        Ok(Self {
            folders: Folders::default(),
            ledger: RowFile::new(runs_dir.join(crate::read::LEDGER)),
            events: RowFile::new(runs_dir.join(crate::read::EVENTS)),
            runs_dir,
        })
    }

    /// The folder.
    pub fn runs_dir(&self) -> &Utf8Path {
        &self.runs_dir
    }

    /// Writes a scored run. When this returns, both files are complete and have their names.
    pub fn write_run(&self, trace: &Trace, sidecar: &ScoreSidecar) -> Result<StoredRun, StoreError> {
        let started_at: Timestamp = trace.started_at.parse().map_err(|_| StoreError::StartTime {
            run_id: trace.run_id.to_string(),
            found: trace.started_at.clone(),
        })?;
        let folder = self.runs_dir.join(folder(trace));
        let named = |attempt| {
            let stem = stem(started_at, trace, attempt);
            StoredRun {
                trace_path: folder.join(format!("{stem}.json")),
                score_path: folder.join(format!("{stem}.score.json")),
            }
        };
        let first = named(0);
        let score = escape_json(pretty(sidecar, &first.score_path)?);
        let trace = pretty(trace, &first.trace_path)?;
        let mut score = self.temporary(&first.score_path, &score)?;
        let mut trace = self.temporary(&first.trace_path, &trace)?;

        for stored in std::iter::once(first.clone()).chain((1..=MAX_ALTERNATIVES).map(named)) {
            if rename(&mut score, &stored.score_path)? && rename(&mut trace, &stored.trace_path)? {
                return Ok(StoredRun { score_path: score.keep(), trace_path: trace.keep() });
            }
        }
        Err(StoreError::NamesTaken { path: first.trace_path, tried: MAX_ALTERNATIVES })
    }

    /// Writes what a hook wants kept of a run, beside it: `<stem>.<hook>[.<label>].json`.
    pub fn write_run_artifact(
        &self,
        run: &StoredRun,
        hook: &str,
        label: Option<&str>,
        value: &Value,
    ) -> Result<Utf8PathBuf, StoreError> {
        if hook == "score" && label.is_none() {
            return Err(StoreError::ReservedHook { hook: hook.to_owned() });
        }
        let stem = run.trace_path.with_extension("");
        self.write_artifact(&artifact_name(stem.as_str(), &[Some(hook), label], "json"), value)
    }

    /// Writes what a hook wants kept of a sweep: `<time>.<hook>[.<scenario>][.<label>].pack.json` in the runs folder.
    pub fn write_sweep_artifact(
        &self,
        at: Timestamp,
        hook: &str,
        scenario: Option<&str>,
        label: Option<&str>,
        value: &Value,
    ) -> Result<Utf8PathBuf, StoreError> {
        let stem = self.runs_dir.join(stamp(at));
        self.write_artifact(&artifact_name(stem.as_str(), &[Some(hook), scenario, label], "pack.json"), value)
    }

    /// Appends a row to the ledger.
    pub fn append_ledger(&self, row: &LedgerRow) -> Result<(), StoreError> {
        let row = row.sorted().map_err(StoreError::json(self.ledger.path()))?;
        self.ledger.append(&row.to_string(), &self.folders)
    }

    /// Appends a row to the event log.
    pub fn append_event(&self, row: &EventRow) -> Result<(), StoreError> {
        let row = serde_json::to_string(row).map_err(StoreError::json(self.events.path()))?;
        self.events.append(&row, &self.folders)
    }

    fn write_artifact(&self, path: &Utf8Path, value: &Value) -> Result<Utf8PathBuf, StoreError> {
        let mut file = self.temporary(path, &pretty(value, path)?)?;
        if rename(&mut file, path)? {
            Ok(file.keep())
        } else {
            Err(StoreError::ArtifactExists { path: path.to_owned() })
        }
    }

    /// A complete file beside `path` that does not have its name yet.
    fn temporary(&self, path: &Utf8Path, text: &str) -> Result<TemporaryFile, StoreError> {
        if text.len() as u64 > MAX_FILE_BYTES {
            return Err(StoreError::TooLarge {
                path: path.to_owned(),
                bytes: text.len(),
                limit: MAX_FILE_BYTES,
            });
        }
        let folder = path.parent().unwrap_or(&self.runs_dir);
        let write = || {
            self.folders.make_ready(folder)?;
            TemporaryFile::write(folder, text.as_bytes())
        };
        match write() {
            // A folder that we remember is gone.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.folders.forget();
                write()
            }
            done => done,
        }
        .map_err(StoreError::io(path, "write"))
    }
}

/// Indented by two, without a newline at the end.
fn pretty(value: &impl Serialize, path: &Utf8Path) -> Result<String, StoreError> {
    serde_json::to_string_pretty(value).map_err(StoreError::json(path))
}

/// Whether the name was free.
fn rename(file: &mut TemporaryFile, path: &Utf8Path) -> Result<bool, StoreError> {
    file.rename(path).map_err(StoreError::io(path, "write"))
}

fn artifact_name(stem: &str, parts: &[Option<&str>], extension: &str) -> Utf8PathBuf {
    let parts = parts.iter().flatten().map(|part| segment(part));
    let name = parts.fold(stem.to_owned(), |name, part| name + "." + &part);
    format!("{name}.{extension}").into()
}
