//! `--watch`: a command carried out again for what a change of files affects.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use windtunnel_api::exit::Exit;
use windtunnel_discovery::Found;
use windtunnel_runner::Interrupts;
use windtunnel_runner::watch::Watcher;

use super::execute;
use super::scope::Scope;
use crate::args::{ColorWhen, ExecuteArgs, SelectArgs};
use crate::error::{CliError, render};
use crate::log;

/// How long files have to be quiet before a change counts.
const DEBOUNCE: std::time::Duration = std::time::Duration::from_millis(200);

/// Folders that programs write to while they run or are built, ignored besides what `.gitignore` names.
const WRITTEN: [&str; 5] = [".*/", "target/", "node_modules/", "__pycache__/", "*.pyc"];

/// What was asked for, as far as watching goes.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) select: &'a SelectArgs,
    pub(crate) args: &'a ExecuteArgs,
    pub(crate) color: ColorWhen,
}

/// Carries out a command for the selected scenarios; with `--watch` again, whenever their files change, for those that the change
/// affects, until it is interrupted. A file with a mistake is said, and waits for the next change.
pub(crate) fn carry_out(
    request: Request<'_>,
    resolve: impl Fn() -> Result<Scope, CliError>,
    pass: impl Fn(Scope) -> Result<Exit, CliError>,
) -> Result<Exit, CliError> {
    let scope = resolve()?;
    if !request.args.watch {
        return pass(scope);
    }
    let waiting = execute::runtime(1)?;
    let mut watcher = waiting.block_on(async { watcher(&scope, request) })?;
    // Listening from here on, so that Ctrl-C is not lost while files are read between two passes.
    let mut interrupts = waiting.block_on(async { execute::interrupts() })?;
    let ignored = ignored(&scope.settings.base);
    let mut outcome = pass(scope);
    loop {
        match outcome {
            Ok(Exit::Interrupted) => return Ok(Exit::Interrupted),
            Ok(_) => {}
            Err(error) => render(&error, request.color),
        }
        log::line("waiting for a change; Ctrl-C ends it");
        outcome = loop {
            let Some(mut changed) = waiting.block_on(next_change(&mut watcher, &mut interrupts)) else {
                return Ok(Exit::Interrupted);
            };
            changed.retain(|path| !is_ignored(&ignored, path));
            if changed.is_empty() {
                continue;
            }
            match resolve() {
                Ok(scope) => {
                    let scope = affected(scope, &changed);
                    if !scope.is_empty() {
                        break pass(scope);
                    }
                }
                Err(error) => break Err(error),
            }
        };
    }
}

/// Watches what was named, the packs of the selected scenarios, the folders around process scenarios, where others may be made,
/// and the folder of the settings, where programs under test often are.
fn watcher(scope: &Scope, request: Request<'_>) -> Result<Watcher, CliError> {
    let refused = |error: windtunnel_runner::watch::WatchError| CliError::Usage {
        message: error.to_string(),
        help: None,
    };
    let mut watcher = Watcher::new(DEBOUNCE).map_err(refused)?;
    watcher.exclude(&scope.settings.runs_dir(request.args.runs_dir.as_deref())).map_err(refused)?;
    let named = request.select.paths.iter().filter(|path| path.is_dir()).cloned();
    let packs = scope.packs().into_iter().map(|pack| pack.dir.clone());
    let settings = scope.settings.file.as_ref().map(|_| scope.settings.base.clone());
    let around = scope.folders.iter().map(|folder| around(&folder.path));
    let folders: BTreeSet<Utf8PathBuf> =
        named.chain(packs).chain(around).chain(settings).map(|path| real(&path)).collect();
    let mut last: Option<&Utf8PathBuf> = None;
    for folder in &folders {
        // They are sorted, so a folder inside another follows it.
        if last.is_none_or(|outer| !folder.starts_with(outer)) {
            watcher.watch_folder(folder).map_err(refused)?;
            last = Some(folder);
        }
    }
    Ok(watcher)
}

/// The folder that a process scenario lies in; for one that is the working folder, itself.
fn around(scenario: &Utf8Path) -> Utf8PathBuf {
    match scenario.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder.to_owned(),
        _ => Utf8PathBuf::from("."),
    }
}

/// What is written without anybody having edited it.
fn ignored(base: &Utf8Path) -> Gitignore {
    let mut ignored = GitignoreBuilder::new(base);
    for pattern in WRITTEN {
        // They are all globs.
        let _ = ignored.add_line(None, pattern);
    }
    // A line of it that is no glob ignores nothing.
    let _ = ignored.add(base.join(".gitignore"));
    ignored.build().unwrap_or_else(|_| Gitignore::empty())
}

fn is_ignored(ignored: &Gitignore, path: &Utf8Path) -> bool {
    path.starts_with(ignored.path()) && ignored.matched_path_or_any_parents(path, path.is_dir()).is_ignore()
}

/// What changed; none for an interrupt.
async fn next_change(watcher: &mut Watcher, interrupts: &mut Interrupts) -> Option<BTreeSet<Utf8PathBuf>> {
    tokio::select! {
        changes = watcher.changed() => Some(changes.paths),
        () = interrupts.next() => None,
    }
}

/// The scenarios that a change affects: of a file of a process scenario that one, of any other file those of packs.
fn affected(scope: Scope, changed: &BTreeSet<Utf8PathBuf>) -> Scope {
    let Scope { settings, found, mut folders, bare } = scope;
    let mut others = changed.clone();
    folders.retain(|folder| {
        let folder = real(&folder.path);
        let before = others.len();
        others.retain(|path| !path.starts_with(&folder));
        others.len() < before
    });
    let found = if others.is_empty() { Vec::new() } else { affected_of_packs(found, &others) };
    Scope { settings, found, folders, bare }
}

/// The scenarios of packs that a change affects: of a scenario's file that scenario, of any other file in a pack all of that
/// pack, of a file outside of all packs all.
fn affected_of_packs(found: Vec<Found>, changed: &BTreeSet<Utf8PathBuf>) -> Vec<Found> {
    let files: BTreeSet<Utf8PathBuf> =
        found.iter().filter_map(|found| found.file.as_deref().map(real)).collect();
    let folders: BTreeSet<Utf8PathBuf> = found.iter().map(|found| real(&found.pack.dir)).collect();
    let is_outside = |path: &Utf8PathBuf| !folders.iter().any(|folder| path.starts_with(folder));
    if changed.iter().any(is_outside) {
        return found;
    }
    let concerns = |found: &Found| {
        let (file, folder) = (found.file.as_deref().map(real), real(&found.pack.dir));
        changed
            .iter()
            .any(|path| Some(path) == file.as_ref() || (path.starts_with(&folder) && !files.contains(path)))
    };
    found.into_iter().filter(|found| concerns(found)).collect()
}

/// Where a path really is, as the watcher names it; the path itself where nothing is.
fn real(path: &Utf8Path) -> Utf8PathBuf {
    path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned())
}
