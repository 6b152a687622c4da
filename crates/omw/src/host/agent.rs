//! An agent: what is there for all runs of its brains.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::exchange::{Envelope, Event};
use crate::host::{Host, StopSignal};
use crate::run::Whereabouts;

use super::agent_host::AgentHost;
use super::inbox::Inbox;
use super::memory::Memory;
use super::shared::Shared;
use super::sources::{SourceKind, Sources};
use super::sync::lock;
use super::timers::Timers;
use super::whereabouts::Place;

/// An agent: its inbox, subscriptions, open sources and memory.
pub(crate) struct Agent {
    pub(super) name: Arc<str>,
    pub(super) shared: Arc<Shared>,
    pub(super) inbox: Arc<Inbox>,
    pub(super) sources: Arc<Sources>,
    pub(super) timers: Timers,
    pub(super) memory: Memory,
    /// The subscription to the lifecycle of the brain that runs now.
    lifecycle: Mutex<Option<String>>,
    /// Where the brain that ran last is.
    place: Mutex<Arc<Place>>,
    runs: AtomicU64,
}

/// Why a run of a brain is over, which decides what stays open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunEnd {
    /// The brain ended by itself and nobody follows. Nothing stays, and nothing is recorded as closed.
    Ended,
    /// The brain ended by itself and is started again. Subscriptions to agents and the endpoint stay; nothing is recorded as closed.
    Repeated,
    /// The agent was stopped, or the run is shut down. Nothing stays.
    Stopped,
    /// A changed script takes over. Subscriptions to agents and the endpoint stay; so does the rest, but for the lifecycle, where the tunables
    /// say so.
    Reloaded,
}

impl RunEnd {
    /// Whether no other run of a brain follows.
    fn is_final(self) -> bool {
        matches!(self, Self::Ended | Self::Stopped)
    }

    /// Whether what is closed is recorded as cancelled.
    fn is_recorded(self) -> bool {
        matches!(self, Self::Stopped | Self::Reloaded)
    }

    /// Whether a source stays open.
    ///
    /// | | ended, stopped | repeated | reloaded | reloaded, sources kept |
    /// |---|---|---|---|---|
    /// | lifecycle | no | no | no | no |
    /// | agent, endpoint | no | yes | yes | yes |
    /// | any other | no | no | no | yes |
    fn keeps(self, kind: SourceKind, cancels_on_reload: bool) -> bool {
        match kind {
            _ if self.is_final() => false,
            SourceKind::Lifecycle => false,
            kind if kind.is_adopted() => true,
            _ => self == Self::Reloaded && !cancels_on_reload,
        }
    }
}

impl Agent {
    pub(super) fn new(name: &str, shared: Arc<Shared>) -> Self {
        let name: Arc<str> = name.into();
        let inbox = Arc::new(Inbox::new(Arc::clone(&name), shared.tunables.inbox_bound));
        let sources = Arc::new(Sources::new(Arc::clone(&name), Arc::clone(&shared.recorder)));
        Self {
            timers: Timers::new(shared.runtime.clone(), Arc::clone(&inbox), Arc::clone(&sources)),
            memory: Memory::seeded(shared.config.memory.get(&*name)),
            name,
            shared,
            inbox,
            sources,
            lifecycle: Mutex::default(),
            place: Mutex::new(Arc::new(Place::new())),
            runs: AtomicU64::new(0),
        }
    }

    /// The host for one run of a brain. To be called once for each.
    pub(crate) fn host(self: &Arc<Self>, stop: StopSignal) -> Arc<dyn Host> {
        let reader = Arc::downgrade(&self.inbox);
        stop.listen(move || {
            if let Some(inbox) = reader.upgrade() {
                inbox.wake();
            }
        });
        let place = Arc::new(Place::new());
        *lock(&self.place) = Arc::clone(&place);
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        Arc::new(AgentHost::new(Arc::clone(self), stop, place, run))
    }

    /// Tells the brain `reload`, `shutdown` or the `error` of a failed reload, if it listens: its next `recv` returns it ahead of all else. To be
    /// called before the stop that it announces is requested.
    pub(crate) fn tell(&self, event: Event) {
        if let Some(id) = self.lifecycle() {
            self.inbox.push_ahead(Envelope { id, event });
        }
    }

    /// Closes what was open when a run of a brain ended, however it ended. To be called once after each.
    pub(crate) fn end_run(&self, end: RunEnd) {
        *lock(&self.lifecycle) = None;
        self.inbox.clear_ahead();
        if end.is_final() {
            // First, so that what is closed below has nobody left to tell.
            self.inbox.close();
        }
        if let (RunEnd::Repeated, Some(router)) = (end, &self.shared.router) {
            router.desert(&self.inbox);
        }
        let cancels_on_reload = self.shared.tunables.cancel_pumps_on_reload;
        self.sources.end(|kind| end.keeps(kind, cancels_on_reload), end.is_recorded());
    }

    /// Ends what is still going on behind an agent whose runs are over.
    pub(super) fn close(&self) {
        self.inbox.close();
        self.sources.end(|_| false, false);
    }

    /// What the brain is doing, or did last.
    pub(crate) fn whereabouts(&self) -> Whereabouts {
        let place = Arc::clone(&lock(&self.place));
        place.look(self.inbox.len())
    }

    /// The brain's subscription to its lifecycle.
    pub(super) fn lifecycle(&self) -> Option<String> {
        lock(&self.lifecycle).clone()
    }

    pub(super) fn listen_to_lifecycle(&self, id: &str) {
        *lock(&self.lifecycle) = Some(id.to_owned());
    }

    pub(super) fn forget_lifecycle(&self, id: &str) {
        let mut lifecycle = lock(&self.lifecycle);
        if lifecycle.as_deref() == Some(id) {
            *lifecycle = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_run_decides_what_stays() {
        use RunEnd::{Ended, Reloaded, Repeated, Stopped};
        let kinds = [SourceKind::Lifecycle, SourceKind::Agent, SourceKind::Endpoint, SourceKind::Timer];
        for (end, cancels_on_reload, kept) in [
            (Ended, false, [false, false, false, false]),
            (Stopped, false, [false, false, false, false]),
            (Repeated, false, [false, true, true, false]),
            (Reloaded, true, [false, true, true, false]),
            (Reloaded, false, [false, true, true, true]),
        ] {
            assert_eq!(kinds.map(|kind| end.keeps(kind, cancels_on_reload)), kept, "{end:?}");
        }
    }
}
