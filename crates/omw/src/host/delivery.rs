//! The way from a source to its agent.

use std::sync::Arc;

use crate::exchange::Event;

use super::inbox::Inbox;
use super::sources::Sources;
use super::trace::CloseReason;

/// Puts the events of one source into its agent's inbox. Both ways wait for room, and end when nobody will read the inbox.
#[derive(Clone)]
pub(super) struct Delivery {
    pub(super) id: String,
    pub(super) inbox: Arc<Inbox>,
    pub(super) sources: Arc<Sources>,
}

impl Delivery {
    /// Hands over an event. False if the source was closed meanwhile; then nothing was handed over, and nothing will be.
    pub(super) async fn send(&self, event: Event) -> bool {
        let Some(room) = self.inbox.room().await else { return false };
        self.sources.while_open(&self.id, || room.push(self.id.as_str(), event)).is_some()
    }

    /// Closes the source and hands over its last event, if it has one; nothing if it was closed meanwhile.
    ///
    /// It is closed before the event can be taken, so a brain that has it finds the source closed.
    pub(super) async fn finish(&self, last: Option<Event>, reason: CloseReason) {
        let Some(event) = last else {
            self.sources.close(&self.id, reason);
            return;
        };
        let Some(room) = self.inbox.room().await else { return };
        if self.sources.close(&self.id, reason) {
            room.push(self.id.as_str(), event);
        }
    }

    /// Closes the source as failed, and says why.
    pub(super) async fn fail(&self, error: String) {
        self.finish(Some(Event::Error(error)), CloseReason::Failed).await;
    }
}
