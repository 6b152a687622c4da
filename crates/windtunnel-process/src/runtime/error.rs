//! A verb that could not be carried out.

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::state::StateError;
use crate::transport::SessionError;

/// A verb that could not be carried out. The item stands where it stood.
#[derive(Debug, Error)]
pub enum ProcessError {
    /// The item was not started.
    #[error("{item} was not started: there is no graph-state.json in its folder")]
    NotStarted {
        /// The item's folder.
        item: String,
    },
    /// A name that cannot be an item's.
    #[error("{id:?} is no work item: {reason}")]
    NoItem {
        /// What was given.
        id: String,
        /// What was expected.
        reason: String,
    },
    /// The item's folder is not in the checkout.
    #[error("{item} has no folder in the checkout: {reason}")]
    Outside {
        /// The item's folder.
        item: String,
        /// Why.
        reason: String,
    },
    /// Another verb has the item.
    #[error(
        "{item} is busy: another verb has had it for {} s; look for a process that walks it, or wait until its gates are through",
        waited.as_secs()
    )]
    Busy {
        /// The item's folder.
        item: String,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The state on disk.
    #[error(transparent)]
    State(#[from] StateError),
    /// The event log: what happened would not be told, so nothing more is done.
    #[error("the event log cannot be written: {0}")]
    EventLog(#[source] io::Error),
    /// The agent's session.
    #[error(transparent)]
    Session(#[from] SessionError),
}
