//! Folders that are made complete or not at all.

use std::fs;
use std::io::{self, ErrorKind};

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;
use thiserror::Error;

use crate::error::CliError;

/// The longest name of a pack or a scenario, in bytes: files get it with an ending, and no name of a file may have more than 255.
pub(crate) const MAX_NAME: usize = 100;

/// A folder that is being made. Its files are put together in a hidden folder on the same disk, which shows before any work is done
/// whether it can be made at all; dropped without a [`commit`](Self::commit), it leaves nothing behind.
pub(crate) struct NewFolder {
    /// As it was called.
    shown: Utf8PathBuf,
    dir: Utf8PathBuf,
    staging: TempDir,
    parents: MadeParents,
}

/// A folder that cannot be made.
#[derive(Debug, Error)]
pub(crate) enum FolderError {
    /// Something is in the way.
    #[error("{dir} {what}")]
    Occupied {
        /// The folder, as it was called.
        dir: Utf8PathBuf,
        /// What is in the way.
        what: &'static str,
    },
    /// The system does not allow it.
    #[error("cannot make {dir}: {at}: {error}")]
    Refused {
        /// The folder, as it was called.
        dir: Utf8PathBuf,
        /// The path that it fails at.
        at: Utf8PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl From<FolderError> for CliError {
    fn from(error: FolderError) -> Self {
        let help = match &error {
            FolderError::Occupied { .. } => {
                "name a folder that is not there, or is empty: nothing is overwritten"
            }
            FolderError::Refused { .. } => "name a folder that can be made",
        };
        Self::usage(error.to_string(), help)
    }
}

/// A folder that was not made to the end, and where its files are.
#[derive(Debug, Error)]
#[error("cannot make {dir}: {error}; its files were left in {left}")]
pub(crate) struct Unfinished {
    dir: Utf8PathBuf,
    left: String,
    error: io::Error,
}

impl From<Unfinished> for CliError {
    fn from(error: Unfinished) -> Self {
        Self::usage(error.to_string(), "move them to where they belong")
    }
}

impl NewFolder {
    /// Begins a folder that is not there yet, or is empty.
    pub(crate) fn begin(shown: &Utf8Path) -> Result<Self, FolderError> {
        let refused =
            |at: &Utf8Path, error| FolderError::Refused { dir: shown.to_owned(), at: at.to_owned(), error };
        let dir = camino::absolute_utf8(shown).map_err(|error| refused(shown, error))?;
        let is_there = match fs::symlink_metadata(&dir) {
            Ok(_) => true,
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(refused(&dir, error)),
        };
        let occupied = |what| FolderError::Occupied { dir: shown.to_owned(), what };
        let (within, parents) = if is_there {
            if !dir.is_dir() {
                return Err(occupied("is there already, and is no folder"));
            }
            let mut entries = fs::read_dir(&dir).map_err(|error| refused(&dir, error))?;
            if entries.next().is_some() {
                return Err(occupied("is not empty"));
            }
            (dir.as_path(), MadeParents::default())
        } else {
            let parent = dir.parent().unwrap_or(&dir);
            let parents = MadeParents::make(parent).map_err(|(at, error)| refused(&at, error))?;
            (parent, parents)
        };
        let staging = tempfile::Builder::new().prefix(".wt-new-").tempdir_in(within);
        let staging = staging.map_err(|error| refused(within, error))?;
        Ok(Self { shown: shown.to_owned(), dir, staging, parents })
    }

    /// Where it is put together, for files that are not texts. They appear with it.
    pub(crate) fn staging(&self) -> Option<&Utf8Path> {
        Utf8Path::from_path(self.staging.path())
    }

    /// Writes its files, and makes it appear. Where that fails, the files stay where they were put together.
    pub(crate) fn commit(self, files: impl IntoIterator<Item = (String, String)>) -> Result<(), Unfinished> {
        let Self { shown, dir, mut staging, mut parents } = self;
        parents.keep();
        match write(staging.path(), files).and_then(|()| appear(&staging, &dir)) {
            Ok(()) => Ok(()),
            Err(error) => {
                staging.disable_cleanup(true);
                Err(Unfinished { dir: shown, left: staging.path().display().to_string(), error })
            }
        }
    }
}

fn write(staging: &std::path::Path, files: impl IntoIterator<Item = (String, String)>) -> io::Result<()> {
    // What cannot be written takes nothing else with it.
    let mut failed = None;
    for (file, text) in files {
        let path = staging.join(file);
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        if let Err(error) = folder.and_then(|()| fs::write(&path, text)) {
            failed.get_or_insert(error);
        }
    }
    failed.map_or(Ok(()), Err)
}

fn appear(staging: &TempDir, dir: &Utf8Path) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(dir) else {
        set_mode(staging.path(), 0o755)?;
        return fs::rename(staging.path(), dir);
    };
    // Whoever stands in an empty folder goes on standing in it.
    for entry in entries {
        if entry?.path() != staging.path() {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
    }
    for entry in fs::read_dir(staging.path())? {
        let entry = entry?;
        fs::rename(entry.path(), dir.as_std_path().join(entry.file_name()))?;
    }
    Ok(())
}

/// Folders that were made for one inside them. Dropped, they go as far as they are empty.
#[derive(Default)]
struct MadeParents(Vec<Utf8PathBuf>);

impl MadeParents {
    /// Makes a folder and those it is in. Where that fails, the path that it fails at.
    fn make(folder: &Utf8Path) -> Result<Self, (Utf8PathBuf, io::Error)> {
        let missing: Vec<_> = folder.ancestors().take_while(|ancestor| !ancestor.is_dir()).collect();
        let mut made = Self::default();
        for folder in missing.into_iter().rev() {
            fs::create_dir(folder).map_err(|error| (folder.to_owned(), error))?;
            made.0.push(folder.to_owned());
        }
        Ok(made)
    }

    fn keep(&mut self) {
        self.0.clear();
    }
}

impl Drop for MadeParents {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Gives a temporary file or folder, which is private, the mode of one that is made for somebody.
#[cfg(unix)]
pub(crate) fn set_mode(path: &std::path::Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub(crate) fn set_mode(_path: &std::path::Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// The folder's name as a pack's name; this one where nothing is left of it.
pub(crate) fn plain_name(dir: &Utf8Path, fallback: &str) -> String {
    let name = dir.file_name().unwrap_or(fallback);
    let plain = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' });
    let plain: String = plain.take(MAX_NAME).collect();
    if plain.trim_matches(['_', '-']).is_empty() { fallback.to_owned() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> (TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        (folder, path)
    }

    fn names(dir: &Utf8Path) -> Vec<String> {
        dir.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect()
    }

    fn one_file() -> [(String, String); 1] {
        [("in/it.txt".to_owned(), "text".to_owned())]
    }

    #[test]
    fn names_are_made_plain() {
        for (dir, name) in [("a/my pack", "my_pack"), ("a/..", "starter"), ("ok-1", "ok-1"), ("Ünï", "_n_")]
        {
            assert_eq!(plain_name(Utf8Path::new(dir), "starter"), name, "{dir}");
        }
        assert_eq!(plain_name(Utf8Path::new(&"a".repeat(255)), "starter").len(), MAX_NAME);
    }

    #[test]
    fn a_folder_that_is_given_up_leaves_nothing_behind() {
        let (_scratch, root) = scratch();
        for dir in ["new", "in/some/new", "."] {
            let begun = NewFolder::begin(&root.join(dir)).unwrap();
            assert_eq!(names(&root).len(), 1, "{dir}");
            drop(begun);
            assert!(names(&root).is_empty(), "{dir}");
        }
    }

    #[test]
    fn a_folder_appears_with_all_that_is_in_it() {
        let (_scratch, root) = scratch();
        for dir in ["new", "in/some/newer"] {
            NewFolder::begin(&root.join(dir)).unwrap().commit(one_file()).unwrap();
            assert_eq!(names(&root.join(dir)), ["in"]);
        }
        let mut left = names(&root);
        left.sort();
        assert_eq!(left, ["in", "new"]);
    }

    #[test]
    fn what_cannot_be_made_is_refused_before_anything_is_made() {
        let (_scratch, root) = scratch();
        fs::write(root.join("file"), "mine").unwrap();
        fs::create_dir(root.join("full")).unwrap();
        fs::write(root.join("full/mine"), "mine").unwrap();
        let refused = |dir: &str| {
            let error = NewFolder::begin(&root.join(dir)).err().expect(dir).to_string();
            error.replace(root.as_str(), "ROOT")
        };
        assert_eq!(refused("full"), "ROOT/full is not empty");
        assert_eq!(refused("file"), "ROOT/file is there already, and is no folder");
        assert_eq!(
            refused("file/new"),
            "cannot make ROOT/file/new: ROOT/file/new: Not a directory (os error 20)"
        );
        let long = "x".repeat(256);
        assert_eq!(
            refused(&long).replace(&long, "LONG"),
            "cannot make ROOT/LONG: ROOT/LONG: File name too long (os error 36)"
        );
        assert_eq!(
            refused(&format!("{long}/new")).replace(&long, "LONG"),
            "cannot make ROOT/LONG/new: ROOT/LONG/new: File name too long (os error 36)"
        );
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("nowhere", root.join("dangling")).unwrap();
            assert_eq!(refused("dangling"), "ROOT/dangling is there already, and is no folder");
            assert_eq!(
                refused("dangling/new"),
                "cannot make ROOT/dangling/new: ROOT/dangling: File exists (os error 17)"
            );
            fs::remove_file(root.join("dangling")).unwrap();
        }
        let mut left = names(&root);
        left.sort();
        assert_eq!(left, ["file", "full"]);
    }

    #[test]
    fn files_stay_where_they_were_put_together_when_something_came_in_between() {
        let (_scratch, root) = scratch();
        for dir in ["new", "empty"] {
            let dir = root.join(dir);
            if dir.file_name() == Some("empty") {
                fs::create_dir(&dir).unwrap();
            }
            let begun = NewFolder::begin(&dir).unwrap();
            fs::create_dir_all(&dir).unwrap();
            fs::write(dir.join("mine"), "mine").unwrap();
            let unfinished = begun.commit(one_file()).unwrap_err();
            assert_eq!(fs::read_to_string(format!("{}/in/it.txt", unfinished.left)).unwrap(), "text");
            assert!(unfinished.to_string().contains("its files were left in"), "{unfinished}");
            assert_eq!(fs::read_to_string(dir.join("mine")).unwrap(), "mine");
        }
    }
}
