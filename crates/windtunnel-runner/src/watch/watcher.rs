//! The watcher: events gathered until the files are quiet.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use notify_debouncer_full::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::error::WatchError;
use super::interest::{Interest, Seen};

/// Anything shorter would keep a thread busy.
const MIN_DEBOUNCE: Duration = Duration::from_millis(20);
/// Files that are never quiet are reported all the same after so many times the debounce.
const MAX_DEBOUNCES: u32 = 10;

/// Watches files and folders until it is dropped.
pub struct Watcher {
    debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
    interest: Arc<Mutex<Interest>>,
    sightings: mpsc::UnboundedReceiver<Seen>,
    /// The real folders that are watched, and whether what is below them is too.
    roots: Vec<Root>,
    debounce: Duration,
    pending: Pending,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Root {
    folder: Utf8PathBuf,
    is_recursive: bool,
    /// Set while the folder is gone: when to look for it next.
    look_at: Option<Instant>,
}

/// What has changed since the last report. Kept outside of [`Watcher::changed`], which may be dropped while it waits.
#[derive(Debug, Default)]
struct Pending {
    paths: BTreeSet<Utf8PathBuf>,
    /// When to report them, and when at the latest.
    due: Option<(Instant, Instant)>,
}

/// Files and folders that changed, came or went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeSet {
    /// Absolute paths, spelled as the watched paths were. Where a change is known only roughly this is the folder that it is in.
    pub paths: BTreeSet<Utf8PathBuf>,
}

impl Watcher {
    /// A watcher of nothing yet. Changes are reported once there was none for `debounce`, which is at least 20 ms.
    ///
    /// # Errors
    /// The system has no watcher left, or none at all.
    pub fn new(debounce: Duration) -> Result<Self, WatchError> {
        let debounce = debounce.max(MIN_DEBOUNCE);
        let interest = Arc::new(Mutex::new(Interest::default()));
        let (sender, sightings) = mpsc::unbounded_channel();
        let seeing = Arc::clone(&interest);
        let receive = move |result: DebounceEventResult| {
            let seen = see(&lock(&seeing), result);
            if seen != Seen::default() {
                // The watcher may be gone already; then nobody asks.
                let _ = sender.send(seen);
            }
        };
        // Its part is to join what belongs together; that the files are quiet is seen to in `changed`.
        let debouncer =
            new_debouncer(debounce / 4, None, receive).map_err(|error| WatchError::of_watcher(&error))?;
        Ok(Self { debouncer, interest, sightings, roots: Vec::new(), debounce, pending: Pending::default() })
    }

    /// Watches one file, which need not be there yet; its folder has to be. A file that is replaced by another of its name has changed.
    /// Where it is a link, what it points to now is watched too.
    ///
    /// # Errors
    /// There is no such folder, or the system watches no more.
    pub fn watch_file(&mut self, file: &Utf8Path) -> Result<(), WatchError> {
        let asked = absolute(file)?;
        let (Some(folder), Some(name)) = (asked.parent(), asked.file_name()) else {
            return Err(WatchError::System { what: file.to_string(), error: "it is not a file".into() });
        };
        let entry = real(&asked, folder)?.join(name);
        let target = real(&asked, &asked).ok().filter(|target| *target != entry);
        for place in [Some(entry), target].into_iter().flatten() {
            if let Some(folder) = place.parent() {
                self.watch(folder, RecursiveMode::NonRecursive)?;
            }
            lock(&self.interest).add_file(place, asked.clone());
        }
        Ok(())
    }

    /// Watches a folder and everything below it, also what comes later. Links in it are not followed.
    ///
    /// # Errors
    /// There is no such folder, or the system watches no more.
    pub fn watch_folder(&mut self, folder: &Utf8Path) -> Result<(), WatchError> {
        let asked = absolute(folder)?;
        let real = real(&asked, &asked)?;
        if !real.is_dir() {
            return Err(WatchError::NoFolder { path: asked.clone(), folder: asked });
        }
        self.watch(&real, RecursiveMode::Recursive)?;
        lock(&self.interest).add_folder(real, asked);
        Ok(())
    }

    /// Takes no notice of a file, or of a folder and everything below it: what the watching program itself writes. It need not be there yet.
    ///
    /// # Errors
    /// The path cannot be looked up.
    pub fn exclude(&mut self, path: &Utf8Path) -> Result<(), WatchError> {
        let asked = absolute(path)?;
        // What is not there yet cannot be looked up, but the nearest folder above it can.
        let known = asked.ancestors().find_map(|part| Some((real(&asked, part).ok()?, part)));
        let excluded = match known {
            Some((known, part)) => match asked.strip_prefix(part) {
                Ok(rest) if !rest.as_str().is_empty() => known.join(rest),
                _ => known,
            },
            None => asked,
        };
        lock(&self.interest).exclude(excluded);
        Ok(())
    }

    /// Waits for changes, and then until the files are quiet. Looks at files are no changes. Safe to drop and call again: nothing is lost.
    pub async fn changed(&mut self) -> ChangeSet {
        loop {
            let report_at = self.pending.due.map(|(quiet, latest)| quiet.min(latest));
            let look_at = self.roots.iter().filter_map(|root| root.look_at).min();
            tokio::select! {
                biased;
                seen = self.sightings.recv() => match seen {
                    Some(seen) => self.take(seen),
                    // The debouncer holds the other end, and this holds the debouncer.
                    None => std::future::pending().await,
                },
                () = sleep_until(report_at.unwrap_or_else(Instant::now)), if report_at.is_some() => {
                    self.pending.due = None;
                    return ChangeSet { paths: std::mem::take(&mut self.pending.paths) };
                }
                () = sleep_until(look_at.unwrap_or_else(Instant::now)), if look_at.is_some() => self.look_for_roots(),
            }
        }
    }

    fn watch(&mut self, folder: &Utf8Path, mode: RecursiveMode) -> Result<(), WatchError> {
        let is_recursive = mode == RecursiveMode::Recursive;
        // A second watch of a folder takes the place of the first, which may reach deeper.
        let is_covered = |root: &Root| {
            (root.folder == folder && (root.is_recursive || !is_recursive))
                || (root.is_recursive && folder.starts_with(&root.folder))
        };
        if self.roots.iter().any(is_covered) {
            return Ok(());
        }
        self.debouncer.watch(folder, mode).map_err(|error| WatchError::of_path(folder, &error))?;
        self.roots.push(Root { folder: folder.to_owned(), is_recursive, look_at: None });
        Ok(())
    }

    fn take(&mut self, seen: Seen) {
        let now = Instant::now();
        for root in &mut self.roots {
            if seen.gone.contains(&root.folder) {
                // The watch follows the folder that went away, not the one that takes its place.
                let _ = self.debouncer.unwatch(&root.folder);
                root.look_at = Some(now);
            }
        }
        if !seen.paths.is_empty() {
            self.pending.paths.extend(seen.paths);
            let latest =
                self.pending.due.map_or_else(|| now + self.debounce * MAX_DEBOUNCES, |(_, latest)| latest);
            // What is seen is a quarter of the debounce old.
            self.pending.due = Some((now + self.debounce * 3 / 4, latest));
        }
    }

    /// Watches folders that came back.
    fn look_for_roots(&mut self) {
        let now = Instant::now();
        let mut seen = Seen::default();
        for root in &mut self.roots {
            if root.look_at.is_none_or(|at| at > now) {
                continue;
            }
            let mode = if root.is_recursive { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            if self.debouncer.watch(&root.folder, mode).is_ok() {
                root.look_at = None;
                lock(&self.interest).see_folder(&root.folder, &mut seen);
            } else {
                root.look_at = Some(now + self.debounce);
            }
        }
        self.take(seen);
    }
}

fn see(interest: &Interest, result: DebounceEventResult) -> Seen {
    let mut seen = Seen::default();
    match result {
        Ok(events) => {
            for event in &events {
                interest.see(event, &mut seen);
            }
        }
        Err(errors) => {
            for error in errors {
                tracing::warn!("files are watched incompletely: {error}");
            }
            interest.see_everything(&mut seen);
        }
    }
    seen
}

// A panic inside would be ours; what it guards is only ever added to.
fn lock(interest: &Mutex<Interest>) -> MutexGuard<'_, Interest> {
    interest.lock().unwrap_or_else(PoisonError::into_inner)
}

fn absolute(path: &Utf8Path) -> Result<Utf8PathBuf, WatchError> {
    camino::absolute_utf8(path)
        .map_err(|error| WatchError::System { what: path.to_string(), error: error.to_string() })
}

/// Where a path leads, links followed.
fn real(asked: &Utf8Path, path: &Utf8Path) -> Result<Utf8PathBuf, WatchError> {
    let real = path.as_std_path().canonicalize().map_err(WatchError::of_lookup(asked, path))?;
    Utf8PathBuf::from_path_buf(real).map_err(|real| WatchError::not_utf8(asked, &real))
}
