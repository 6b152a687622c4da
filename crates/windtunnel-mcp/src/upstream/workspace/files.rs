//! Files of a workspace, and nothing outside of it.
//!
//! Paths are checked before they are used, which tells best what is wrong with them; what is then opened is checked again,
//! since a link or a pipe may have taken its place. Somebody who swaps a folder for a symbolic link in between would have to
//! be able to write to the workspace by other means, and then needs no tool to do so.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use camino::{Utf8Component, Utf8Path};

use crate::regular::{open_regular, write_regular};
use crate::root::WorkspaceRoot;

/// Bytes of a file that is read or written.
const MAX_FILE: usize = 10 * 1024 * 1024;
/// Entries that are listed.
const MAX_ENTRIES: usize = 10_000;
/// Folders below each other that are listed.
const MAX_DEPTH: usize = 64;

/// The files of one workspace. Errors are texts for the agent.
#[derive(Debug)]
pub(crate) struct Files {
    root: WorkspaceRoot,
}

impl Files {
    pub(crate) fn new(root: &Utf8Path) -> io::Result<Self> {
        WorkspaceRoot::new(root).map(|root| Self { root })
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        self.check()?;
        let file = self.existing(path)?;
        let metadata = fs::metadata(&file).map_err(|error| failed(path, &error))?;
        regular(path, &metadata)?;
        let mut bytes = Vec::new();
        open_regular(&file, fs::File::options().read(true))
            .and_then(|file| file.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes))
            .map_err(|error| failed(path, &error))?;
        if bytes.len() > MAX_FILE {
            return Err(format!("{path} is longer than 10 MiB, which is the most that can be read"));
        }
        String::from_utf8(bytes).map_err(|_| format!("{path} is not UTF-8 text"))
    }

    /// Writes a file, over an old one if there is one; says how many bytes were written.
    pub(crate) fn write(&self, path: &str, content: &str) -> Result<usize, String> {
        if content.len() > MAX_FILE {
            return Err(format!(
                "{path}: {} bytes are more than 10 MiB, which is the most that can be written",
                content.len()
            ));
        }
        self.check()?;
        let parts = parts(path)?;
        let Some((name, folders)) = parts.split_last() else { return Err(is_workspace(path)) };
        let target = self.folder_for_writing(path, folders)?.join(name);
        match fs::symlink_metadata(&target) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(path, &error)),
            Ok(metadata) if metadata.is_symlink() => {
                let file = self.existing(path)?;
                regular(path, &fs::metadata(&file).map_err(|error| failed(path, &error))?)?;
                return write(path, &file, content);
            }
            Ok(metadata) => regular(path, &metadata)?,
        }
        write(path, &target, content)
    }

    /// The files below a folder, sorted, with `/` between names and after the name of an empty folder.
    pub(crate) fn list(&self, path: &str) -> Result<Vec<String>, String> {
        self.check()?;
        let parts = parts(path)?;
        let folder = if parts.is_empty() { self.root.real().to_owned() } else { self.existing(path)? };
        if !folder.is_dir() {
            return Err(format!("{path} is a file, not a folder: read it with read_file"));
        }
        let prefix: String = parts.iter().flat_map(|part| [*part, "/"]).collect();
        let mut names = Vec::new();
        walk(&folder, &prefix, 0, &mut names)?;
        names.sort_unstable();
        Ok(names)
    }

    /// Deletes a file, or a symbolic link itself.
    pub(crate) fn delete(&self, path: &str) -> Result<(), String> {
        self.check()?;
        let parts = parts(path)?;
        let Some((name, folders)) = parts.split_last() else { return Err(is_workspace(path)) };
        let folder =
            if folders.is_empty() { self.root.real().to_owned() } else { self.existing(&folders.join("/"))? };
        let file = folder.join(name);
        let metadata = fs::symlink_metadata(&file).map_err(|error| failed(path, &error))?;
        if !metadata.is_symlink() {
            regular(path, &metadata)?;
        }
        fs::remove_file(&file).map_err(|error| failed(path, &error))
    }

    /// Nothing is done in what took the workspace's place.
    fn check(&self) -> Result<(), String> {
        self.root.check().map_err(|error| error.to_string())
    }

    /// The real path of something that exists, inside the workspace.
    fn existing(&self, path: &str) -> Result<PathBuf, String> {
        let parts = parts(path)?;
        let joined = parts.iter().fold(self.root.real().to_owned(), |joined, part| joined.join(part));
        let real = fs::canonicalize(joined).map_err(|error| failed(path, &error))?;
        if real.starts_with(self.root.real()) { Ok(real) } else { Err(leads_out(path)) }
    }

    /// The folder that a file is written to. Missing ones are made, but not behind a symbolic link.
    fn folder_for_writing(&self, path: &str, folders: &[&str]) -> Result<PathBuf, String> {
        let mut folder = self.root.real().to_owned();
        let mut through_link = None;
        for part in folders {
            folder.push(part);
            match fs::symlink_metadata(&folder) {
                Ok(metadata) if metadata.is_symlink() => {
                    folder = fs::canonicalize(&folder).map_err(|error| failed(path, &error))?;
                    if !folder.starts_with(self.root.real()) {
                        return Err(leads_out(path));
                    }
                    through_link = Some(*part);
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if let Some(link) = through_link {
                        return Err(format!("{path}: no folder is created behind the symbolic link {link}"));
                    }
                    fs::create_dir(&folder).map_err(|error| failed(path, &error))?;
                }
                Err(error) => return Err(failed(path, &error)),
            }
        }
        Ok(folder)
    }
}

/// The names between the slashes of a relative path that does not lead upward.
fn parts(path: &str) -> Result<Vec<&str>, String> {
    if path.contains('\0') {
        return Err("a path cannot hold a NUL byte".to_owned());
    }
    let mut parts = Vec::new();
    for component in Utf8Path::new(path).components() {
        match component {
            Utf8Component::Normal(part) => parts.push(part),
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                return Err(format!("{path}: `..` is not allowed, paths stay inside the workspace"));
            }
            Utf8Component::RootDir | Utf8Component::Prefix(_) => {
                return Err(format!(
                    "{path} is absolute: give a path relative to the workspace, such as `notes/a.md`"
                ));
            }
        }
    }
    Ok(parts)
}

fn walk(folder: &Path, prefix: &str, depth: usize, names: &mut Vec<String>) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!("{prefix} lies more than {MAX_DEPTH} folders deep: list a folder further down"));
    }
    let entries = fs::read_dir(folder).map_err(|error| failed(prefix, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| failed(prefix, &error))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let is_folder = entry.file_type().map_err(|error| failed(&name, &error))?.is_dir();
        let before = names.len();
        if is_folder {
            walk(&entry.path(), &format!("{name}/"), depth + 1, names)?;
        }
        if names.len() == before {
            names.push(if is_folder { format!("{name}/") } else { name });
        }
        if names.len() > MAX_ENTRIES {
            return Err(format!("there are more than {MAX_ENTRIES} files: list a folder further down"));
        }
    }
    Ok(())
}

fn write(path: &str, file: &Path, content: &str) -> Result<usize, String> {
    write_regular(file, content.as_bytes()).map_err(|error| failed(path, &error))?;
    Ok(content.len())
}

fn regular(path: &str, metadata: &fs::Metadata) -> Result<(), String> {
    if metadata.is_file() {
        Ok(())
    } else if metadata.is_dir() {
        Err(format!("{path} is a folder, not a file: list it with list_files"))
    } else {
        Err(format!("{path} is a device, a pipe or a socket, not a file"))
    }
}

fn failed(path: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("{path} does not exist"),
        io::ErrorKind::NotADirectory => format!("{path}: a part of the path is a file, not a folder"),
        io::ErrorKind::PermissionDenied => format!("{path}: permission denied"),
        _ => format!("{path}: {error}"),
    }
}

fn leads_out(path: &str) -> String {
    format!("{path} leads out of the workspace through a symbolic link")
}

fn is_workspace(path: &str) -> String {
    format!("`{path}` is the workspace itself, not a file in it")
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    fn workspace() -> (tempfile::TempDir, Utf8PathBuf, Files) {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(dir.path().join("w")).unwrap();
        fs::create_dir(&root).unwrap();
        let files = Files::new(&root).unwrap();
        (dir, root, files)
    }

    #[test]
    fn a_file_is_written_read_listed_and_deleted() {
        let (_dir, root, files) = workspace();
        assert_eq!(files.write("a/b/c.md", "ü").unwrap(), 2);
        assert_eq!(files.write("./a/b/c.md", "x").unwrap(), 1);
        assert_eq!(files.read("a//b/c.md").unwrap(), "x");
        fs::create_dir(root.join("a/empty")).unwrap();
        assert_eq!(files.list(".").unwrap(), ["a/b/c.md", "a/empty/"]);
        assert_eq!(files.list("a/b").unwrap(), ["a/b/c.md"]);
        files.delete("a/b/c.md").unwrap();
        assert_eq!(files.read("a/b/c.md").unwrap_err(), "a/b/c.md does not exist");
    }

    #[test]
    fn paths_that_leave_the_workspace_are_refused() {
        let (_dir, _root, files) = workspace();
        for (path, why) in [
            (
                "/etc/passwd",
                "/etc/passwd is absolute: give a path relative to the workspace, such as `notes/a.md`",
            ),
            ("../x", "../x: `..` is not allowed, paths stay inside the workspace"),
            ("a/../../x", "a/../../x: `..` is not allowed, paths stay inside the workspace"),
            ("a\0b", "a path cannot hold a NUL byte"),
        ] {
            assert_eq!(files.read(path).unwrap_err(), why);
            assert_eq!(files.write(path, "").unwrap_err(), why);
            assert_eq!(files.list(path).unwrap_err(), why);
            assert_eq!(files.delete(path).unwrap_err(), why);
        }
        assert_eq!(files.write("", "x").unwrap_err(), "`` is the workspace itself, not a file in it");
    }

    #[test]
    fn folders_and_large_or_binary_files_are_refused() {
        let (_dir, root, files) = workspace();
        fs::create_dir(root.join("dir")).unwrap();
        let folder = "dir is a folder, not a file: list it with list_files";
        assert_eq!(files.read("dir").unwrap_err(), folder);
        assert_eq!(files.write("dir", "").unwrap_err(), folder);
        assert_eq!(files.delete("dir").unwrap_err(), folder);
        fs::write(root.join("f"), [0xff]).unwrap();
        assert_eq!(files.read("f").unwrap_err(), "f is not UTF-8 text");
        assert_eq!(files.list("f").unwrap_err(), "f is a file, not a folder: read it with read_file");
        assert_eq!(files.write("f/x", "").unwrap_err(), "f/x: a part of the path is a file, not a folder");
        fs::File::create(root.join("big")).unwrap().set_len(MAX_FILE as u64 + 1).unwrap();
        assert!(files.read("big").unwrap_err().contains("longer than 10 MiB"));
        assert!(files.write("big", &"x".repeat(MAX_FILE + 1)).unwrap_err().contains("more than 10 MiB"));
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_are_followed_only_inside() {
        use std::os::unix::fs::symlink;

        let (dir, root, files) = workspace();
        let outside = dir.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("secret"), "s").unwrap();
        symlink(&outside, root.join("out")).unwrap();
        symlink(outside.join("secret"), root.join("file")).unwrap();
        symlink(outside.join("new"), root.join("dangling")).unwrap();
        for path in ["out/secret", "file"] {
            let why = format!("{path} leads out of the workspace through a symbolic link");
            assert_eq!(files.read(path).unwrap_err(), why);
            assert_eq!(files.write(path, "x").unwrap_err(), why);
        }
        assert!(files.write("dangling", "x").is_err() && !outside.join("new").exists());
        assert!(files.write("out/new/x", "x").is_err() && !outside.join("new").exists());
        assert!(files.delete("out/secret").is_err() && outside.join("secret").exists());
        assert_eq!(files.list(".").unwrap(), ["dangling", "file", "out"], "links are named, not followed");

        fs::create_dir(root.join("in")).unwrap();
        symlink(root.join("in"), root.join("link")).unwrap();
        files.write("link/a", "x").unwrap();
        assert_eq!(files.read("in/a").unwrap(), "x");
        assert_eq!(
            files.write("link/new/a", "x").unwrap_err(),
            "link/new/a: no folder is created behind the symbolic link link"
        );
        files.delete("file").unwrap();
        assert!(outside.join("secret").exists(), "the link is deleted, not what it names");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_takes_a_file_s_place_after_the_check_is_not_written_through() {
        let (dir, root, _files) = workspace();
        let outside = dir.path().join("outside");
        fs::write(&outside, "kept").unwrap();
        std::os::unix::fs::symlink(&outside, root.join("a")).unwrap();
        assert!(write("a", root.join("a").as_std_path(), "x").is_err());
        assert_eq!(fs::read_to_string(outside).unwrap(), "kept");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_touched_in_what_replaced_the_workspace() {
        let (dir, root, files) = workspace();
        let outside = dir.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("a"), "kept").unwrap();
        fs::remove_dir(&root).unwrap();
        std::os::unix::fs::symlink(&outside, &root).unwrap();
        let errors = [
            files.read("a").unwrap_err(),
            files.list("").unwrap_err(),
            files.write("a", "x").unwrap_err(),
            files.write("new/a", "x").unwrap_err(),
            files.delete("a").unwrap_err(),
        ];
        for error in errors {
            assert!(error.starts_with("the workspace was replaced: "), "{error}");
        }
        assert_eq!(fs::read_to_string(outside.join("a")).unwrap(), "kept");
        assert!(!outside.join("new").exists());
    }

    #[cfg(unix)]
    #[test]
    fn sockets_are_no_files() {
        let (_dir, root, files) = workspace();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("s")).unwrap();
        let why = "s is a device, a pipe or a socket, not a file";
        assert_eq!(files.read("s").unwrap_err(), why);
        assert_eq!(files.write("s", "").unwrap_err(), why);
    }
}
