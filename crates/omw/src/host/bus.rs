//! Messages between agents.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::exchange::Event;

use super::inbox::{Inbox, NoRoom};
use super::sync::lock;
use super::{HostError, HostResult};

/// The longest message, in bytes.
pub(super) const MAX_PAYLOAD: usize = 16 << 20;

/// Who listens to whom.
#[derive(Clone, Default)]
pub(super) struct Bus(Arc<Mutex<Subscriptions>>);

/// By the agent that listens, by the agent that is listened to.
type Subscriptions = HashMap<Arc<str>, HashMap<String, Subscription>>;

#[derive(Clone)]
struct Subscription {
    id: String,
    inbox: Arc<Inbox>,
}

impl Bus {
    /// The id under which an agent listens to another, if it does.
    pub(super) fn subscription(&self, listener: &str, to: &str) -> Option<String> {
        Some(lock(&self.0).get(listener)?.get(to)?.id.clone())
    }

    /// The owner of an inbox listens to an agent, which need not exist, under an id.
    pub(super) fn subscribe(&self, inbox: Arc<Inbox>, to: &str, id: String) {
        let listener = Arc::clone(inbox.agent());
        lock(&self.0).entry(listener).or_default().insert(to.to_owned(), Subscription { id, inbox });
    }

    /// An agent listens no longer to another.
    pub(super) fn unsubscribe(&self, listener: &str, to: &str) {
        if let Some(subscriptions) = lock(&self.0).get_mut(listener) {
            subscriptions.remove(to);
        }
    }

    /// Hands a message to an agent if it listens to the sender, and says whether it does.
    pub(super) fn send(&self, from: &str, to: &str, payload: &str) -> HostResult<bool> {
        if payload.len() > MAX_PAYLOAD {
            return Err(HostError::failed(format!(
                "a message to agent \"{to}\" has {} bytes, and the limit is {MAX_PAYLOAD}",
                payload.len()
            )));
        }
        let subscription = lock(&self.0).get(to).and_then(|subscriptions| subscriptions.get(from)).cloned();
        let Some(Subscription { id, inbox }) = subscription else { return Ok(false) };
        match inbox.try_room() {
            Ok(room) => {
                room.push(id, Event::Message(payload.to_owned()));
                Ok(true)
            }
            // As if it had not listened: it has ended.
            Err(NoRoom::Closed) => Ok(false),
            Err(NoRoom::Full) => Err(HostError::failed(format!("inbox of agent \"{to}\" is full"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::StopSignal;
    use super::super::inbox::Taken;
    use super::*;

    fn read(inbox: &Inbox) -> Option<(String, Event)> {
        match inbox.try_take(&StopSignal::new())? {
            Taken::Event(envelope) => Some((envelope.id, envelope.event)),
            Taken::Stopped(reason) => panic!("{reason}"),
        }
    }

    #[test]
    fn a_message_reaches_only_an_agent_that_listens_to_its_sender() {
        let (bus, bob) = (Bus::default(), Arc::new(Inbox::new("bob".into(), 4)));
        bus.send("alice", "bob", "early").unwrap();
        bus.subscribe(Arc::clone(&bob), "alice", "1".to_owned());
        bus.send("alice", "bob", "hello").unwrap();
        bus.send("carol", "bob", "hello").unwrap();
        bus.send("bob", "alice", "hello").unwrap();
        assert_eq!(read(&bob), Some(("1".to_owned(), Event::Message("hello".to_owned()))));
        assert_eq!(read(&bob), None);
        bus.unsubscribe("bob", "alice");
        bus.send("alice", "bob", "late").unwrap();
        assert_eq!(read(&bob), None);
    }

    #[test]
    fn a_full_inbox_is_the_senders_error_and_a_closed_one_is_not() {
        let (bus, bob) = (Bus::default(), Arc::new(Inbox::new("bob".into(), 1)));
        bus.subscribe(Arc::clone(&bob), "alice", "1".to_owned());
        bus.send("alice", "bob", "a").unwrap();
        insta::assert_snapshot!(bus.send("alice", "bob", "b").unwrap_err(), @r#"inbox of agent "bob" is full"#);
        bob.close();
        bus.send("alice", "bob", "c").unwrap();
    }

    #[test]
    fn a_message_is_limited() {
        insta::assert_snapshot!(
            Bus::default().send("alice", "bob", &"x".repeat(MAX_PAYLOAD + 1)).unwrap_err(),
            @r#"a message to agent "bob" has 16777217 bytes, and the limit is 16777216"#
        );
    }
}
