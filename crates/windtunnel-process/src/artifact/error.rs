//! An artifact that cannot be read.

use std::io;

use thiserror::Error;
use windtunnel_doc::Diagnostics;

/// An artifact that cannot be read as one.
#[derive(Debug, Error)]
pub enum ArtifactError {
    /// It stands under several of its names.
    #[error("{} are both there, and only one of them is read: remove the other", files.join(" and "))]
    Ambiguous {
        /// Those names.
        files: Vec<String>,
    },
    /// Something else stands under its name.
    #[error("{file} is {found}; expected a regular file")]
    NotAFile {
        /// The name.
        file: String,
        /// What stands there.
        found: &'static str,
    },
    /// It is larger than an artifact may be.
    #[error("{file} has more than {limit} bytes, which is more than an artifact may have")]
    TooLarge {
        /// The name.
        file: String,
        /// How many it may have.
        limit: u64,
    },
    /// It is no text.
    #[error("{file}:{line}: this is not UTF-8 text")]
    NotText {
        /// The name.
        file: String,
        /// The line of the first byte that is none.
        line: usize,
    },
    /// The file system refused.
    #[error("{file} cannot be read: {source}")]
    Io {
        /// The name.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// Its front matter begins and does not end.
    #[error("{file}:1: the front matter has no end; expected a second line ---")]
    Unclosed {
        /// The name.
        file: String,
    },
    /// Its front matter is no YAML, or no map.
    #[error(transparent)]
    FrontMatter(#[from] Diagnostics),
}
