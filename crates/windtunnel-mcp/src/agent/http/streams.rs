//! Which of an agent's open streams a message goes out on.
//!
//! An answer goes to the request that it answers. So does what belongs to that request, where its client takes events.
//! Everything else goes to the request that came last, so that a burst keeps its order; without one to the stream that
//! the agent holds open for it; and without that it waits for one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::outbox::{Full, Inbox, Outbox, Unsent, Weigh, outbox};
use crate::relay::{AgentSink, Delivery};

/// The open streams of one agent connection.
pub(super) struct Streams {
    state: Mutex<State>,
    queued_bytes: usize,
}

#[derive(Default)]
struct State {
    posts: Vec<Post>,
    unasked: Option<Outbox<Delivery>>,
    waiting: VecDeque<Delivery>,
    waiting_bytes: usize,
    closed: bool,
}

/// A request over HTTP that is not fully answered.
struct Post {
    /// The JSON-RPC requests in it that are still open.
    open: Vec<Arc<str>>,
    /// Whether the client takes events.
    events: bool,
    outbox: Outbox<Delivery>,
}

impl Streams {
    /// No streams; this many bytes may wait for each.
    pub(super) fn new(queued_bytes: usize) -> Self {
        Self { state: Mutex::default(), queued_bytes }
    }

    /// A request came in with these JSON-RPC requests; its queue ends with the last answer.
    pub(super) fn post(&self, open: Vec<Arc<str>>, events: bool) -> Inbox<Delivery> {
        let (outbox, inbox) = outbox(self.queued_bytes);
        let mut state = self.lock();
        state.forget_closed();
        if !state.closed {
            state.posts.push(Post { open, events, outbox });
        }
        inbox
    }

    /// A stream for what is said unasked. It takes the place of an older one.
    pub(super) fn listen(&self) -> Inbox<Delivery> {
        let (outbox, inbox) = outbox(self.queued_bytes);
        let mut state = self.lock();
        for delivery in std::mem::take(&mut state.waiting) {
            // They fitted into the same limit before.
            let _ = outbox.send(delivery);
        }
        state.waiting_bytes = 0;
        state.unasked = (!state.closed).then_some(outbox);
        inbox
    }

    /// Whether the session behind it has ended.
    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn forget_closed(&mut self) {
        self.posts.retain(|post| !post.outbox.is_closed());
        self.unasked.take_if(|unasked| unasked.is_closed());
    }

    /// Puts a message where it belongs by the streams that are known. This many bytes may wait for a stream.
    fn send(&mut self, delivery: Delivery, queued_bytes: usize) -> Result<(), Unsent<Delivery>> {
        let about = delivery.about.clone();
        let asked = about.and_then(|about| self.posts.iter().position(|post| post.open.contains(&about)));
        if let Some(at) = asked
            && let Some(post) = self.posts.get_mut(at)
            && (delivery.answer || post.events)
        {
            let answered = delivery.about.clone().filter(|_| delivery.answer);
            post.outbox.send(delivery)?;
            post.open.retain(|open| Some(open) != answered.as_ref());
            if post.open.is_empty() {
                self.posts.remove(at);
            }
            return Ok(());
        }
        if delivery.answer {
            // Whoever asked has hung up.
            return Ok(());
        }
        if let Some(post) = self.posts.iter().rev().find(|post| post.events) {
            return post.outbox.send(delivery);
        }
        if let Some(unasked) = &self.unasked {
            return unasked.send(delivery);
        }
        self.waiting_bytes += delivery.bytes();
        self.waiting.push_back(delivery);
        if self.waiting_bytes > queued_bytes { Err(Unsent::Full) } else { Ok(()) }
    }
}

impl AgentSink for Streams {
    fn deliver(&self, mut delivery: Delivery) -> Result<(), Full> {
        let mut state = self.lock();
        loop {
            match state.send(delivery, self.queued_bytes) {
                Ok(()) => return Ok(()),
                Err(Unsent::Full) => return Err(Full),
                // A client hung up, maybe just now: the message goes where it goes without that stream.
                Err(Unsent::Closed(unsent)) => delivery = unsent,
            }
            state.forget_closed();
        }
    }

    fn close(&self) {
        *self.lock() = State { closed: true, ..State::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivery(text: &str, about: Option<&str>, answer: bool) -> Delivery {
        Delivery { text: text.to_owned(), about: about.map(Arc::from), answer }
    }

    fn texts(inbox: &mut Inbox<Delivery>) -> Vec<String> {
        std::iter::from_fn(|| inbox.try_recv()).map(|delivery| delivery.text).collect()
    }

    #[tokio::test]
    async fn messages_go_where_they_belong() {
        let streams = Streams::new(1000);
        streams.deliver(delivery("early", None, false)).unwrap();
        let mut one = streams.post(vec!["1".into()], true);
        let mut two = streams.post(vec!["2".into()], true);
        let mut json = streams.post(vec!["3".into()], false);
        streams.deliver(delivery("progress 1", Some("1"), false)).unwrap();
        streams.deliver(delivery("log", None, false)).unwrap();
        streams.deliver(delivery("answer 2", Some("2"), true)).unwrap();
        streams.deliver(delivery("progress 3", Some("3"), false)).unwrap();
        streams.deliver(delivery("answer 1", Some("1"), true)).unwrap();
        let mut unasked = streams.listen();
        streams.deliver(delivery("progress 3", Some("3"), false)).unwrap();
        streams.deliver(delivery("answer 3", Some("3"), true)).unwrap();
        assert_eq!(texts(&mut one), ["progress 1", "progress 3", "answer 1"]);
        assert_eq!(texts(&mut two), ["log", "answer 2"]);
        assert_eq!(texts(&mut json), ["answer 3"]);
        assert_eq!(texts(&mut unasked), ["early", "progress 3"]);
        assert!(one.recv().await.is_none(), "the queue ends with the last answer");
    }

    #[tokio::test]
    async fn an_answer_to_somebody_who_hung_up_is_dropped() {
        let streams = Streams::new(1000);
        drop(streams.post(vec!["1".into()], true));
        streams.deliver(delivery("answer 1", Some("1"), true)).unwrap();
        assert!(texts(&mut streams.listen()).is_empty());
    }

    #[tokio::test]
    async fn a_message_for_somebody_who_hung_up_goes_on_to_the_next_stream() {
        let streams = Streams::new(1000);
        let mut open = streams.post(vec!["1".into()], true);
        let (hung_up, no_ears) = (streams.post(vec!["2".into()], true), streams.listen());
        drop((hung_up, no_ears));
        streams.deliver(delivery("progress 2", Some("2"), false)).unwrap();
        streams.deliver(delivery("answer 1", Some("1"), true)).unwrap();
        streams.deliver(delivery("late", None, false)).unwrap();
        assert_eq!(texts(&mut open), ["progress 2", "answer 1"]);
        assert_eq!(texts(&mut streams.listen()), ["late"]);
    }

    #[test]
    fn what_nobody_fetches_fills_up() {
        let streams = Streams::new(4);
        streams.deliver(delivery("four", None, false)).unwrap();
        assert_eq!(streams.deliver(delivery("5", None, false)), Err(Full));
    }

    #[tokio::test]
    async fn closing_ends_every_stream() {
        let streams = Streams::new(1000);
        let (mut post, mut unasked) = (streams.post(vec!["1".into()], true), streams.listen());
        streams.close();
        assert!(post.recv().await.is_none() && unasked.recv().await.is_none() && streams.is_closed());
        assert!(streams.post(vec!["2".into()], true).recv().await.is_none());
    }
}
