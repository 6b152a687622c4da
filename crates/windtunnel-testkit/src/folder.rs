//! A folder that nothing else uses.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::call::Call;
use crate::program::Program;

/// What the documentation is about.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// A fresh working folder, with a home and a folder for temporary files beside it.
pub struct Folder {
    root: TempDir,
}

impl Folder {
    /// An empty one.
    #[expect(clippy::new_without_default, reason = "making a folder is no default")]
    pub fn new() -> Self {
        let root = tempfile::Builder::new().prefix("it-").tempdir().unwrap();
        for name in ["work", "home", "tmp"] {
            fs::create_dir(root.path().join(name)).unwrap();
        }
        Self { root }
    }

    /// One that is a copy of an example.
    pub fn example(name: &str) -> Self {
        let folder = Self::new();
        copy(&Path::new(EXAMPLES).join(name), &folder.path(""));
        folder
    }

    /// One that holds a copy of every example.
    pub fn examples() -> Self {
        Self::example("")
    }

    /// One in which a folder of this name holds a copy of every example, as a checkout has it.
    pub fn examples_below(name: &str) -> Self {
        let folder = Self::new();
        copy(Path::new(EXAMPLES), &folder.path(name));
        folder
    }

    /// Writes a file, with the folders above it.
    #[must_use]
    pub fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Makes a symbolic link.
    #[must_use]
    pub fn symlink(self, path: &str, target: &str) -> Self {
        symlink(target, self.path(path)).unwrap();
        self
    }

    /// A program that is called here. The words of the line are its arguments.
    pub fn call(&self, program: &Program, line: &str) -> Call<'_> {
        Call::new(self, program, line)
    }

    /// A line of `sh` here, in which the program's name in capitals is a variable with its path: `$WT` for `wt`.
    pub fn shell(&self, program: &Program, line: &str) -> Call<'_> {
        Call::in_shell(self, program, line)
    }

    /// A path in the working folder; the folder itself for an empty one.
    pub fn path(&self, path: &str) -> PathBuf {
        let work = self.root.path().join("work");
        if path.is_empty() { work } else { work.join(path) }
    }

    /// Whether there is something of this name in the working folder.
    pub fn exists(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// The text of a file.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Every file below a path, relative to the working folder, sorted.
    pub fn files(&self, path: &str) -> Vec<String> {
        let mut files = Vec::new();
        walk(&self.path(path), &mut files);
        let mut files: Vec<String> = files
            .iter()
            .map(|file| file.strip_prefix(self.path("")).unwrap().to_string_lossy().into_owned())
            .collect();
        files.sort();
        files
    }

    /// A path beside the working folder.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), files);
        } else {
            files.push(entry.path());
        }
    }
}

/// Whether a folder holds what agents of the examples were installed with: large, and no example.
pub(crate) fn is_installed(folder: &Path) -> bool {
    folder.ends_with(".venv") || folder.ends_with("node_modules")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if is_installed(&entry.path()) {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
