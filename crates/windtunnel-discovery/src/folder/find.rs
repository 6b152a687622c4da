//! Looking for folders that are tests.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};
use ignore::DirEntry;
use windtunnel_doc::{Diagnostic, Diagnostics};

use super::FolderRule;
use crate::walk::{self, MAX_FILES};

/// A folder that is a test, or should be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFolder {
    /// Where it is; below what was given, as it was given.
    pub path: Utf8PathBuf,
    /// Its own name, however it was written.
    pub name: String,
    /// Whether it is a test.
    pub standing: Standing,
}

/// Whether a folder is a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Its manifest is there.
    Test,
    /// It lies beside tests and has no manifest.
    BesideTests,
    /// It was named itself, has a test's contents and no manifest.
    Named,
    /// It lies beside tests and is a symlink, which is not followed.
    Link,
    /// It lies beside tests and cannot be looked into.
    Unreadable,
}

/// Finds the folders that are tests, sorted by their paths, each once: those that are named, or lie anywhere below a path that is.
///
/// A folder of tests is one with a test right below it; every other folder right below it should be one too, and is found as well:
/// only a dot in front of its name hides it there. Further up hidden folders and what `.gitignore` names are skipped, unless a path
/// names them itself. Nothing inside of a test is looked at; symlinks are not followed. `written` is a folder that runs write to: it
/// is no test that lacks its manifest.
///
/// # Errors
/// Paths that cannot be read, and two folders of one name.
pub fn find_folders(
    paths: &[Utf8PathBuf],
    rule: &FolderRule,
    written: Option<&Utf8Path>,
) -> Result<Vec<TestFolder>, Diagnostics> {
    let mut found = BTreeMap::new();
    let mut problems: Vec<Diagnostics> = Vec::new();
    for path in paths {
        if let Err(problem) = collect(path, *rule, &mut found) {
            problems.push(problem.into());
        }
    }
    if let Some(written) = written.map(walk::canonical) {
        found.retain(|path, standing| *standing != Standing::BesideTests || walk::canonical(path) != written);
    }
    let mut seen = HashSet::new();
    let mut folders = Vec::new();
    for (path, standing) in found {
        let canonical = match standing {
            Standing::Link => walk::canonical(walk::parent(&path)).join(path.file_name().unwrap_or_default()),
            Standing::Test | Standing::BesideTests | Standing::Named | Standing::Unreadable => {
                walk::canonical(&path.join("."))
            }
        };
        let path = if path.as_str().is_empty() { Utf8PathBuf::from(".") } else { path };
        let name = canonical.file_name().unwrap_or(path.as_str()).to_owned();
        if seen.insert(canonical) {
            folders.push(TestFolder { path, name, standing });
        }
    }
    problems.extend(taken(&folders).map(Diagnostics::from));
    match Diagnostics::merge(problems) {
        Some(problems) => Err(problems),
        None => Ok(folders),
    }
}

/// The folders whose name another one has too.
fn taken(folders: &[TestFolder]) -> impl Iterator<Item = Diagnostic> {
    let mut by_name: HashMap<&str, &Utf8Path> = HashMap::new();
    folders.iter().filter_map(move |TestFolder { path, name, .. }| {
        let first = *by_name.entry(name).or_insert(path);
        (first != path).then(|| {
            Diagnostic::of_file(path.as_str(), format!("the scenario name {name:?} is taken by {first}"))
                .with_help("scenario names are unique within a run; rename one of the two folders")
        })
    })
}

/// What is known of the folders below one path.
#[derive(Default)]
struct Tree {
    tests: BTreeSet<Utf8PathBuf>,
    others: BTreeSet<Utf8PathBuf>,
    links: BTreeSet<Utf8PathBuf>,
    /// Folders whose names are not UTF-8, as far as they can be shown, and the folders that they are in.
    unnamed: Vec<(Utf8PathBuf, String)>,
    /// Folders that cannot be looked into, and why.
    unreadable: BTreeMap<Utf8PathBuf, ignore::Error>,
    /// Whether there is a test of another kind.
    has_files: bool,
}

fn collect(
    path: &Utf8Path,
    rule: FolderRule,
    found: &mut BTreeMap<Utf8PathBuf, Standing>,
) -> Result<(), Diagnostic> {
    let metadata = path.metadata().map_err(|error| {
        Diagnostic::of_file(path.as_str(), format!("cannot read: {error}"))
            .with_help(format!("name a folder with a {}, or a folder of such folders", rule.manifest))
    })?;
    if metadata.is_file() {
        // Any other file is not meant here.
        if path.file_name() == Some(rule.manifest) {
            found.insert(walk::plain(walk::parent(path)), Standing::Test);
        }
        return Ok(());
    }
    let mut tree = Tree::below(path, rule)?;
    let given = walk::plain(path);
    if !tree.has_files && tree.tests.is_empty() && rule.has_contents(path) {
        found.insert(given, Standing::Named);
        return Ok(());
    }
    // The folder above what was given is not asked for.
    let above = tree.tests.iter().filter(|test| **test != given).filter_map(|test| test.parent());
    let of_tests: HashSet<Utf8PathBuf> = above.map(Utf8Path::to_owned).collect();
    for folder in &of_tests {
        tree.complete(folder, rule)?;
    }
    if let Some((_, shown)) = tree.unnamed.iter().find(|(above, _)| of_tests.contains(above)) {
        return Err(not_utf8(shown.clone()));
    }
    let beside = |folder: &Utf8Path| folder.parent().is_some_and(|above| of_tests.contains(above));
    // What is inside of a folder that should be a test is that one's fault.
    let concerns_all = |folder: &Utf8Path| !folder.ancestors().any(beside);
    if let Some((_, error)) = tree.unreadable.iter().find(|(folder, _)| concerns_all(folder)) {
        return Err(Diagnostic::of_file(path.as_str(), format!("cannot look through: {error}")));
    }
    let links = tree.links.into_iter().map(|path| (path, Standing::Link));
    let others = tree.others.into_iter().map(|path| {
        let standing =
            if tree.unreadable.contains_key(&path) { Standing::Unreadable } else { Standing::BesideTests };
        (path, standing)
    });
    found.extend(links.chain(others).filter(|(path, _)| beside(path)));
    found.extend(tree.tests.into_iter().map(|path| (path, Standing::Test)));
    if found.len() > MAX_FILES {
        return Err(Diagnostic::of_file(
            path.as_str(),
            format!("there are more than {MAX_FILES} scenarios here"),
        )
        .with_help("name a folder further down"));
    }
    Ok(())
}

impl Tree {
    fn below(path: &Utf8Path, rule: FolderRule) -> Result<Self, Diagnostic> {
        let mut tree = Self::default();
        let is_within_a_test = move |entry: &DirEntry| {
            let above = entry.path().parent().and_then(Utf8Path::from_path);
            entry.depth() > 0 && is_folder(entry) && above.is_some_and(|above| rule.is_test(above))
        };
        let walker = walk::builder(path).filter_entry(move |entry| !is_within_a_test(entry)).build();
        for entry in walker {
            match entry {
                Ok(entry) => tree.add(&entry, rule)?,
                Err(error) => match walk::place(&error) {
                    Some(folder) => drop(tree.unreadable.insert(folder, error)),
                    None => {
                        return Err(Diagnostic::of_file(
                            path.as_str(),
                            format!("cannot look through: {error}"),
                        ));
                    }
                },
            }
        }
        Ok(tree)
    }

    /// Adds what is right below a folder of tests, whatever files say that is to be ignored.
    fn complete(&mut self, folder: &Utf8Path, rule: FolderRule) -> Result<(), Diagnostic> {
        let within = if folder.as_str().is_empty() { Utf8Path::new(".") } else { folder };
        for entry in walk::unfiltered(within).max_depth(Some(1)).build() {
            let entry = entry.map_err(|error| {
                Diagnostic::of_file(within.as_str(), format!("cannot look through: {error}"))
            })?;
            if entry.depth() > 0 {
                self.add(&entry, rule)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, entry: &DirEntry, rule: FolderRule) -> Result<(), Diagnostic> {
        let leads_to_folder = || entry.path_is_symlink() && entry.path().is_dir();
        if !is_folder(entry) && !leads_to_folder() {
            self.has_files |= walk::is_scenario_or_pack(&entry.file_name().to_string_lossy());
            return Ok(());
        }
        let Some(folder) = Utf8Path::from_path(entry.path()) else {
            let shown = entry.path().to_string_lossy().escape_debug().to_string();
            if entry.path().join(rule.manifest).exists() {
                return Err(not_utf8(shown));
            }
            let above = entry.path().parent().and_then(Utf8Path::from_path);
            self.unnamed.extend(above.map(|above| (walk::plain(above), shown)));
            return Ok(());
        };
        let plain = walk::plain(folder);
        // What was named is followed.
        if entry.depth() > 0 && entry.path_is_symlink() {
            self.links.insert(plain);
        } else if rule.is_test(folder) {
            self.tests.insert(plain);
        } else {
            self.others.insert(plain);
        }
        Ok(())
    }
}

fn not_utf8(shown: String) -> Diagnostic {
    Diagnostic::of_file(shown, "the path of this scenario is not UTF-8").with_help("rename the folder")
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.depth() == 0 || entry.file_type().is_some_and(|kind| kind.is_dir())
}
