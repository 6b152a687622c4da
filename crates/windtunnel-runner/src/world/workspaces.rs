//! The temporary root, and the folder of each case.

use std::fs;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use super::error::WorkspaceError;
use super::{removal, seed};

/// How the name of the temporary root begins.
pub const ROOT_PREFIX: &str = "windtunnel-";

/// Makes the workspaces of a bench below one temporary root, which is made with the first of them.
#[derive(Debug, Default)]
pub struct Workspaces {
    root: Mutex<Option<Root>>,
    keep: bool,
}

#[derive(Debug)]
struct Root {
    /// Removes the root when dropped.
    folder: TempDir,
    /// Its path without symlinks, as tools compare paths.
    path: Utf8PathBuf,
}

impl Workspaces {
    /// Workspaces that are removed with their case, or kept.
    pub fn new(keep: bool) -> Self {
        Self { root: Mutex::default(), keep }
    }

    /// A fresh folder for one case, seeded from the files given. `name` says in its path which case it was.
    pub fn open(&self, name: &str, files: Option<Utf8PathBuf>) -> Result<Workspace, WorkspaceError> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let case_id = format!("{}-{}", NUMBER.fetch_add(1, Ordering::Relaxed), safe_name(name));
        let path = self.root()?.join(&case_id);
        fs::create_dir(&path).map_err(WorkspaceError::io("make the folder", &path))?;
        let workspace = Workspace { case_id, path, files, keep: self.keep };
        workspace.seed()?;
        Ok(workspace)
    }

    /// Removes the root with everything in it, unless workspaces are kept. Folders of cases that still run go with it.
    pub fn close(&self) {
        let root = self.root.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Root { mut folder, path }) = root else { return };
        folder.disable_cleanup(true);
        if !self.keep
            && let Err(error) = removal::remove(path.as_std_path())
        {
            tracing::warn!(%path, %error, "the workspaces could not be removed");
        }
    }

    fn root(&self) -> Result<Utf8PathBuf, WorkspaceError> {
        let mut slot = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(root) = &*slot {
            return Ok(root.path.clone());
        }
        let folder = tempfile::Builder::new().prefix(ROOT_PREFIX).tempdir();
        let within = Utf8PathBuf::try_from(std::env::temp_dir()).unwrap_or_default();
        let folder = folder.map_err(WorkspaceError::io("make a temporary folder in", &within))?;
        let path = folder.path().canonicalize().map_err(WorkspaceError::io("resolve", &within))?;
        let path = Utf8PathBuf::from_path_buf(path)
            .map_err(|path| WorkspaceError::NotUtf8 { path: path.display().to_string() })?;
        *slot = Some(Root { folder, path: path.clone() });
        Ok(path)
    }
}

impl Drop for Workspaces {
    fn drop(&mut self) {
        self.close();
    }
}

/// The folder of one case. Dropping it removes the folder, unless workspaces are kept.
#[derive(Debug)]
pub struct Workspace {
    case_id: String,
    path: Utf8PathBuf,
    files: Option<Utf8PathBuf>,
    keep: bool,
}

impl Workspace {
    /// Its path, absolute and without symlinks.
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// The name of its folder: unique in this process, safe in a URL path and a file name.
    pub fn case_id(&self) -> &str {
        &self.case_id
    }

    /// Its path, if it outlives the case.
    pub fn kept(&self) -> Option<&Utf8Path> {
        self.keep.then_some(&*self.path)
    }

    /// Brings the contents back to the files it was seeded from. The folder itself stays, since processes may stand in it.
    ///
    /// # Errors
    /// Something else stands in its place, as a link to a folder elsewhere; nothing is removed then.
    pub fn reseed(&self) -> Result<(), WorkspaceError> {
        let found = self.path.symlink_metadata().map_err(WorkspaceError::io("look at", &self.path))?;
        if !found.is_dir() {
            return Err(WorkspaceError::Replaced { path: self.path.clone() });
        }
        if self.clear().is_err() {
            removal::restore_permissions(self.path.as_std_path());
            self.clear()?;
        }
        self.seed()
    }

    fn clear(&self) -> Result<(), WorkspaceError> {
        for entry in self.path.read_dir_utf8().map_err(WorkspaceError::io("list", &self.path))? {
            let entry = entry.map_err(WorkspaceError::io("list", &self.path))?;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let path = entry.path();
            let removed = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            removed.map_err(WorkspaceError::io("remove", path))?;
        }
        Ok(())
    }

    fn seed(&self) -> Result<(), WorkspaceError> {
        self.files.as_deref().map_or(Ok(()), |files| seed::copy(files, &self.path))
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        if self.keep {
            return;
        }
        if let Err(error) = removal::remove(self.path.as_std_path())
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(path = %self.path, %error, "the workspace could not be removed");
        }
    }
}

/// At most 60 characters that stand for themselves in paths and URLs.
fn safe_name(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    name.chars().take(60).map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(contents: &[(&str, &str)]) -> (TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        for (name, text) in contents {
            fs::write(path.join(name), text).unwrap();
        }
        (folder, path)
    }

    fn listing(path: &Utf8Path) -> Vec<String> {
        let mut names: Vec<String> =
            path.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_is_made_before_the_first_workspace() {
        let workspaces = Workspaces::new(false);
        assert!(workspaces.root.lock().unwrap().is_none());
        workspaces.close();
    }

    #[test]
    fn two_cases_of_one_name_share_nothing() {
        let (_folder, seed) = files(&[("a.txt", "seed")]);
        let workspaces = Workspaces::new(false);
        let one = workspaces.open("same/name", Some(seed.clone())).unwrap();
        let two = workspaces.open("same/name", Some(seed.clone())).unwrap();
        fs::write(one.path().join("a.txt"), "changed").unwrap();
        assert_eq!(fs::read_to_string(two.path().join("a.txt")).unwrap(), "seed");
        assert_eq!(fs::read_to_string(seed.join("a.txt")).unwrap(), "seed");
        assert!(one.case_id().ends_with("-same_name"));
    }

    #[test]
    fn reseeding_removes_what_was_added_and_restores_what_was_changed() {
        let (_folder, seed) = files(&[("a.txt", "seed")]);
        let workspaces = Workspaces::new(false);
        let workspace = workspaces.open("case", Some(seed)).unwrap();
        fs::write(workspace.path().join("a.txt"), "changed").unwrap();
        fs::create_dir_all(workspace.path().join("new/deep")).unwrap();
        workspace.reseed().unwrap();
        assert_eq!(listing(workspace.path()), ["a.txt"]);
        assert_eq!(fs::read_to_string(workspace.path().join("a.txt")).unwrap(), "seed");
    }

    #[cfg(unix)]
    #[test]
    fn reseeding_does_not_follow_a_link_out_of_the_workspace() {
        let (_folder, outside) = files(&[("precious.txt", "keep me")]);
        let workspaces = Workspaces::new(false);
        let workspace = workspaces.open("case", None).unwrap();
        std::os::unix::fs::symlink(&outside, workspace.path().join("link")).unwrap();
        workspace.reseed().unwrap();
        assert_eq!(listing(&outside), ["precious.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_workspace_that_became_a_link_is_not_emptied() {
        let (_folder, outside) = files(&[("precious.txt", "keep me")]);
        let workspaces = Workspaces::new(false);
        let workspace = workspaces.open("case", None).unwrap();
        fs::remove_dir(workspace.path()).unwrap();
        std::os::unix::fs::symlink(&outside, workspace.path()).unwrap();
        assert!(matches!(workspace.reseed(), Err(WorkspaceError::Replaced { .. })));
        drop(workspace);
        assert_eq!(listing(&outside), ["precious.txt"]);
    }

    #[test]
    fn a_workspace_goes_with_its_case_and_the_root_with_the_suite() {
        let workspaces = Workspaces::new(false);
        let workspace = workspaces.open("case", None).unwrap();
        let path = workspace.path().to_owned();
        drop(workspace);
        assert!(!path.exists());
        let stuck = workspaces.open("stuck", None).unwrap();
        let root = stuck.path().parent().unwrap().to_owned();
        workspaces.close();
        assert!(!root.exists());
        drop(stuck);
    }

    #[cfg(unix)]
    #[test]
    fn a_locked_folder_hinders_neither_reseeding_nor_removal() {
        use std::os::unix::fs::PermissionsExt as _;

        let lock = |path: &Utf8Path| fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
        let (_folder, seed) = files(&[("a.txt", "seed")]);
        let workspaces = Workspaces::new(false);
        let workspace = workspaces.open("case", Some(seed)).unwrap();
        let (path, deep) = (workspace.path().to_owned(), workspace.path().join("new/deep"));
        fs::create_dir_all(&deep).unwrap();
        lock(&deep);
        lock(&path);
        workspace.reseed().unwrap();
        assert_eq!(listing(&path), ["a.txt"]);
        fs::create_dir_all(&deep).unwrap();
        lock(&deep);
        lock(&path);
        drop(workspace);
        assert!(!path.exists());
    }

    #[test]
    fn kept_workspaces_outlive_everything() {
        let workspaces = Workspaces::new(true);
        let workspace = workspaces.open("case", None).unwrap();
        let path = workspace.kept().unwrap().to_owned();
        drop(workspace);
        drop(workspaces);
        assert!(path.exists());
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_fixture_that_cannot_be_copied_leaves_no_folder() {
        let workspaces = Workspaces::new(false);
        assert!(workspaces.open("case", Some("/nowhere/at/all".into())).is_err());
        let root = workspaces.root().unwrap();
        assert!(listing(&root).is_empty());
    }
}
