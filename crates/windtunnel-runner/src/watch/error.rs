//! What can keep files from being watched.

use std::io;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use notify_debouncer_full::notify::{Error, ErrorKind};
use thiserror::Error;

/// Files that cannot be watched.
#[derive(Debug, Error)]
pub enum WatchError {
    /// Nothing is there; for a file, its folder is not.
    #[error("cannot watch {path}: there is no folder {folder}")]
    NoFolder {
        /// What was to be watched.
        path: Utf8PathBuf,
        /// The folder that would have to be there.
        folder: Utf8PathBuf,
    },
    /// A path whose real place is no UTF-8.
    #[error("cannot watch {path}: it leads to {target}, which is not UTF-8")]
    NotUtf8 {
        /// What was to be watched.
        path: Utf8PathBuf,
        /// Where it is, as far as that can be shown.
        target: String,
    },
    /// The system's bound for watched folders is reached.
    #[error(
        "cannot watch {path}: this user watches as many folders as the system allows; watch a smaller folder, end other programs \
         that watch files, or raise the bound (on Linux: `sysctl fs.inotify.max_user_watches=524288`)"
    )]
    TooManyWatches {
        /// What was to be watched.
        path: Utf8PathBuf,
    },
    /// The system's bound for programs that watch is reached.
    #[error(
        "cannot watch files: this user has as many watchers or open files as the system allows; end other programs that watch \
         files, or raise the bound (on Linux: `sysctl fs.inotify.max_user_instances=1024`)"
    )]
    TooManyWatchers,
    /// The system does not watch files, or said no.
    #[error("cannot watch {what}: {error}")]
    System {
        /// What was to be watched.
        what: String,
        /// What the system said.
        error: String,
    },
}

impl WatchError {
    /// No watcher could be made.
    pub(super) fn of_watcher(error: &Error) -> Self {
        match &error.kind {
            ErrorKind::MaxFilesWatch => Self::TooManyWatchers,
            ErrorKind::Io(source) if is_table_full(source) => Self::TooManyWatchers,
            _ => Self::System { what: "files".into(), error: error.to_string() },
        }
    }

    /// A path could not be watched.
    pub(super) fn of_path(path: &Utf8Path, error: &Error) -> Self {
        match &error.kind {
            ErrorKind::MaxFilesWatch => Self::TooManyWatches { path: path.to_owned() },
            ErrorKind::PathNotFound => Self::NoFolder { path: path.to_owned(), folder: path.to_owned() },
            _ => Self::System { what: path.to_string(), error: error.to_string() },
        }
    }

    /// For `map_err`: the folder of a path could not be looked up.
    pub(super) fn of_lookup(path: &Utf8Path, folder: &Utf8Path) -> impl FnOnce(io::Error) -> Self {
        move |error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                Self::NoFolder { path: path.to_owned(), folder: folder.to_owned() }
            }
            _ => Self::System { what: path.to_string(), error: error.to_string() },
        }
    }

    pub(super) fn not_utf8(path: &Utf8Path, target: &Path) -> Self {
        Self::NotUtf8 { path: path.to_owned(), target: target.display().to_string() }
    }
}

/// `EMFILE` and `ENFILE`, which have no kind of their own.
fn is_table_full(error: &io::Error) -> bool {
    cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_of_the_system_is_named_with_its_setting() {
        let path = Utf8Path::new("/srv/tests");
        let full = WatchError::of_path(path, &Error::new(ErrorKind::MaxFilesWatch)).to_string();
        assert!(full.starts_with("cannot watch /srv/tests: "), "{full}");
        assert!(full.contains("fs.inotify.max_user_watches"), "{full}");
        let other = WatchError::of_path(path, &Error::generic("no"));
        assert_eq!(other.to_string(), "cannot watch /srv/tests: no");
    }

    #[cfg(unix)]
    #[test]
    fn too_many_open_files_is_not_left_to_a_number() {
        let full = WatchError::of_watcher(&Error::io(io::Error::from_raw_os_error(24)));
        assert!(matches!(full, WatchError::TooManyWatchers), "{full}");
    }
}
