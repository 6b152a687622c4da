//! The endpoint's requests on their way to agents.

mod session;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tokio::runtime::Handle;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use crate::endpoint::{EndpointRequest, EndpointRouter, RouteError, Session, SessionError};
use crate::exchange::{ChatDelta, EndpointMessage, EndpointSessionEnd, Event};

use self::session::{Deltas, Line};
use super::inbox::{Inbox, NoRoom};
use super::seam::Seam;
use super::sync::lock;
use super::{HostError, HostResult};

/// How many sessions of one model may be open at once, with the requests that wait for room.
const MAX_SESSIONS: usize = 4_096;

/// Which agent serves which model, and the sessions that are open.
pub(super) struct Router {
    seam: Arc<dyn Seam>,
    runtime: Handle,
    /// Pieces that wait for a client.
    session_buffer: usize,
    state: Mutex<State>,
    /// Told when a model is served that was not.
    served: Notify,
}

#[derive(Default)]
struct State {
    models: BTreeMap<String, Arc<Serving>>,
    /// Those that the agent has not finished.
    sessions: HashMap<String, OpenSession>,
    is_closed: bool,
}

struct OpenSession {
    line: Arc<Line>,
    /// Dropped at the end of the session, which ends the client's stream.
    deltas: mpsc::Sender<ChatDelta>,
    /// Counts it; given back at its end.
    _place: OwnedSemaphorePermit,
}

/// An agent that serves a model.
struct Serving {
    /// The subscription.
    id: String,
    inbox: Arc<Inbox>,
    /// The run of the agent's brain that asked for it last.
    run: AtomicU64,
    /// Places for sessions.
    places: Arc<Semaphore>,
    /// Cancelled when it stops serving.
    gone: CancellationToken,
}

/// What subscribing would come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Offer {
    /// The model is free.
    Free,
    /// An earlier run of the same agent's brain left this subscription.
    Left(String),
    /// Somebody serves it.
    Taken,
}

impl Router {
    pub(super) fn new(seam: Arc<dyn Seam>, runtime: Handle, session_buffer: usize) -> Self {
        let session_buffer = session_buffer.clamp(1, Semaphore::MAX_PERMITS);
        Self { seam, runtime, session_buffer, state: Mutex::default(), served: Notify::new() }
    }

    /// What subscribing would come to for a run of an agent's brain.
    pub(super) fn offer(&self, model: &str, agent: &str, run: u64) -> Offer {
        lock(&self.state).offer(model, agent, run)
    }

    /// Has an agent serve a model, under a new id or the one that an earlier run has left.
    pub(super) fn serve(&self, model: &str, id: String, inbox: Arc<Inbox>, run: u64) -> HostResult<()> {
        let mut state = lock(&self.state);
        if state.is_closed {
            return Err(HostError::failed(RouteError::ShuttingDown.to_string()));
        }
        match state.offer(model, inbox.agent(), run) {
            Offer::Taken => Err(HostError::failed(format!("model \"{model}\" is already subscribed"))),
            Offer::Left(_) => {
                if let Some(serving) = state.models.get(model) {
                    serving.run.store(run, Ordering::Relaxed);
                }
                Ok(())
            }
            Offer::Free => {
                let serving = Serving {
                    id,
                    inbox,
                    run: AtomicU64::new(run),
                    places: Arc::new(Semaphore::new(MAX_SESSIONS)),
                    gone: CancellationToken::new(),
                };
                state.models.insert(model.to_owned(), Arc::new(serving));
                drop(state);
                self.served.notify_waiters();
                Ok(())
            }
        }
    }

    /// Ends a subscription; its sessions fail, and the agent hears of each.
    pub(super) fn withdraw(&self, id: &str) {
        let error = format!("endpoint subscription \"{id}\" unsubscribed");
        let (serving, ended) = {
            let mut state = lock(&self.state);
            let model =
                state.models.iter().find(|(_, serving)| serving.id == id).map(|(model, _)| model.clone());
            let Some(serving) = model.and_then(|model| state.models.remove(&model)) else { return };
            let ended: HashMap<_, _> =
                state.sessions.extract_if(|_, session| session.line.serving.id == id).collect();
            (serving, ended)
        };
        for OpenSession { line, .. } in ended.values() {
            line.fail(SessionError(error.clone()));
            self.announce(line, Some(error.clone()));
        }
        drop(ended);
        serving.gone.cancel();
    }

    /// The way to the client of a session that an agent answers.
    pub(super) fn answer(&self, session: &str, agent: &str) -> HostResult<mpsc::Sender<ChatDelta>> {
        let state = lock(&self.state);
        let Some(session) = state.sessions.get(session) else {
            return Err(HostError::failed("unknown endpoint session"));
        };
        if **session.line.serving.inbox.agent() != *agent {
            return Err(HostError::failed("endpoint session belongs to another agent"));
        }
        Ok(session.deltas.clone())
    }

    /// The agent has sent its last piece.
    pub(super) fn finish(&self, session: &str) {
        let finished = lock(&self.state).sessions.remove(session);
        drop(finished);
    }

    /// A brain has ended, and another may follow: clients whose requests it had taken have nobody left to answer them. Requests that wait in the
    /// inbox are its successor's.
    pub(super) fn desert(&self, inbox: &Inbox) {
        let deserted: HashMap<_, _> = {
            let mut state = lock(&self.state);
            // Under the lock, since a session is opened and put into the inbox under it.
            let waiting = inbox.waiting_sessions();
            let is_taken = |id: &String, session: &mut OpenSession| {
                **session.line.serving.inbox.agent() == **inbox.agent() && !waiting.contains(id)
            };
            state.sessions.extract_if(is_taken).collect()
        };
        for OpenSession { line, .. } in deserted.values() {
            line.fail(SessionError("the agent ended before it answered".to_owned()));
            // Its successor knows nothing of the session, and need not hear of its end.
            line.is_first_end();
        }
    }

    /// No request reaches an agent any more.
    pub(super) fn close(&self) {
        let (models, sessions) = {
            let mut state = lock(&self.state);
            state.is_closed = true;
            (std::mem::take(&mut state.models), std::mem::take(&mut state.sessions))
        };
        for session in sessions.values() {
            session.line.fail(SessionError(RouteError::ShuttingDown.to_string()));
        }
        drop(sessions);
        for serving in models.values() {
            serving.gone.cancel();
        }
    }

    /// The client ends a session.
    fn leave(&self, line: &Line, error: Option<&str>) {
        self.finish(&line.id);
        if !line.serving.gone.is_cancelled() {
            self.announce(line, error.map(str::to_owned));
        }
    }

    /// Tells the agent of a session's end, unless it was told; without waiting, since a client that is gone cannot.
    fn announce(&self, line: &Line, error: Option<String>) {
        if !line.is_first_end() {
            return;
        }
        let Serving { id, inbox, .. } = &*line.serving;
        let end = Event::EndpointSessionEnd(EndpointSessionEnd { session: line.id.clone(), error });
        match inbox.try_room() {
            Ok(room) => room.push(id.as_str(), end),
            Err(NoRoom::Closed) => {}
            Err(NoRoom::Full) => {
                let (inbox, id) = (Arc::clone(inbox), id.clone());
                self.runtime.spawn(async move {
                    if let Some(room) = inbox.room().await {
                        room.push(id, end);
                    }
                });
            }
        }
    }

    fn refusal(&self, model: String) -> RouteError {
        if lock(&self.state).is_closed { RouteError::ShuttingDown } else { RouteError::UnknownModel(model) }
    }
}

impl State {
    fn offer(&self, model: &str, agent: &str, run: u64) -> Offer {
        match self.models.get(model) {
            None => Offer::Free,
            Some(serving) if **serving.inbox.agent() != *agent => Offer::Taken,
            Some(serving) if serving.run.load(Ordering::Relaxed) == run => Offer::Taken,
            Some(serving) => Offer::Left(serving.id.clone()),
        }
    }
}

/// The router as an endpoint sees it.
pub(super) struct Routes(pub(super) Arc<Router>);

#[async_trait]
impl EndpointRouter for Routes {
    fn models(&self) -> Vec<String> {
        lock(&self.0.state).models.keys().cloned().collect()
    }

    async fn served(&self, model: &str) {
        loop {
            let mut served = std::pin::pin!(self.0.served.notified());
            // Before the look, so that what is served after it is not missed.
            served.as_mut().enable();
            if lock(&self.0.state).models.contains_key(model) {
                return;
            }
            served.await;
        }
    }

    async fn open(&self, request: EndpointRequest) -> Result<Session, RouteError> {
        let EndpointRequest { model, messages, tools, params } = request;
        let router = &self.0;
        let serving = lock(&router.state).models.get(&model).cloned();
        let Some(serving) = serving else { return Err(router.refusal(model)) };
        // Before the wait for room, so that those who wait are limited too.
        let Ok(place) = Arc::clone(&serving.places).try_acquire_owned() else {
            return Err(RouteError::TooManySessions(model));
        };
        let room = tokio::select! {
            biased;
            () = serving.gone.cancelled() => None,
            room = serving.inbox.room() => room,
        };
        let Some(room) = room else {
            // The inbox of an agent that ends is closed before its models are withdrawn. Whoever was refused in between would find the model
            // served, and ask again and again without ever waiting.
            serving.gone.cancelled().await;
            return Err(router.refusal(model));
        };
        let id = router.seam.new_id();
        let (sender, receiver) = mpsc::channel(router.session_buffer);
        let line = Arc::new(Line::new(id.clone(), Arc::clone(&serving)));
        {
            let mut state = lock(&router.state);
            let is_served = state.models.get(&model).is_some_and(|now| Arc::ptr_eq(now, &serving));
            if !is_served {
                drop(state);
                return Err(router.refusal(model));
            }
            let session = OpenSession { line: Arc::clone(&line), deltas: sender, _place: place };
            state.sessions.insert(id.clone(), session);
            // Under the lock, so that the session cannot end before it has begun.
            let message = EndpointMessage { session: id, messages, tools, params };
            room.push(serving.id.as_str(), Event::EndpointMessage(message));
        }
        Ok(Deltas::session(receiver, line, Arc::clone(router)))
    }
}
