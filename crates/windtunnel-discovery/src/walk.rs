//! Finding pack and scenario files below the given paths.

use std::collections::{BTreeSet, HashSet};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use ignore::WalkBuilder;
use windtunnel_doc::{Diagnostic, Diagnostics};

use crate::folder::TestFolder;

/// The name of a pack's file.
pub(crate) const PACK_FILE: &str = "pack.toml";

/// The endings of scenario files.
const SCENARIO_ENDINGS: [&str; 4] = [".scenario.toml", ".scenario.yaml", ".scenario.yml", ".scenario.json"];

/// More files than this are taken for a mistake.
pub(crate) const MAX_FILES: usize = 100_000;

/// Whether a file is a scenario, by its name.
fn is_scenario(name: &str) -> bool {
    SCENARIO_ENDINGS.iter().any(|ending| name.strip_suffix(ending).is_some_and(|stem| !stem.is_empty()))
}

/// Whether a file belongs to a pack, by its name.
pub(crate) fn is_scenario_or_pack(name: &str) -> bool {
    name == PACK_FILE || is_scenario(name)
}

/// The scenario files below these paths, sorted, each once. Hidden folders and what `.gitignore` names are skipped, unless a path
/// names them itself; symlinks are not followed. What cannot be read inside of
/// a folder that is a test of another kind is that one's fault.
pub(crate) fn scenario_files(
    paths: &[Utf8PathBuf],
    folders: &[TestFolder],
) -> Result<Vec<Utf8PathBuf>, Diagnostics> {
    let mut files = BTreeSet::new();
    let mut problems: Vec<Diagnostics> = Vec::new();
    for path in paths {
        if let Err(problem) = collect(path, folders, &mut files) {
            problems.push(problem.into());
        }
    }
    match Diagnostics::merge(problems) {
        Some(problems) => Err(problems),
        None if paths.len() > 1 => Ok(each_once(files)),
        None => Ok(files.into_iter().collect()),
    }
}

/// The files without those that another path names too, as `p` and `../here/p` do.
fn each_once(files: BTreeSet<Utf8PathBuf>) -> Vec<Utf8PathBuf> {
    let mut seen = HashSet::new();
    files.into_iter().filter(|file| seen.insert(canonical(file))).collect()
}

/// The one name of a file, whatever path it was found by.
pub(crate) fn canonical(file: &Utf8Path) -> Utf8PathBuf {
    file.canonicalize_utf8().unwrap_or_else(|_| file.to_owned())
}

fn collect(
    path: &Utf8Path,
    folders: &[TestFolder],
    files: &mut BTreeSet<Utf8PathBuf>,
) -> Result<(), Diagnostic> {
    let metadata = path.metadata().map_err(|error| {
        Diagnostic::of_file(path.as_str(), format!("cannot read: {error}")).with_help(
            "name a pack, a scenario file, a process scenario's folder, or a folder of any of these",
        )
    })?;
    if metadata.is_file() {
        let name = path.file_name().unwrap_or_default();
        return if is_scenario(name) {
            files.insert(plain(path));
            Ok(())
        } else if name == PACK_FILE {
            collect(parent(path), folders, files)
        } else {
            Err(Diagnostic::of_file(path.as_str(), "this is no scenario file")
                .with_help("scenario files are named *.scenario.toml, *.scenario.yaml or *.scenario.json"))
        };
    }
    for entry in builder(path).build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if place(&error).is_some_and(|place| is_within(&place, folders)) => continue,
            Err(error) => {
                return Err(Diagnostic::of_file(path.as_str(), format!("cannot look through: {error}")));
            }
        };
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        // A scenario's ending is in ASCII, which no conversion changes.
        if !is_scenario(&entry.file_name().to_string_lossy()) {
            continue;
        }
        let Some(found) = Utf8Path::from_path(entry.path()) else {
            let shown = entry.path().to_string_lossy().escape_debug().to_string();
            return Err(Diagnostic::of_file(shown, "the path of this scenario is not UTF-8"));
        };
        files.insert(plain(found));
        if files.len() > MAX_FILES {
            return Err(Diagnostic::of_file(
                path.as_str(),
                format!("there are more than {MAX_FILES} scenario files here"),
            )
            .with_help("name a folder further down"));
        }
    }
    Ok(())
}

/// Where a walk could not go on.
pub(crate) fn place(error: &ignore::Error) -> Option<Utf8PathBuf> {
    match error {
        ignore::Error::WithPath { path, .. } => Utf8Path::from_path(path).map(plain),
        ignore::Error::WithDepth { err, .. } => place(err),
        _ => None,
    }
}

fn is_within(place: &Utf8Path, folders: &[TestFolder]) -> bool {
    folders.iter().any(|folder| place.starts_with(plain(&folder.path)))
}

/// The path without `.` in front or between its folders, so that one file has one name.
pub(crate) fn plain(path: &Utf8Path) -> Utf8PathBuf {
    path.components().filter(|part| *part != Utf8Component::CurDir).collect()
}

/// Looks through a folder as everything here does: hidden folders and what `.gitignore` names are skipped, symlinks not followed.
pub(crate) fn builder(path: &Utf8Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(path);
    builder.require_git(false).git_global(false).ignore(false).follow_links(false);
    builder
}

/// The same, but whatever `.gitignore` names is looked at: only a dot in front of a name hides.
pub(crate) fn unfiltered(path: &Utf8Path) -> WalkBuilder {
    let mut builder = builder(path);
    builder.git_ignore(false).git_exclude(false).parents(false);
    builder
}

/// The folder that a file lies in.
pub(crate) fn parent(file: &Utf8Path) -> &Utf8Path {
    match file.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder,
        _ => Utf8Path::new("."),
    }
}

/// The pack file that a path names, itself or by its folder.
pub(crate) fn named_pack(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let file = if path.file_name() == Some(PACK_FILE) { path.to_owned() } else { path.join(PACK_FILE) };
    file.is_file().then(|| plain(&file))
}

/// The nearest pack file at or above a scenario file.
pub(crate) fn owning_pack(scenario: &Utf8Path) -> Result<Utf8PathBuf, Diagnostic> {
    let folder = parent(scenario);
    let climbs = folder.components().any(|part| part == Utf8Component::ParentDir);
    let absolute = if climbs { folder.canonicalize_utf8() } else { camino::absolute_utf8(folder) };
    let absolute = absolute.map_err(|error| {
        Diagnostic::of_file(scenario.as_str(), format!("cannot find its folder: {error}"))
    })?;
    // Within what was given the path stays as it was written, since that is how a person knows it. With `..` in it, the
    // folders above are not those that are written.
    let written = folder.ancestors().take_while(|_| !climbs).map(|folder| plain(&folder.join(PACK_FILE)));
    let above = absolute.ancestors().map(|folder| folder.join(PACK_FILE));
    written.chain(above).find(|file| file.is_file()).ok_or_else(|| {
        Diagnostic::of_file(
            scenario.as_str(),
            format!("no {PACK_FILE} in the scenario's folder or any folder above"),
        )
        .with_help("a pack is a folder with a pack.toml; `wt new <dir>` makes one")
    })
}
