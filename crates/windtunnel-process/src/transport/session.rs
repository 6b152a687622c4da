//! The session of the agent that works on an item.

use async_trait::async_trait;
use thiserror::Error;

use crate::item::WorkItem;

/// The way to the session of the agent that works on an item.
#[async_trait]
pub trait SessionTransport: Send + Sync {
    /// Delivers a text to the session.
    ///
    /// # Errors
    /// There is no session, or it was not reached.
    async fn deliver(&self, item: &WorkItem, text: &str) -> Result<(), SessionError>;
}

/// A text that was not delivered.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SessionError {
    /// There is no session. None is started for a delivery.
    #[error("no session works on {item}")]
    Missing {
        /// The item's folder.
        item: String,
    },
    /// There is one, and it was not reached.
    #[error("the session of {item} was not reached: {reason}")]
    Failed {
        /// The item's folder.
        item: String,
        /// Why.
        reason: String,
    },
}

/// No item has a session.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSession;

#[async_trait]
impl SessionTransport for NoSession {
    async fn deliver(&self, item: &WorkItem, _text: &str) -> Result<(), SessionError> {
        Err(SessionError::Missing { item: item.id.clone() })
    }
}
