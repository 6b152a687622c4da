//! Scripts that are watched while their brains run.

use std::collections::HashMap;
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::sync::mpsc;
use windtunnel_runner::watch::{WatchError, Watcher};

use crate::brain::{Brain, Runtime};

use super::brains::Loaded;

/// Larger files are not compared with what they were: every change counts.
const MAX_COMPARED: u64 = 16 * 1024 * 1024;

/// What a change of a script came to.
pub(super) enum Edit {
    /// The new script is loaded.
    Loaded(Arc<dyn Brain>),
    /// The new script cannot be loaded; the text says why.
    Rejected(String),
}

/// The scripts of a run.
pub(super) struct Scripts {
    watcher: Watcher,
    /// The texts before the brains were loaded, by path.
    texts: HashMap<Utf8PathBuf, Option<u64>>,
    watched: Vec<Script>,
    debounce: Duration,
}

struct Script {
    agent: String,
    path: Utf8PathBuf,
    runtime: Arc<dyn Runtime>,
    edits: mpsc::UnboundedSender<Edit>,
    known: Known,
}

/// What is known of a script's text, so that a file that only seems to have changed does not end a good run.
#[derive(Debug, Default, Clone, Copy)]
struct Known {
    /// The text of the brain that was loaded last.
    loaded: Option<u64>,
    /// The text that was rejected since.
    rejected: Option<u64>,
}

impl Scripts {
    /// Starts to watch. To be called before the brains are loaded, so that no edit is missed. It reads the scripts, so it may block.
    ///
    /// # Errors
    /// A script's folder that cannot be watched.
    pub(super) fn watch<'a>(
        paths: impl IntoIterator<Item = &'a Utf8Path>,
        debounce: Duration,
    ) -> Result<Self, WatchError> {
        let (mut watcher, mut texts) = (Watcher::new(debounce)?, HashMap::new());
        for path in paths {
            watcher.watch_file(path)?;
            texts.insert(path.to_owned(), fingerprint(path));
        }
        Ok(Self { watcher, texts, watched: Vec::new(), debounce })
    }

    /// The edits of one agent's script.
    pub(super) fn edits_of(&mut self, loaded: &Loaded) -> mpsc::UnboundedReceiver<Edit> {
        let (edits, receiver) = mpsc::unbounded_channel();
        let path = camino::absolute_utf8(&loaded.script).unwrap_or_else(|_| loaded.script.clone());
        let known = Known { loaded: self.texts.get(&loaded.script).copied().flatten(), rejected: None };
        let runtime = Arc::clone(&loaded.runtime);
        self.watched.push(Script { agent: loaded.agent.clone(), path, runtime, edits, known });
        receiver
    }

    /// Loads what changes, until it is dropped.
    pub(super) async fn follow(&mut self) -> Infallible {
        loop {
            let changes = self.watcher.changed().await;
            for script in self.watched.iter_mut().filter(|script| changes.paths.contains(&script.path)) {
                script.reload(self.debounce).await;
            }
        }
    }
}

impl Script {
    async fn reload(&mut self, debounce: Duration) {
        if !self.path.exists() {
            // Some editors take a file away before they put the new one there; that is one edit.
            tokio::time::sleep(debounce).await;
        }
        let (path, runtime, known) = (self.path.clone(), Arc::clone(&self.runtime), self.known);
        let look = move || look(&path, &*runtime, known);
        let Ok((known, edit)) = tokio::task::spawn_blocking(look).await else {
            tracing::error!(agent = self.agent, "loading the changed script {} panicked", self.path);
            return;
        };
        self.known = known;
        match &edit {
            None => return,
            Some(Edit::Loaded(_)) => {
                tracing::info!(agent = self.agent, "script {} changed; the new one takes over", self.path);
            }
            Some(Edit::Rejected(error)) => {
                tracing::warn!(
                    agent = self.agent,
                    "the changed script is not used, the old one runs on: {error}"
                );
            }
        }
        if let Some(edit) = edit {
            // The agent may be over; then no edit concerns it.
            let _ = self.edits.send(edit);
        }
    }
}

/// Loads a script if it is another one than before.
fn look(path: &Utf8Path, runtime: &dyn Runtime, known: Known) -> (Known, Option<Edit>) {
    let text = fingerprint(path);
    if text.is_some() && text == known.loaded {
        return (Known { rejected: None, ..known }, None);
    }
    if text.is_some() && text == known.rejected {
        return (known, None);
    }
    match runtime.load(path) {
        Ok(brain) => (Known { loaded: text, rejected: None }, Some(Edit::Loaded(brain))),
        Err(error) => (Known { rejected: text, ..known }, Some(Edit::Rejected(error.to_string()))),
    }
}

/// Stands for a file's text; none for what cannot be read or is very large.
fn fingerprint(path: &Utf8Path) -> Option<u64> {
    let metadata = path.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > MAX_COMPARED {
        return None;
    }
    let mut text = Vec::new();
    std::fs::File::open(path).ok()?.take(MAX_COMPARED).read_to_end(&mut text).ok()?;
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    Some(hasher.finish())
}
