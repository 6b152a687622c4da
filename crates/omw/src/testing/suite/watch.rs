//! A suite that is run again whenever its files change.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_runner::Interrupts;
use windtunnel_runner::watch::Watcher;

use super::options::possible_bases;
use super::pass::{Found, pass};
use super::{Footprint, SuiteError, SuiteOptions, Summary, Tests, affected};
use crate::registry::Registries;

/// What is said after each pass.
const WAITING: &str = "waiting for changes; Ctrl-C ends it";

/// Runs the tests of a suite, and then again those that a change of files concerns, until it is interrupted: see [`affected`].
///
/// Of a folder everything below it is watched, so that new tests are found; of a single test its own folder. Scripts are watched
/// wherever they are. What the suite itself writes does not count.
///
/// # Errors
/// There are no such tests in the beginning, files cannot be watched, or results cannot be written.
pub async fn watch(
    options: &SuiteOptions,
    registries: &Registries,
    interrupts: &mut Interrupts,
) -> Result<Summary, SuiteError> {
    let Tests::Path(root) = &options.tests else { return Err(SuiteError::WatchedText) };
    let mut found = Found::at(options)?;
    let mut files = Files::watch(root, options)?;
    let mut due: BTreeSet<String> = found.iter().map(|test| test.label.clone()).collect();
    loop {
        let tests: Vec<_> = found.iter().filter(|test| due.contains(&test.label)).collect();
        let run = pass(options, registries, &tests, Some(WAITING), interrupts).await?;
        if run.summary.interrupted {
            return Ok(run.summary);
        }
        files.scripts.extend(run.scripts);
        let mut footprints = files.footprints(&found);
        files.attend(&footprints);
        due = loop {
            let changed = tokio::select! {
                changes = files.watcher.changed() => changes.paths,
                () = interrupts.next() => return Ok(Summary { interrupted: true, ..run.summary }),
            };
            found = match Found::at(options) {
                Ok(found) => found,
                // The last test went away; another may come.
                Err(error) if error.is_no_tests() => Vec::new(),
                Err(error) => return Err(error),
            };
            let now = files.footprints(&found);
            let due: BTreeSet<String> =
                affected(&footprints, &now, &changed).into_iter().map(str::to_owned).collect();
            if !due.is_empty() {
                break due;
            }
            footprints = now;
        };
    }
}

/// The files of a suite that is watched.
struct Files {
    watcher: Watcher,
    watched: BTreeSet<Utf8PathBuf>,
    /// The scripts of each test when it could last be read.
    scripts: BTreeMap<String, Vec<Utf8PathBuf>>,
}

impl Files {
    fn watch(root: &Utf8Path, options: &SuiteOptions) -> Result<Self, SuiteError> {
        let mut watcher = Watcher::new(options.debounce())?;
        for output in options.outputs() {
            watcher.exclude(output)?;
        }
        if root.is_dir() {
            watcher.watch_folder(root)?;
        } else {
            watcher.watch_file(root)?;
            let folder = root.parent().filter(|folder| !folder.as_str().is_empty());
            for base in possible_bases(folder.unwrap_or(Utf8Path::new("."))) {
                watcher.watch_file(&base)?;
            }
        }
        Ok(Self { watcher, watched: BTreeSet::new(), scripts: BTreeMap::new() })
    }

    /// What each test is made of, spelled as the watcher spells it.
    fn footprints(&self, found: &[Found]) -> BTreeMap<String, Footprint> {
        let footprint = |test: &Found| {
            let file = test.file.iter().flat_map(|file| file.bases.iter().chain([&file.path]));
            let scripts = self.scripts.get(&test.label).into_iter().flatten();
            let absolute = |path: &Utf8PathBuf| camino::absolute_utf8(path).unwrap_or_else(|_| path.clone());
            file.chain(scripts).map(absolute).collect()
        };
        found.iter().map(|test| (test.label.clone(), footprint(test))).collect()
    }

    /// Watches every file of these tests, wherever it is.
    fn attend(&mut self, footprints: &BTreeMap<String, Footprint>) {
        for file in footprints.values().flatten() {
            if self.watched.contains(file) {
                continue;
            }
            // A script in a folder that is not there: it is looked for again after the next pass.
            match self.watcher.watch_file(file) {
                Ok(()) => drop(self.watched.insert(file.clone())),
                Err(error) => tracing::debug!("{error}"),
            }
        }
    }
}
