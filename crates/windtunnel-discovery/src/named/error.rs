//! Why no files were found.

use std::fmt::Write as _;

use camino::Utf8PathBuf;
use thiserror::Error;

/// How many names an error lists.
const LISTED: usize = 8;

/// A search that failed, or that found nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FindError {
    /// There is nothing at the path.
    #[error("cannot read {path}: {reason}; name a folder with tests in it, or the file of one test")]
    NoSuchPath {
        /// What was given.
        path: Utf8PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The path is that of a base file.
    #[error("{path} is no test: base files are inherited by the tests in and below their folder")]
    Base {
        /// What was given.
        path: Utf8PathBuf,
    },
    /// A glob that cannot be read.
    #[error(
        "{flag} {glob:?} is not a glob: {reason}; for example \"**/login/*\", where * stays within a folder"
    )]
    Glob {
        /// The flag.
        flag: &'static str,
        /// What was given.
        glob: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder that cannot be looked through.
    #[error("cannot look through {path}: {reason}")]
    Unreadable {
        /// Where it was looked.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// A test whose path is not UTF-8.
    #[error("the path of this test is not UTF-8: {path}")]
    NotUtf8 {
        /// The path, as far as it can be shown.
        path: String,
    },
    /// Folders lie too deep inside each other.
    #[error("folders are nested more than {limit} levels deep at {path}; name a folder further down")]
    TooDeep {
        /// How deep they may lie.
        limit: usize,
        /// The first folder that lies deeper.
        path: Utf8PathBuf,
    },
    /// There are too many tests.
    #[error("there are more than {limit} tests in {root}; name a folder further down")]
    TooMany {
        /// How many there may be.
        limit: usize,
        /// Where it was looked.
        root: Utf8PathBuf,
    },
    /// There is no test.
    #[error("there is no test in {root}; tests are files named {names}")]
    NothingFound {
        /// Where it was looked.
        root: Utf8PathBuf,
        /// How tests are named.
        names: String,
    },
    /// There are tests, but none is wanted.
    #[error("{filter} selects none of the tests in {root}{}", list(found))]
    NothingSelected {
        /// Where it was looked.
        root: Utf8PathBuf,
        /// The flags that left them out.
        filter: String,
        /// The labels of the tests that there are.
        found: Vec<String>,
    },
}

fn list(found: &[String]) -> String {
    let shown: Vec<&str> = found.iter().take(LISTED).map(String::as_str).collect();
    let mut text = format!("; there are {}", shown.join(", "));
    if found.len() > LISTED {
        let _ = write!(text, " and {} more", found.len() - LISTED);
    }
    text.push_str("; globs match such a path as a whole, and * stays within a folder");
    text
}
