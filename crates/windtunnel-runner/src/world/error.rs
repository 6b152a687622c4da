//! What can be wrong with a workspace or the files it is seeded from.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use thiserror::Error;

use super::seed::{MAX_DEPTH, MAX_ENTRIES};

/// A workspace that could not be made or seeded.
#[derive(Debug, Error)]
pub enum WorkspaceError {
    /// The file system said no.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: Utf8PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// An agent put something else in the place of its workspace.
    #[error(
        "the workspace {path} was replaced: it is no longer a folder, and what stands there is left alone"
    )]
    Replaced {
        /// Where it was.
        path: Utf8PathBuf,
    },
    /// A path that is no UTF-8.
    #[error("{path} is not UTF-8; workspaces are named in configurations and traces, which are")]
    NotUtf8 {
        /// The path, as far as it can be shown.
        path: String,
    },
    /// The files to start from are not there.
    #[error(
        "the workspace files {path} are not a folder; `workspace.files` in pack.toml names a folder relative to it"
    )]
    NoFolder {
        /// The folder that was named.
        path: Utf8PathBuf,
    },
    /// A link that the copy would carry out of the workspace.
    #[error(
        "the link {link} points to {target}, which {why}; a workspace keeps links only where they stay inside it: \
         make it relative, or put the file in its place"
    )]
    Link {
        /// The link.
        link: Utf8PathBuf,
        /// Where it points.
        target: Utf8PathBuf,
        /// What is wrong with that.
        why: &'static str,
    },
    /// Neither file, folder nor link.
    #[error("{path} is neither a file, a folder nor a link, and cannot be copied into a workspace")]
    Special {
        /// What it is about.
        path: Utf8PathBuf,
    },
    /// More files than a workspace is seeded with.
    #[error(
        "{root} has more than {MAX_ENTRIES} files and folders; a workspace is copied before every run, so keep it small"
    )]
    TooManyEntries {
        /// The folder that was to be copied.
        root: Utf8PathBuf,
    },
    /// More bytes than may be copied.
    #[error(
        "the files of {root} are larger than {} MiB; a workspace is copied before every run, so keep it small",
        bytes / (1024 * 1024)
    )]
    TooLarge {
        /// The folder that was to be copied.
        root: Utf8PathBuf,
        /// The most that it may have.
        bytes: u64,
    },
    /// Folders nested too deep.
    #[error("{path} is nested more than {MAX_DEPTH} folders deep")]
    TooDeep {
        /// The folder that is too deep.
        path: Utf8PathBuf,
    },
}

impl WorkspaceError {
    /// For `map_err`: what was tried on which path.
    pub(super) fn io(action: &'static str, path: &Utf8Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }
}
