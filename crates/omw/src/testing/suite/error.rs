//! What can keep a suite from being run.

use std::io;

use camino::Utf8PathBuf;
use windtunnel_discovery::FindError;
use windtunnel_report::ReportError;
use windtunnel_runner::watch::WatchError;

use crate::testing::DumpError;

/// A suite that was not run, or whose results could not be written. What is wrong with single tests is no such error: it is their
/// failure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// No tests were found.
    #[error(transparent)]
    Find(#[from] FindError),
    /// A report or a dump cannot be written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The folder of a dump cannot be made.
    #[error("--dump {path}: cannot make its folder: {error}")]
    DumpFolder {
        /// The dump's file.
        path: Utf8PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The dump cannot be put into its format.
    #[error("--dump: {0}")]
    Dump(#[from] DumpError),
    /// Files cannot be watched.
    #[error(transparent)]
    Watch(#[from] WatchError),
    /// A test from standard input was to be watched.
    #[error("a test from standard input cannot be watched; name its file")]
    WatchedText,
}

impl SuiteError {
    /// Whether there was just no test to run.
    pub fn is_no_tests(&self) -> bool {
        matches!(self, Self::Find(FindError::NothingFound { .. } | FindError::NothingSelected { .. }))
    }
}
