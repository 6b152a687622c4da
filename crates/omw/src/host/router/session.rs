//! The client's side of a session.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use futures::Stream;
use tokio::sync::mpsc;

use crate::endpoint::{Session, SessionCloser, SessionError};
use crate::exchange::ChatDelta;

use super::{Router, Serving};

/// What both sides of a session know of it.
pub(super) struct Line {
    pub(super) id: String,
    pub(super) serving: Arc<Serving>,
    /// Why the agent's side ended early.
    error: OnceLock<SessionError>,
    /// Whether the agent was told of the end.
    has_ended: AtomicBool,
}

impl Line {
    pub(super) fn new(id: String, serving: Arc<Serving>) -> Self {
        Self { id, serving, error: OnceLock::new(), has_ended: AtomicBool::new(false) }
    }

    /// The agent's side ends early; the first error counts. The client sees it after the pieces that were sent before.
    pub(super) fn fail(&self, error: SessionError) {
        let _ = self.error.set(error);
    }

    /// Whether the agent is yet to be told of an end; it is told of one.
    pub(super) fn is_first_end(&self) -> bool {
        !self.has_ended.swap(true, Ordering::AcqRel)
    }
}

/// The pieces of an answer as the client takes them.
pub(super) struct Deltas {
    pieces: mpsc::Receiver<ChatDelta>,
    line: Arc<Line>,
    router: Arc<Router>,
    is_done: bool,
}

impl Deltas {
    /// A session whose client has not taken anything yet.
    pub(super) fn session(
        pieces: mpsc::Receiver<ChatDelta>,
        line: Arc<Line>,
        router: Arc<Router>,
    ) -> Session {
        let (closing, leaving) = (Arc::clone(&line), Arc::clone(&router));
        let closer = SessionCloser(Box::new(move || leaving.leave(&closing, None)));
        let id = line.id.clone();
        let deltas = Box::pin(Self { pieces, line, router, is_done: false });
        Session { id, deltas, closer }
    }
}

impl Stream for Deltas {
    type Item = Result<ChatDelta, SessionError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.is_done {
            return Poll::Ready(None);
        }
        let item = if let Some(delta) = ready!(self.pieces.poll_recv(context)) {
            self.is_done = delta.finish_reason.is_some();
            Some(Ok(delta))
        } else {
            self.is_done = true;
            self.line.error.get().cloned().map(Err)
        };
        Poll::Ready(item)
    }
}

impl Drop for Deltas {
    fn drop(&mut self) {
        if !self.is_done {
            self.router.leave(&self.line, Some("endpoint session aborted"));
        }
    }
}
