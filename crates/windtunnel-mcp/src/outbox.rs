//! A queue that never makes its sender wait, and is full by bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc;

/// A message that waits to be written.
pub(crate) trait Weigh {
    /// Its bytes.
    fn bytes(&self) -> usize;
}

impl Weigh for String {
    fn bytes(&self) -> usize {
        self.len()
    }
}

/// The receiver does not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full;

/// Why a message is not in the queue.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unsent<T> {
    /// The receiver does not read.
    Full,
    /// The receiver is gone; here is the message.
    Closed(T),
}

/// The sending end.
#[derive(Debug)]
pub(crate) struct Outbox<T> {
    sender: mpsc::UnboundedSender<T>,
    queued: Arc<AtomicUsize>,
    limit: usize,
}

/// The receiving end.
#[derive(Debug)]
pub(crate) struct Inbox<T> {
    receiver: mpsc::UnboundedReceiver<T>,
    queued: Arc<AtomicUsize>,
}

/// A queue of at most this many bytes.
pub(crate) fn outbox<T>(limit: usize) -> (Outbox<T>, Inbox<T>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let queued = Arc::new(AtomicUsize::new(0));
    (Outbox { sender, queued: Arc::clone(&queued), limit }, Inbox { receiver, queued })
}

impl<T: Weigh> Outbox<T> {
    /// Puts a message at the end of the queue.
    pub(crate) fn send(&self, message: T) -> Result<(), Unsent<T>> {
        if self.is_closed() {
            return Err(Unsent::Closed(message));
        }
        let bytes = message.bytes();
        if self.queued.fetch_add(bytes, Ordering::Relaxed) > self.limit {
            self.queued.fetch_sub(bytes, Ordering::Relaxed);
            return Err(Unsent::Full);
        }
        self.sender.send(message).map_err(|mpsc::error::SendError(message)| Unsent::Closed(message))
    }

    /// Whether nobody receives any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }
}

impl<T: Weigh> Inbox<T> {
    /// The next message; none once every sender is gone.
    pub(crate) async fn recv(&mut self) -> Option<T> {
        let message = self.receiver.recv().await?;
        self.queued.fetch_sub(message.bytes(), Ordering::Relaxed);
        Some(message)
    }

    /// The next message, if one is there by now.
    #[cfg(test)]
    pub(crate) fn try_recv(&mut self) -> Option<T> {
        let message = self.receiver.try_recv().ok()?;
        self.queued.fetch_sub(message.bytes(), Ordering::Relaxed);
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_queue_refuses_until_it_is_read() {
        let (sender, mut receiver) = outbox(4);
        assert_eq!(sender.send("four".to_owned()), Ok(()));
        assert_eq!(sender.send("five!".to_owned()), Ok(()), "one message may always pass the limit");
        assert_eq!(sender.send("six".to_owned()), Err(Unsent::Full));
        assert_eq!(receiver.recv().await.as_deref(), Some("four"));
        assert_eq!(receiver.try_recv().as_deref(), Some("five!"));
        assert_eq!(receiver.try_recv(), None);
    }

    #[test]
    fn a_dropped_receiver_is_told_from_a_full_queue() {
        let (sender, receiver) = outbox::<String>(4);
        assert_eq!(sender.send("filled".to_owned()), Ok(()));
        drop(receiver);
        assert!(sender.is_closed());
        assert_eq!(sender.send("late".to_owned()), Err(Unsent::Closed("late".to_owned())));
    }
}
