//! The queue of events that an agent has not taken.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::{Semaphore, SemaphorePermit, TryAcquireError};

use crate::exchange::{Envelope, Event};

use super::stepper::Bell;
use super::sync::lock;
use super::{StopReason, StopSignal};

/// A bounded queue with one reader. Who puts something in first gets room for it: at once or not at all, or by waiting without holding any lock.
pub(super) struct Inbox {
    agent: Arc<str>,
    state: Mutex<State>,
    arrived: Condvar,
    room: Semaphore,
}

#[derive(Default)]
struct State {
    /// Events of the lifecycle, which go before all others; at most one of each kind.
    ahead: VecDeque<Envelope>,
    queue: VecDeque<Envelope>,
    /// Whether the reader is wanted for something other than an event.
    is_rung: bool,
}

/// What reading gave.
#[derive(Debug, PartialEq)]
pub(super) enum Taken {
    /// The next event.
    Event(Envelope),
    /// The agent is being stopped.
    Stopped(StopReason),
}

/// Why there is no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRoom {
    /// The bound is reached.
    Full,
    /// Nobody will ever read it.
    Closed,
}

/// Room for one event. It is given back when it is dropped.
pub(super) struct Room<'i> {
    inbox: &'i Inbox,
    permit: SemaphorePermit<'i>,
}

impl Inbox {
    /// An inbox that holds so many events, at least one.
    pub(super) fn new(agent: Arc<str>, bound: usize) -> Self {
        let room = Semaphore::new(bound.clamp(1, Semaphore::MAX_PERMITS));
        Self { agent, state: Mutex::default(), arrived: Condvar::new(), room }
    }

    /// Whose it is.
    pub(super) fn agent(&self) -> &Arc<str> {
        &self.agent
    }

    /// Room for an event, if there is any and nobody waits for it.
    pub(super) fn try_room(&self) -> Result<Room<'_>, NoRoom> {
        match self.room.try_acquire() {
            Ok(permit) => Ok(Room { inbox: self, permit }),
            Err(TryAcquireError::NoPermits) => Err(NoRoom::Full),
            Err(TryAcquireError::Closed) => Err(NoRoom::Closed),
        }
    }

    /// Waits for room, in the order of asking; none if nobody will ever read the inbox.
    pub(super) async fn room(&self) -> Option<Room<'_>> {
        let permit = self.room.acquire().await.ok()?;
        Some(Room { inbox: self, permit })
    }

    /// Puts an event of the lifecycle before all others, in place of an unread one of its kind.
    pub(super) fn push_ahead(&self, envelope: Envelope) {
        let mut state = lock(&self.state);
        state.ahead.retain(|other| other.event.kind() != envelope.event.kind());
        state.ahead.push_back(envelope);
        self.arrived.notify_all();
    }

    /// Drops events of the lifecycle that were not read.
    pub(super) fn clear_ahead(&self) {
        lock(&self.state).ahead.clear();
    }

    /// The next event, or the stop, if there is one now.
    pub(super) fn try_take(&self, stop: &StopSignal) -> Option<Taken> {
        let (taken, makes_room) = lock(&self.state).next(stop)?;
        if makes_room {
            // Never under the lock: this wakes those that wait for room.
            self.room.add_permits(1);
        }
        Some(taken)
    }

    /// Waits until there is something to take, the bell rings, or the deadline has passed.
    pub(super) fn wait(&self, stop: &StopSignal, deadline: Option<Instant>) {
        let mut state = lock(&self.state);
        while !std::mem::take(&mut state.is_rung) && !state.has_something(stop) {
            state = match deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())) {
                Some(left) if left.is_zero() => return,
                Some(left) => {
                    let waited = self.arrived.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Has the reader look again, since its stop was asked for.
    pub(super) fn wake(&self) {
        // The reader looks at its stop signal while it holds the lock, so it is either before that look or waiting.
        let _state = lock(&self.state);
        self.arrived.notify_all();
    }

    /// Nobody reads any more: what waits for room gives up, and what is left is dropped.
    pub(super) fn close(&self) {
        self.room.close();
        let left = std::mem::take(&mut *lock(&self.state));
        drop(left);
    }

    /// Whether nobody will ever read it.
    pub(super) fn is_closed(&self) -> bool {
        self.room.is_closed()
    }

    /// The sessions whose requests nobody has taken yet.
    pub(super) fn waiting_sessions(&self) -> HashSet<String> {
        let session = |envelope: &Envelope| match &envelope.event {
            Event::EndpointMessage(message) => Some(message.session.clone()),
            _ => None,
        };
        lock(&self.state).queue.iter().filter_map(session).collect()
    }

    /// How many events it holds.
    pub(super) fn len(&self) -> usize {
        let state = lock(&self.state);
        state.ahead.len() + state.queue.len()
    }
}

impl Bell for Inbox {
    fn ring(&self) {
        lock(&self.state).is_rung = true;
        self.arrived.notify_all();
    }
}

impl Room<'_> {
    /// Puts an event in.
    pub(super) fn push(self, id: impl Into<String>, event: Event) {
        self.permit.forget();
        let envelope = Envelope { id: id.into(), event };
        lock(&self.inbox.state).queue.push_back(envelope);
        self.inbox.arrived.notify_all();
    }
}

impl State {
    /// What the reader gets, and whether it leaves room in the queue.
    ///
    /// An interrupt comes before everything; then the lifecycle's events, so that a brain that listens hears of its end; then the stop, so that
    /// what it has not taken is there for its successor; then the queue.
    fn next(&mut self, stop: &StopSignal) -> Option<(Taken, bool)> {
        let requested = stop.requested();
        if let Some(reason) = requested.filter(|_| stop.is_interrupted()) {
            return Some((Taken::Stopped(reason), false));
        }
        if let Some(envelope) = self.ahead.pop_front() {
            return Some((Taken::Event(envelope), false));
        }
        if let Some(reason) = requested {
            return Some((Taken::Stopped(reason), false));
        }
        self.queue.pop_front().map(|envelope| (Taken::Event(envelope), true))
    }

    fn has_something(&self, stop: &StopSignal) -> bool {
        stop.requested().is_some() || !self.ahead.is_empty() || !self.queue.is_empty()
    }
}

#[cfg(test)]
mod tests;
