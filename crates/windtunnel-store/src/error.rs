//! What can go wrong while writing.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

/// Why something could not be stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The runs folder is something else than a folder.
    #[error("{path}: the runs folder is a file; move it away or choose another folder with --runs-dir")]
    NotAFolder {
        /// What is there.
        path: Utf8PathBuf,
    },
    /// The file system said no.
    #[error("{path}: cannot {action}: {source}")]
    Io {
        /// The file or folder.
        path: Utf8PathBuf,
        /// What was tried: `write`, `append`, …
        action: &'static str,
        /// What it said.
        source: io::Error,
    },
    /// Only a part of a row was written, for example because the disk is full. The next row starts on a line of its own.
    #[error("{path}: only {written} of {bytes} bytes of a row were written; is the disk full?")]
    TornRow {
        /// The file.
        path: Utf8PathBuf,
        /// Bytes that were written.
        written: usize,
        /// Bytes of the row.
        bytes: usize,
    },
    /// More than a reader would take.
    #[error(
        "{path}: {bytes} bytes are more than the {limit} that are stored; shorten what the run observes or returns"
    )]
    TooLarge {
        /// The file.
        path: Utf8PathBuf,
        /// What it would have held.
        bytes: usize,
        /// [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES) or [`MAX_ROW_BYTES`](crate::MAX_ROW_BYTES).
        limit: u64,
    },
    /// A value that JSON cannot hold.
    #[error("{path}: cannot be written as JSON: {source}")]
    Json {
        /// The file.
        path: Utf8PathBuf,
        /// Why not.
        source: serde_json::Error,
    },
    /// The trace's start is not a time.
    #[error(
        "run {run_id}: `started_at` is `{found}`, expected RFC 3339 such as 2026-11-30T08:58:54.387116+00:00"
    )]
    StartTime {
        /// The run's id.
        run_id: String,
        /// What was found.
        found: String,
    },
    /// A hook took the name of the score file.
    #[error(
        "a hook cannot be called `{hook}`: `<run>.{hook}.json` is the score of the run; give the hook another name"
    )]
    ReservedHook {
        /// The hook's name.
        hook: String,
    },
    /// A hook wrote two artifacts of one name.
    #[error("{path}: was written before; give every artifact of the hook a label of its own")]
    ArtifactExists {
        /// The file.
        path: Utf8PathBuf,
    },
    /// Every name that a run may have is taken.
    #[error("{path}: taken, and so are its {tried} alternatives; the ids of these runs are not unique")]
    NamesTaken {
        /// The first choice.
        path: Utf8PathBuf,
        /// Alternatives that were tried.
        tried: usize,
    },
}

impl StoreError {
    pub(crate) fn io(path: &Utf8Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), action, source }
    }

    pub(crate) fn json(path: &Utf8Path) -> impl FnOnce(serde_json::Error) -> Self {
        move |source| Self::Json { path: path.to_owned(), source }
    }
}
