//! Files that are watched for changes: those that a person edits while tests run again, or while agents run.
//!
//! ```
//! use std::time::Duration;
//!
//! use windtunnel_runner::watch::Watcher;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! # let folder = tempfile::tempdir()?;
//! # let folder = camino::Utf8Path::from_path(folder.path()).ok_or("not UTF-8")?;
//! let script = folder.join("script.rhai");
//! let mut watcher = Watcher::new(Duration::from_millis(40))?;
//! watcher.watch_file(&script)?;
//!
//! std::fs::write(&script, "recv()")?;
//! let changes = watcher.changed().await;
//! assert!(changes.paths.contains(&script));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod interest;
#[cfg(test)]
mod tests;
mod watcher;

pub use error::WatchError;
pub use watcher::{ChangeSet, Watcher};
