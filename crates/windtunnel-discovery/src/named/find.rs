//! Looking for files by their names.

use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};
use ignore::{DirEntry, WalkBuilder};

use super::{FindError, NamingRule, PathFilter};

/// Folders are not looked into deeper than this.
const MAX_DEPTH: usize = 100;

/// More tests than this are taken for a mistake.
const MAX_FILES: usize = 100_000;

/// A test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile {
    /// Where it is; below what was given, as it was given.
    pub path: Utf8PathBuf,
    /// Its path from the root with `/` between folders; for a file that was named itself, its name.
    pub label: String,
    /// The base files that it inherits, one of a folder at most: those of the root first, its own folder's last.
    pub bases: Vec<Utf8PathBuf>,
}

/// Finds the tests at a path, sorted by their paths: the file itself, whatever its name, or the tests in a folder and below it.
///
/// Hidden folders are skipped, symlinks to folders are not followed, and no ignore file is consulted. Base files above the path
/// do not count.
///
/// # Errors
/// A path that cannot be read or holds no test that is wanted, and more folders or files than are sensible.
pub fn find(root: &Utf8Path, rule: &NamingRule, filter: &PathFilter) -> Result<Vec<NamedFile>, FindError> {
    let metadata = root
        .metadata()
        .map_err(|error| FindError::NoSuchPath { path: root.to_owned(), reason: error.to_string() })?;
    let (folder, files) = if metadata.is_dir() {
        (root, walk(root, rule)?)
    } else if root.file_name().is_some_and(|name| rule.is_base(name)) {
        return Err(FindError::Base { path: root.to_owned() });
    } else {
        (parent(root), vec![root.to_owned()])
    };
    if files.is_empty() {
        return Err(FindError::NothingFound { root: root.to_owned(), names: rule.to_string() });
    }
    let labelled = files.into_iter().map(|path| (label(folder, &path), path));
    let (wanted, other): (Vec<_>, Vec<_>) = labelled.partition(|(label, _)| filter.selects(label));
    if wanted.is_empty() {
        let found = other.into_iter().map(|(label, _)| label).collect();
        return Err(FindError::NothingSelected { root: root.to_owned(), filter: filter.to_string(), found });
    }
    let mut bases = Bases { root: folder, rule, of_folder: HashMap::new() };
    let named = |(label, path): (String, Utf8PathBuf)| NamedFile { bases: bases.of(&path), path, label };
    Ok(wanted.into_iter().map(named).collect())
}

fn walk(root: &Utf8Path, rule: &NamingRule) -> Result<Vec<Utf8PathBuf>, FindError> {
    let unreadable =
        |error: ignore::Error| FindError::Unreadable { path: root.to_string(), reason: error.to_string() };
    let mut files = Vec::new();
    let walker = WalkBuilder::new(root)
        .standard_filters(false)
        .follow_links(false)
        .max_depth(Some(MAX_DEPTH + 1))
        .filter_entry(|entry| !is_hidden_folder(entry))
        .build();
    for entry in walker {
        let entry = entry.map_err(unreadable)?;
        if entry.depth() > MAX_DEPTH && is_folder(&entry) {
            return Err(FindError::TooDeep { limit: MAX_DEPTH, path: shown(&entry).into() });
        }
        // A test's ending is in ASCII, which no conversion changes.
        if !rule.is_test(&entry.file_name().to_string_lossy()) || !is_file(&entry) {
            continue;
        }
        match Utf8PathBuf::from_path_buf(entry.into_path()) {
            Ok(path) => files.push(path),
            Err(path) => {
                let path = path.to_string_lossy().escape_debug().to_string();
                return Err(FindError::NotUtf8 { path });
            }
        }
        if files.len() > MAX_FILES {
            return Err(FindError::TooMany { limit: MAX_FILES, root: root.to_owned() });
        }
    }
    files.sort_unstable();
    Ok(files)
}

fn is_hidden_folder(entry: &DirEntry) -> bool {
    entry.depth() > 0 && is_folder(entry) && entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

/// Whether it is a file, or a symlink to one. A symlink to nothing counts, so that somebody says that it leads nowhere.
fn is_file(entry: &DirEntry) -> bool {
    match entry.file_type() {
        Some(kind) if kind.is_symlink() => entry.path().metadata().map_or(true, |target| target.is_file()),
        Some(kind) => kind.is_file(),
        None => false,
    }
}

fn shown(entry: &DirEntry) -> String {
    entry.path().to_string_lossy().into_owned()
}

/// The folder that a file lies in.
fn parent(file: &Utf8Path) -> &Utf8Path {
    match file.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder,
        _ => Utf8Path::new("."),
    }
}

fn label(root: &Utf8Path, file: &Utf8Path) -> String {
    let inner = file.strip_prefix(root).unwrap_or(file);
    let parts: Vec<&str> = inner.components().map(|part| part.as_str()).collect();
    parts.join("/")
}

/// The base files of folders, each folder looked into once.
struct Bases<'a> {
    root: &'a Utf8Path,
    rule: &'a NamingRule,
    of_folder: HashMap<Utf8PathBuf, Option<Utf8PathBuf>>,
}

impl Bases<'_> {
    fn of(&mut self, file: &Utf8Path) -> Vec<Utf8PathBuf> {
        let inner = file.strip_prefix(self.root).ok().and_then(Utf8Path::parent);
        let mut folder = self.root.to_owned();
        let mut bases: Vec<Utf8PathBuf> = self.in_folder(&folder).into_iter().collect();
        for part in inner.into_iter().flat_map(Utf8Path::components) {
            folder.push(part.as_str());
            bases.extend(self.in_folder(&folder));
        }
        bases
    }

    fn in_folder(&mut self, folder: &Utf8Path) -> Option<Utf8PathBuf> {
        if let Some(base) = self.of_folder.get(folder) {
            return base.clone();
        }
        let base = self.rule.base_in(folder);
        self.of_folder.insert(folder.to_owned(), base.clone());
        base
    }
}
