//! Copies a pack's files into a workspace.

use std::fs;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::error::WorkspaceError;

/// The most files and folders that a workspace is seeded with.
pub const MAX_ENTRIES: usize = 10_000;
/// The most bytes that a workspace is seeded with.
pub const MAX_SEED_BYTES: u64 = 256 * 1024 * 1024;
/// The deepest nesting of folders that a workspace is seeded with.
pub const MAX_DEPTH: usize = 64;

/// Copies the contents of `from` into the empty folder `to`.
pub(super) fn copy(from: &Utf8Path, to: &Utf8Path) -> Result<(), WorkspaceError> {
    copy_files(from, to, MAX_SEED_BYTES).map(|_| ())
}

/// Copies the contents of `from` into the empty folder `to`, as the workspace of a run is seeded, if they have at most this many bytes. The
/// files that were copied, in order, relative to `to`.
///
/// # Errors
/// What a workspace would not be seeded with, or more bytes; `to` has a part of it then.
pub fn copy_files(from: &Utf8Path, to: &Utf8Path, bytes: u64) -> Result<Vec<Utf8PathBuf>, WorkspaceError> {
    copy_at_most(MAX_ENTRIES, bytes, from, to)
}

fn copy_at_most(
    entries: usize,
    bytes: u64,
    from: &Utf8Path,
    to: &Utf8Path,
) -> Result<Vec<Utf8PathBuf>, WorkspaceError> {
    if !from.is_dir() {
        return Err(WorkspaceError::NoFolder { path: from.to_owned() });
    }
    let root = from.canonicalize_utf8().map_err(WorkspaceError::io("resolve", from))?;
    let mut copy = Copy { root: &root, entries_left: entries, bytes, bytes_left: bytes, copied: Vec::new() };
    copy.folder(&root, to, 0)?;
    copy.copied.sort();
    Ok(copy.copied)
}

struct Copy<'a> {
    root: &'a Utf8Path,
    entries_left: usize,
    /// The most bytes.
    bytes: u64,
    bytes_left: u64,
    copied: Vec<Utf8PathBuf>,
}

impl Copy<'_> {
    fn folder(&mut self, from: &Utf8Path, to: &Utf8Path, depth: usize) -> Result<(), WorkspaceError> {
        if depth > MAX_DEPTH {
            return Err(WorkspaceError::TooDeep { path: from.to_owned() });
        }
        for entry in from.read_dir_utf8().map_err(WorkspaceError::io("list", from))? {
            let entry = entry.map_err(WorkspaceError::io("list", from))?;
            self.entries_left = self
                .entries_left
                .checked_sub(1)
                .ok_or_else(|| WorkspaceError::TooManyEntries { root: self.root.to_owned() })?;
            let (source, target) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type().map_err(WorkspaceError::io("read", source))?;
            if kind.is_symlink() {
                let link = self.inner_link(source)?;
                make_link(&link, source, &target).map_err(WorkspaceError::io("link", &target))?;
            } else if kind.is_dir() {
                fs::create_dir(&target).map_err(WorkspaceError::io("make the folder", &target))?;
                self.folder(source, &target, depth + 1)?;
            } else if kind.is_file() {
                let size = entry.metadata().map_err(WorkspaceError::io("read", source))?.len();
                self.bytes_left = self.bytes_left.checked_sub(size).ok_or_else(|| {
                    WorkspaceError::TooLarge { root: self.root.to_owned(), bytes: self.bytes }
                })?;
                fs::copy(source, &target).map_err(WorkspaceError::io("copy", source))?;
                self.copied.extend(source.strip_prefix(self.root).ok().map(Utf8Path::to_owned));
            } else {
                return Err(WorkspaceError::Special { path: source.to_owned() });
            }
        }
        Ok(())
    }

    /// Where a link points, if a copy of it cannot lead out of the workspace.
    fn inner_link(&self, link: &Utf8Path) -> Result<Utf8PathBuf, WorkspaceError> {
        let target = link.read_link_utf8().map_err(WorkspaceError::io("read", link))?;
        let refuse = |why| Err(WorkspaceError::Link { link: link.to_owned(), target: target.clone(), why });
        if target.is_absolute() {
            return refuse("is an absolute path");
        }
        if leaves(self.root, link, &target) {
            return refuse("leads out of the folder");
        }
        match link.canonicalize_utf8() {
            Ok(real) if real.starts_with(self.root) => Ok(target),
            Ok(_) => refuse("leads out of the folder"),
            Err(_) => refuse("is not there"),
        }
    }
}

/// Whether the way from the link to its target steps above the root, even if it comes back: the copy's root has
/// another name.
fn leaves(root: &Utf8Path, link: &Utf8Path, target: &Utf8Path) -> bool {
    let Some(folder) = link.parent().and_then(|parent| parent.strip_prefix(root).ok()) else { return true };
    let mut depth = folder.components().count();
    for component in target.components() {
        match component {
            Utf8Component::ParentDir => match depth.checked_sub(1) {
                Some(up) => depth = up,
                None => return true,
            },
            Utf8Component::Normal(_) => depth += 1,
            Utf8Component::CurDir | Utf8Component::RootDir | Utf8Component::Prefix(_) => {}
        }
    }
    false
}

#[cfg(unix)]
fn make_link(points_to: &Utf8Path, _source: &Utf8Path, link: &Utf8Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(points_to, link)
}

#[cfg(windows)]
fn make_link(points_to: &Utf8Path, source: &Utf8Path, link: &Utf8Path) -> std::io::Result<()> {
    if source.is_dir() {
        std::os::windows::fs::symlink_dir(points_to, link)
    } else {
        std::os::windows::fs::symlink_file(points_to, link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folders {
        _root: tempfile::TempDir,
        from: Utf8PathBuf,
        to: Utf8PathBuf,
    }

    fn folders() -> Folders {
        let root = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(root.path().canonicalize().unwrap()).unwrap();
        let (from, to) = (path.join("from"), path.join("to"));
        fs::create_dir(&from).unwrap();
        fs::create_dir(&to).unwrap();
        Folders { _root: root, from, to }
    }

    #[test]
    fn files_and_nested_folders_are_copied() {
        let Folders { _root, from, to } = folders();
        fs::create_dir_all(from.join("a/b")).unwrap();
        fs::write(from.join("a/b/c.txt"), "deep").unwrap();
        fs::write(from.join("top.txt"), "top").unwrap();
        assert_eq!(copy_files(&from, &to, 7).unwrap(), ["a/b/c.txt", "top.txt"]);
        assert_eq!(fs::read_to_string(to.join("a/b/c.txt")).unwrap(), "deep");
        assert_eq!(fs::read_to_string(to.join("top.txt")).unwrap(), "top");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_stays_inside_is_copied_as_a_link() {
        let Folders { _root, from, to } = folders();
        fs::create_dir(from.join("a")).unwrap();
        fs::write(from.join("top.txt"), "top").unwrap();
        std::os::unix::fs::symlink("../top.txt", from.join("a/link")).unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(to.join("a/link").read_link_utf8().unwrap(), "../top.txt");
        fs::write(to.join("top.txt"), "changed").unwrap();
        assert_eq!(fs::read_to_string(to.join("a/link")).unwrap(), "changed");
        assert_eq!(fs::read_to_string(from.join("top.txt")).unwrap(), "top");
    }

    #[cfg(unix)]
    #[test]
    fn links_that_leave_are_refused_by_name() {
        for (target, why) in [
            ("../secret", "leads out of the folder"),
            ("../from/top.txt", "leads out of the folder"),
            ("chain", "leads out of the folder"),
            ("missing", "is not there"),
        ] {
            let Folders { _root, from, to } = folders();
            fs::write(from.join("top.txt"), "top").unwrap();
            fs::write(from.join("../secret"), "secret").unwrap();
            std::os::unix::fs::symlink("../secret", from.join("chain")).unwrap();
            if target != "chain" {
                fs::remove_file(from.join("chain")).unwrap();
            }
            std::os::unix::fs::symlink(target, from.join("link")).unwrap();
            let error = copy(&from, &to).unwrap_err().to_string();
            assert!(error.contains(why), "{target}: {error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_absolute_link_is_refused_even_into_the_folder() {
        let Folders { _root, from, to } = folders();
        fs::write(from.join("top.txt"), "top").unwrap();
        std::os::unix::fs::symlink(from.join("top.txt"), from.join("link")).unwrap();
        assert!(copy(&from, &to).unwrap_err().to_string().contains("is an absolute path"));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_refused() {
        let Folders { _root, from, to } = folders();
        let _socket = std::os::unix::net::UnixListener::bind(from.join("socket")).unwrap();
        assert!(matches!(copy(&from, &to), Err(WorkspaceError::Special { .. })));
    }

    #[test]
    fn a_missing_folder_is_named() {
        let Folders { _root, from, to } = folders();
        let error = copy(&from.join("nowhere"), &to).unwrap_err().to_string();
        assert!(error.contains("nowhere"), "{error}");
    }

    #[test]
    fn too_deep_is_an_error_and_not_a_stack_overflow() {
        let Folders { _root, from, to } = folders();
        let deep = (0..=MAX_DEPTH).fold(from.clone(), |path, _| path.join("d"));
        fs::create_dir_all(deep).unwrap();
        assert!(matches!(copy(&from, &to), Err(WorkspaceError::TooDeep { .. })));
    }

    #[test]
    fn too_many_files_and_too_many_bytes_are_errors() {
        let Folders { _root, from, to } = folders();
        fs::create_dir(from.join("sub")).unwrap();
        fs::write(from.join("sub/a"), "1234").unwrap();
        fs::write(from.join("b"), "5678").unwrap();
        for (entries, bytes, fits) in [(3, 8, true), (2, 8, false), (3, 7, false)] {
            fs::remove_dir_all(&to).unwrap();
            fs::create_dir(&to).unwrap();
            match copy_at_most(entries, bytes, &from, &to) {
                Ok(_) => assert!(fits),
                Err(WorkspaceError::TooManyEntries { .. }) => assert_eq!(entries, 2),
                Err(WorkspaceError::TooLarge { .. }) => assert_eq!(bytes, 7),
                Err(other) => panic!("{other}"),
            }
        }
    }
}
