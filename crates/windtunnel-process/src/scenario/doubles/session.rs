//! A session that remembers.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;

use super::lock;
use crate::item::WorkItem;
use crate::transport::{SessionError, SessionTransport};

/// A session that remembers what was delivered to it, or that is missing.
///
/// ```
/// use windtunnel_process::scenario::doubles::FakeSession;
/// use windtunnel_process::transport::SessionTransport;
/// use windtunnel_process::{ItemRef, WorkItem};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let reference = ItemRef { repo: "e2e/e2e".parse().unwrap(), number: 42 };
/// let item = WorkItem { id: "issue-42".into(), reference };
/// let session = FakeSession::new();
/// session.set_missing(true);
/// assert!(session.deliver(&item, "Go on.").await.is_err());
/// assert!(session.deliveries().is_empty());
/// # });
/// ```
#[derive(Debug, Default)]
pub struct FakeSession {
    missing: AtomicBool,
    deliveries: Mutex<Vec<Delivery>>,
}

/// A text that a session got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The item's folder.
    pub item: String,
    /// The text.
    pub text: String,
}

impl FakeSession {
    /// A session that is there.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it is missing from now on.
    pub fn set_missing(&self, missing: bool) {
        self.missing.store(missing, Ordering::SeqCst);
    }

    /// What was delivered, in order.
    pub fn deliveries(&self) -> Vec<Delivery> {
        lock(&self.deliveries).clone()
    }
}

#[async_trait]
impl SessionTransport for FakeSession {
    async fn deliver(&self, item: &WorkItem, text: &str) -> Result<(), SessionError> {
        if self.missing.load(Ordering::SeqCst) {
            return Err(SessionError::Missing { item: item.id.clone() });
        }
        lock(&self.deliveries).push(Delivery { item: item.id.clone(), text: text.to_owned() });
        Ok(())
    }
}
