//! A session: the relay between its agents and its server, with the lock and the queues that the machine does without.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use windtunnel_api::secret::Redactor;

use super::machine::{Action, Delivery, Event, Outgoing, Relay};
use super::pending::Conn;
use crate::limits::RecorderLimits;
use crate::message;
use crate::outbox::{Full, Inbox, Outbox, Unsent, outbox};
use crate::recorder::Recorder;

/// Where an agent's messages go. Called with the session locked: it must not wait, nor call back.
pub(crate) trait AgentSink: Send + Sync {
    /// One message, in order.
    fn deliver(&self, delivery: Delivery) -> Result<(), Full>;

    /// Nothing comes any more.
    fn close(&self);
}

/// The session takes no connections any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Closed;

/// One session of a server and the agents that share it.
pub(crate) struct Session {
    state: Mutex<State>,
    server: Outbox<Outgoing>,
    recorder: Arc<Recorder>,
    shared: bool,
    cancel: CancellationToken,
    /// Told whenever nothing is open any more.
    idle: Notify,
    /// Where held requests wait.
    runtime: Handle,
    this: Weak<Self>,
}

struct State {
    relay: Relay,
    sinks: HashMap<Conn, Arc<dyn AgentSink>>,
    next: u64,
    ended: bool,
}

impl Session {
    /// A session without agents, and what its server is sent. It ends with `cancel`. Has to be called in the runtime of the case.
    pub(crate) fn new(
        recorder: &Arc<Recorder>,
        shared: bool,
        limits: &RecorderLimits,
        cancel: CancellationToken,
    ) -> (Arc<Self>, Inbox<Outgoing>) {
        let (server, inbox) = outbox(limits.queued_bytes);
        let relay = Relay::new(Arc::clone(recorder), shared, limits.pending_requests);
        let state = Mutex::new(State { relay, sinks: HashMap::new(), next: 0, ended: false });
        let session = Arc::new_cyclic(|this| Self {
            state,
            server,
            recorder: Arc::clone(recorder),
            shared,
            cancel,
            idle: Notify::new(),
            runtime: Handle::current(),
            this: this.clone(),
        });
        (session, inbox)
    }

    /// Cancelled when the session has to end.
    pub(crate) fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    /// The name of the server.
    pub(crate) fn server_name(&self) -> &str {
        self.recorder.server()
    }

    /// What hides the secrets of this session in messages.
    pub(crate) fn redactor(&self) -> &Redactor {
        self.recorder.redactor()
    }

    /// An agent connects.
    pub(crate) fn join(&self, sink: Arc<dyn AgentSink>) -> Result<Conn, Closed> {
        let mut state = self.lock();
        if state.ended {
            return Err(Closed);
        }
        state.next += 1;
        let conn = Conn(state.next);
        state.sinks.insert(conn, sink);
        self.feed(&mut state, Event::Opened(conn));
        Ok(conn)
    }

    /// An agent sends a message or a batch.
    pub(crate) fn agent_sends(&self, conn: Conn, text: &str) {
        self.on(Event::Agent(conn, &message::one_line(text)));
    }

    /// An agent sends something that is no message.
    pub(crate) fn garbage(&self, conn: Conn, why: &str) {
        self.on(Event::Garbage(conn, why));
    }

    /// An agent is gone. A session of its own ends with it.
    pub(crate) fn leave(&self, conn: Conn) {
        self.lock().sinks.remove(&conn);
        self.on(Event::Closed(conn));
        if !self.shared {
            self.cancel.cancel();
        }
    }

    /// The server sends a message or a batch, maybe on the stream of one request.
    pub(crate) fn server_sends(&self, text: &str, about: Option<u64>) {
        self.on(Event::Server { text: &message::one_line(text), about });
    }

    /// The server says something about one call that is for the evidence alone.
    pub(crate) fn note(&self, request: u64, key: &str, value: &Value) {
        self.on(Event::Noted { request, key, value });
    }

    /// One request did not get through to the server.
    pub(crate) fn undelivered(&self, request: u64, why: &str) {
        self.on(Event::Undelivered { request, why });
    }

    /// The server is gone; agents stay connected and are told so with every request.
    pub(crate) fn gone(&self, why: &str) {
        self.on(Event::Gone(why));
    }

    /// The same where the server ended though nobody asked it to; `how` is what makes the evidence unavailable.
    pub(crate) fn died(&self, why: &str, how: &str) {
        self.on(Event::Died { why, how });
    }

    /// Waits until no agent waits for an answer.
    pub(crate) async fn idle(&self) {
        loop {
            let changed = self.idle.notified();
            if !self.lock().relay.is_waiting() {
                return;
            }
            changed.await;
        }
    }

    /// Runs the server's side, and ends the session after it, also where that dies.
    pub(crate) async fn drive(self: Arc<Self>, upstream: impl Future<Output = ()>) {
        struct End<'a>(&'a Session);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.end();
            }
        }
        let _end = End(&self);
        upstream.await;
    }

    fn end(&self) {
        if std::thread::panicking() {
            self.recorder.relay_died();
        }
        let why = format!("the session with {} ended before the call was answered", self.recorder.server());
        let mut state = self.lock();
        state.ended = true;
        self.feed(&mut state, Event::Ended(&why));
    }

    /// Lets a request wait.
    fn hold(&self, request: u64, hold: Duration) {
        let (this, cancel) = (self.this.clone(), self.cancel.clone());
        self.runtime.spawn(async move {
            let waited = cancel.run_until_cancelled(tokio::time::sleep(hold)).await;
            if let (Some(()), Some(session)) = (waited, this.upgrade()) {
                session.on(Event::Held { request });
            }
        });
    }

    fn on(&self, event: Event<'_>) {
        self.feed(&mut self.lock(), event);
    }

    fn feed(&self, state: &mut State, event: Event<'_>) {
        let actions = state.relay.on(event);
        let mut overrun = Vec::new();
        for action in actions {
            match action {
                Action::ToServer(outgoing) => {
                    if let Err(Unsent::Full) = self.server.send(outgoing) {
                        tracing::warn!(
                            server = self.recorder.server(),
                            "the server does not read; its session ends"
                        );
                        self.recorder.server_ended(&format!(
                            "tool server {} did not read what it was sent during the case, and was cut off",
                            self.recorder.server()
                        ));
                        self.cancel.cancel();
                    }
                }
                Action::ToAgent(conn, delivery) => {
                    if let Some(sink) = state.sinks.get(&conn)
                        && sink.deliver(delivery).is_err()
                    {
                        overrun.push(conn);
                    }
                }
                Action::Close(conn) => {
                    if let Some(sink) = state.sinks.remove(&conn) {
                        sink.close();
                    }
                }
                Action::Hold { request, hold } => self.hold(request, hold),
            }
        }
        for conn in overrun {
            if let Some(sink) = state.sinks.remove(&conn) {
                sink.close();
            }
            self.feed(state, Event::Closed(conn));
        }
        if !state.relay.is_waiting() {
            self.idle.notify_waiters();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| {
            self.recorder.relay_died();
            PoisonError::into_inner(poisoned)
        })
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_api::secret::Redactor;

    use super::*;

    #[tokio::test]
    async fn evidence_is_unavailable_once_a_relay_has_died() {
        let limits = RecorderLimits::default();
        let recorder = Arc::new(Recorder::new("crm", Redactor::default(), &limits));
        let (session, _inbox) = Session::new(&recorder, false, &limits, CancellationToken::new());
        assert!(tokio::spawn(session.drive(async { panic!("a fault of ours") })).await.is_err());
        let unavailable = recorder.calls().unwrap_err().to_string();
        assert_eq!(
            unavailable,
            "evidence of crm is unavailable: the recorder itself failed; this is a fault of ours"
        );
    }
}
