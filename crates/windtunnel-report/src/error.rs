//! What can go wrong while reporting.

use std::io;

use camino::Utf8PathBuf;

/// Why something could not be reported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A stream did not take what was written to it.
    #[error("cannot write to {to}: {source}")]
    Stream {
        /// The stream: `stdout`, …
        to: String,
        /// What it said.
        source: io::Error,
    },
    /// The folder of a report is not there.
    #[error("{option} {path}: there is no folder {folder}; make it with `mkdir -p {folder}`")]
    NoFolder {
        /// The option that names it: `--out`, …
        option: &'static str,
        /// The report's file.
        path: Utf8PathBuf,
        /// Its folder.
        folder: Utf8PathBuf,
    },
    /// The report would replace a folder.
    #[error("{option} {path}: is a folder; name a file in it")]
    IsFolder {
        /// The option that names it: `--out`, …
        option: &'static str,
        /// The folder.
        path: Utf8PathBuf,
    },
    /// The report would go to a pipe, a socket or a block device.
    #[error(
        "{option} {path}: is neither a regular file nor a character device; name a file, or /dev/stdout for what reads the output of this program"
    )]
    NotAFile {
        /// The option that names it: `--out`, …
        option: &'static str,
        /// What was named.
        path: Utf8PathBuf,
    },
    /// The file system did not take the report.
    #[error("{option} {path}: cannot be written: {source}")]
    File {
        /// The option that names it: `--out`, …
        option: &'static str,
        /// The report's file.
        path: Utf8PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// The report cannot be put into JSON.
    #[error("the JSON report cannot be made: {0}")]
    Json(#[from] serde_json::Error),
    /// The report cannot be put into XML.
    #[error("the JUnit report cannot be made: {0}")]
    Junit(#[from] quick_junit::SerializeError),
    /// Several reporters failed.
    #[error("{}", list(.0))]
    Several(Vec<ReportError>),
}

impl ReportError {
    /// Whether nobody reads our output any more, as after `wt run | head`.
    pub fn is_broken_pipe(&self) -> bool {
        match self {
            Self::Stream { source, .. } | Self::File { source, .. } => {
                source.kind() == io::ErrorKind::BrokenPipe
            }
            Self::Several(errors) => errors.iter().all(Self::is_broken_pipe),
            Self::NoFolder { .. }
            | Self::IsFolder { .. }
            | Self::NotAFile { .. }
            | Self::Json(_)
            | Self::Junit(_) => false,
        }
    }

    /// One error of several, or none.
    pub(crate) fn collect(mut errors: Vec<Self>) -> Result<(), Self> {
        match errors.pop() {
            None => Ok(()),
            Some(only) if errors.is_empty() => Err(only),
            Some(last) => {
                errors.push(last);
                Err(Self::Several(errors))
            }
        }
    }
}

fn list(errors: &[ReportError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
