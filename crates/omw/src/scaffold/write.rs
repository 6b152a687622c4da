//! Where the test is written to.

use std::fs::{self, File};
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_report::{Output, ReportError};

/// A test that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Something has that name already.
    #[error("{0} already exists; pass --force to overwrite")]
    Exists(Utf8PathBuf),
    /// The name cannot be taken.
    #[error("cannot write {path}: {error}")]
    Io {
        /// The file.
        path: Utf8PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Output(#[from] ReportError),
}

/// Says early whether [`write()`] would refuse to overwrite something: to ask all back ends takes a while.
///
/// # Errors
/// [`WriteError::Exists`], also for a link that leads nowhere.
pub fn ensure_free(path: &Utf8Path, force: bool) -> Result<(), WriteError> {
    if !force && fs::symlink_metadata(path).is_ok() {
        return Err(WriteError::Exists(path.to_owned()));
    }
    Ok(())
}

/// Writes a test. The file is whole or not there at all, and something that has its name is only replaced with `force`; through a
/// link that leads to a file it is that file.
///
/// # Errors
/// A name that is taken, a folder that does not exist or takes no files.
pub fn write(path: &Utf8Path, text: &str, force: bool) -> Result<(), WriteError> {
    if !force {
        // From here on the name is ours, whoever else may want it.
        File::create_new(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists(path.to_owned()),
            _ => WriteError::Io { path: path.to_owned(), error },
        })?;
    }
    let written = Output::file_of("--output", path).and_then(|mut output| output.deliver(text));
    if written.is_err() && !force {
        // The empty file of above; that it cannot be removed is not worth another error.
        let _ = fs::remove_file(path);
    }
    Ok(written?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        (folder, path)
    }

    fn names(folder: &Utf8Path) -> Vec<String> {
        let mut names: Vec<_> =
            folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_only_overwritten_with_force_and_nothing_else_is_left() {
        let (_folder, folder) = folder();
        let path = folder.join("omw.test.toml");
        write(&path, "one", false).unwrap();
        let error = write(&path, "two", false).unwrap_err();
        assert_eq!(error.to_string(), format!("{path} already exists; pass --force to overwrite"));
        assert!(ensure_free(&path, false).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        write(&path, "three", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(names(&folder), ["omw.test.toml"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_written_through_without_force() {
        let (_folder, folder) = folder();
        let (target, link) = (folder.join("target"), folder.join("omw.test.toml"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert!(matches!(write(&link, "one", false), Err(WriteError::Exists(_))), "the link leads nowhere");
        assert!(!target.exists());
        fs::write(&target, "old").unwrap();
        assert!(matches!(write(&link, "one", false), Err(WriteError::Exists(_))));
        write(&link, "two", true).unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "the link is still one");
    }

    #[test]
    fn a_folder_that_does_not_exist_is_named() {
        let (_folder, folder) = folder();
        let (missing, path) = (folder.join("no"), folder.join("no/such.toml"));
        let system = File::create_new(&path).unwrap_err();
        let make_it = format!("there is no folder {missing}; make it with `mkdir -p {missing}`");
        for (force, told) in
            [(false, format!("cannot write {path}: {system}")), (true, format!("--output {path}: {make_it}"))]
        {
            assert_eq!(write(&path, "", force).unwrap_err().to_string(), told);
        }
        assert!(names(&folder).is_empty());
    }
}
