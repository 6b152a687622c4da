//! A verb that could not be carried out.

use std::io;

use thiserror::Error;

use crate::state::StateError;
use crate::transport::SessionError;

/// A verb that could not be carried out.
#[derive(Debug, Error)]
pub enum ProcessError {
    /// The item was not started.
    #[error("{item} was not started")]
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
    /// The state says something that the graph does not know.
    #[error("{item} stands at {node:?}, which graph {graph} does not have")]
    UnknownNode {
        /// The item's folder.
        item: String,
        /// The node.
        node: String,
        /// The graph.
        graph: String,
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
