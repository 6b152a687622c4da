//! The folder of a workspace, which an agent may put something else in the place of.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};

/// The folder of a workspace as it was before an agent could touch it.
///
/// An agent that can write to the folder can often replace the folder itself, for example by a symbolic link that leads out.
/// Whoever works in it for the bench asks first whether it is still the same.
#[derive(Debug, Clone)]
pub struct WorkspaceRoot {
    given: Utf8PathBuf,
    /// Without symbolic links.
    real: PathBuf,
    identity: Identity,
}

impl WorkspaceRoot {
    /// Remembers the folder.
    ///
    /// # Errors
    /// It cannot be looked at, it is a symbolic link, or it is no folder.
    pub fn new(path: &Utf8Path) -> io::Result<Self> {
        let metadata = fs::symlink_metadata(path)?;
        if metadata.is_symlink() {
            return Err(io::Error::other("it is a symbolic link"));
        }
        if !metadata.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let identity = Identity::of(&metadata);
        Ok(Self { given: path.to_owned(), real: fs::canonicalize(path)?, identity })
    }

    /// The folder's path as it was given.
    pub fn path(&self) -> &Utf8Path {
        &self.given
    }

    /// The folder's path without symbolic links.
    pub fn real(&self) -> &Path {
        &self.real
    }

    /// Whether the path still leads to the same folder.
    ///
    /// # Errors
    /// It does not: `the workspace was replaced`, with its path.
    pub fn check(&self) -> io::Result<()> {
        let leads_there = fs::canonicalize(&self.given).is_ok_and(|real| real == self.real);
        let is_same = fs::symlink_metadata(&self.real)
            .is_ok_and(|metadata| metadata.is_dir() && Identity::of(&metadata) == self.identity);
        if leads_there && is_same {
            return Ok(());
        }
        Err(io::Error::other(format!(
            "the workspace was replaced: {} is not the folder that the case began with",
            self.given
        )))
    }
}

/// What a folder has that another one at its path does not have.
#[cfg(unix)]
#[derive(Debug, Clone, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl Identity {
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;

        Self { device: metadata.dev(), inode: metadata.ino() }
    }
}

#[cfg(not(unix))]
#[derive(Debug, Clone, PartialEq, Eq)]
struct Identity {
    created: Option<std::time::SystemTime>,
}

#[cfg(not(unix))]
impl Identity {
    fn of(metadata: &Metadata) -> Self {
        Self { created: metadata.created().ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn only_the_folder_that_it_was_is_the_workspace() {
        use std::os::unix::fs::symlink;

        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| Utf8PathBuf::from_path_buf(dir.path().join(name)).unwrap();
        fs::create_dir(at("w")).unwrap();
        fs::create_dir(at("other")).unwrap();
        let root = WorkspaceRoot::new(&at("w")).unwrap();
        fs::write(at("w/a"), "").unwrap();
        root.check().unwrap();

        fs::rename(at("w"), at("moved")).unwrap();
        let replaced =
            format!("the workspace was replaced: {} is not the folder that the case began with", at("w"));
        assert_eq!(root.check().unwrap_err().to_string(), replaced, "nothing is there");
        for target in ["other", "moved"] {
            symlink(at(target), at("w")).unwrap();
            assert_eq!(root.check().unwrap_err().to_string(), replaced, "a link to {target}");
            assert_eq!(WorkspaceRoot::new(&at("w")).unwrap_err().to_string(), "it is a symbolic link");
            fs::remove_file(at("w")).unwrap();
        }
        fs::create_dir(at("w")).unwrap();
        assert_eq!(root.check().unwrap_err().to_string(), replaced, "another folder");
        fs::remove_dir(at("w")).unwrap();
        fs::rename(at("moved"), at("w")).unwrap();
        root.check().unwrap();
    }
}
