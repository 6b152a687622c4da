//! The verbs.

use std::time::Duration;

use super::drive::Input;
use super::walk::Walk;
use super::{Envelope, ProcessError, ProcessRuntime, chain};
use crate::hook::ItemEvent;
use crate::item::WorkItem;
use crate::transport::{SessionError, marked_question};

/// How long it may take to post a question, or to deliver a reply.
const LIMIT: Duration = Duration::from_secs(60);

impl ProcessRuntime {
    /// Begins the walk. An item that was started stays where it is: a `noop`.
    ///
    /// # Errors
    /// As of every verb: the item's folder, its state or the event log cannot be read or written.
    pub async fn start(&self, item: &WorkItem) -> Result<Envelope, ProcessError> {
        let (held, started) = self.hold_new(item).await?;
        let begun = started.is_some();
        let mut walk = started.unwrap_or_else(|| Walk::new(&self.graph, &item.id));
        let step = if begun { walk.started_already() } else { walk.start() };
        held.drive(walk, step, Input::default()).await
    }

    /// Looks at the gate of the current node again, with what came in.
    ///
    /// # Errors
    /// The item was not started, or as of [`ProcessRuntime::start`].
    pub async fn advance(
        &self,
        item: &WorkItem,
        event: Option<&ItemEvent>,
    ) -> Result<Envelope, ProcessError> {
        let (held, mut walk) = self.hold(item).await?;
        let step = walk.advance(event.is_some_and(|event| !event.comments.is_empty()));
        held.drive(walk, step, Input { event, claimant: None }).await
    }

    /// Claims that a node's work is done. The actor is who says so; the hooks get to know.
    ///
    /// # Errors
    /// As of [`ProcessRuntime::advance`].
    pub async fn complete(&self, item: &WorkItem, node: &str, actor: &str) -> Result<Envelope, ProcessError> {
        let (held, mut walk) = self.hold(item).await?;
        let step = walk.complete(node, actor);
        held.drive(walk, step, Input { event: None, claimant: Some(actor) }).await
    }

    /// Declares nodes, or sets of nodes, that are not to be walked. What cannot be skipped is named in the answer; if it is all of
    /// them, the answer is `refused`.
    ///
    /// # Errors
    /// As of [`ProcessRuntime::advance`].
    pub async fn skip(
        &self,
        item: &WorkItem,
        nodes: &[String],
        by: &str,
        reason: &str,
    ) -> Result<Envelope, ProcessError> {
        let (held, mut walk) = self.hold(item).await?;
        let step = walk.skip(nodes, by, reason);
        held.drive(walk, step, Input::default()).await
    }

    /// Puts the pointer to a node by hand; it must be said by whom and why. The node is walked even if it was to be skipped, and what
    /// lies from it onward is no longer behind.
    ///
    /// # Errors
    /// As of [`ProcessRuntime::advance`].
    pub async fn force(
        &self,
        item: &WorkItem,
        to: &str,
        by: &str,
        reason: &str,
    ) -> Result<Envelope, ProcessError> {
        let (held, mut walk) = self.hold(item).await?;
        let step = walk.force(to, by, reason);
        held.drive(walk, step, Input::default()).await
    }

    /// Asks the people of an item something, in a comment if one can be posted; the walk waits for the answer. The question of a node
    /// that the pointer leaves is dropped.
    ///
    /// # Errors
    /// As of [`ProcessRuntime::advance`].
    pub async fn ask(&self, item: &WorkItem, question: &str) -> Result<Envelope, ProcessError> {
        let (held, mut walk) = self.hold(item).await?;
        let step = if let Some(refusal) = walk.refuse_question(question) {
            refusal
        } else {
            let comment = marked_question(question);
            let post = self.control.add_comment(&item.reference, &comment);
            let posted = matches!(chain::guarded(LIMIT, post).await, Ok(Ok(_)));
            walk.asked(question, posted)
        };
        held.drive(walk, step, Input::default()).await
    }

    /// Replies to the agent: delivers a text to its session, which answers a question if one is open.
    ///
    /// # Errors
    /// There is no session: nothing is delivered, and none is started. Else as of [`ProcessRuntime::advance`].
    pub async fn reply(&self, item: &WorkItem, text: &str, actor: &str) -> Result<Envelope, ProcessError> {
        let (held, mut walk) = self.hold(item).await?;
        let step = if let Some(refusal) = walk.refuse_reply(text, actor) {
            refusal
        } else {
            let delivered = chain::guarded(LIMIT, self.session.deliver(item, text)).await;
            delivered.unwrap_or_else(|reason| Err(SessionError::Failed { item: item.id.clone(), reason }))?;
            walk.replied(actor)
        };
        held.drive(walk, step, Input::default()).await
    }
}
