//! Messages, the lifecycle, and reading the inbox.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use crate::exchange::Envelope;
use crate::host::inbox::Taken;
use crate::host::sources::SourceKind;
use crate::host::stepper::Boundary;
use crate::host::trace::TraceEvent;
use crate::host::{HostError, HostResult};

use super::{AgentHost, detail};

impl AgentHost {
    pub(super) fn subscribe_lifecycle(&self) -> HostResult<String> {
        let agent = &self.agent;
        let id = agent.lifecycle().is_none().then(|| agent.shared.seam.new_id());
        let call = self.begin("subscribe_lifecycle", id.as_deref(), detail::nothing)?;
        let opened = match &id {
            None => Err(HostError::failed("lifecycle already subscribed")),
            Some(id) => agent.sources.open(id, SourceKind::Lifecycle).map(|()| agent.listen_to_lifecycle(id)),
        };
        call.end_with_id(opened)
    }

    /// What the agent listens to already, an earlier run of its brain may have left; then nothing is opened, and no message comes twice.
    pub(super) fn subscribe_agent(&self, to: &str) -> HostResult<String> {
        let agent = &self.agent;
        let left = agent.shared.bus.subscription(&agent.name, to);
        let is_new = left.is_none();
        let id = left.unwrap_or_else(|| agent.shared.seam.new_id());
        let call = self.begin("subscribe_agent", Some(&id), || detail::agent(to))?;
        let opened = if is_new { self.listen(to, &id) } else { Ok(()) };
        call.end_with_id(opened)
    }

    fn listen(&self, to: &str, id: &str) -> HostResult<()> {
        let agent = &self.agent;
        agent.sources.open(id, SourceKind::Agent)?;
        agent.shared.bus.subscribe(Arc::clone(&agent.inbox), to, id.to_owned());
        let (bus, listener, to) = (agent.shared.bus.clone(), Arc::clone(&agent.name), to.to_owned());
        agent.sources.hold(id, move || bus.unsubscribe(&listener, &to));
        Ok(())
    }

    pub(super) fn send_agent(&self, to: &str, payload: &str) -> HostResult<()> {
        let call = self.begin("send_agent", None, || detail::message(to, payload))?;
        let sent = self.agent.shared.bus.send(&self.agent.name, to, payload);
        call.end(sent, |delivered| Value::Bool(*delivered)).map(drop)
    }

    pub(super) fn recv(&self) -> HostResult<Envelope> {
        self.read("recv", |boundary| {
            let limit = self.agent.shared.tunables.recv_timeout();
            let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
            match self.wait_for_event(boundary, deadline) {
                Some(Taken::Event(envelope)) => Ok(envelope),
                Some(Taken::Stopped(reason)) => Err(HostError::Stopped(reason)),
                None => Err(HostError::failed("no event available")),
            }
        })
    }

    pub(super) fn try_recv(&self) -> HostResult<Option<Envelope>> {
        self.read("try_recv", |_| match self.agent.inbox.try_take(&self.stop) {
            Some(Taken::Event(envelope)) => Ok(Some(envelope)),
            Some(Taken::Stopped(reason)) => Err(HostError::Stopped(reason)),
            None => Ok(None),
        })
    }

    /// Waits for an event; none if there was none in time. Whenever scripted back ends have something ready that no other thread is about to do,
    /// it is done here.
    fn wait_for_event(&self, boundary: &Boundary<'_>, deadline: Option<Instant>) -> Option<Taken> {
        let (inbox, stepper) = (&self.agent.inbox, &self.agent.shared.stepper);
        loop {
            let taken = inbox.try_take(&self.stop);
            if taken.is_some() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return taken;
            }
            // A pause begins with a step.
            boundary.pause(|| {
                let _parked = stepper.park(Arc::clone(inbox) as _);
                // What was woken before the bell was there did not ring it.
                if !stepper.is_due() {
                    inbox.wait(&self.stop, deadline);
                }
            });
        }
    }

    fn read<T: Received>(
        &self,
        op: &'static str,
        take: impl FnOnce(&Boundary<'_>) -> HostResult<T>,
    ) -> HostResult<T> {
        self.check()?;
        self.place.enter(op);
        let boundary = self.boundary();
        boundary.step();
        let taken = take(&boundary);
        if let Some(Envelope { id, event }) = taken.as_ref().ok().and_then(T::envelope) {
            self.record(|| TraceEvent::Inbound {
                agent: Arc::clone(&self.agent.name),
                id: id.clone(),
                event: event.clone(),
            });
        }
        drop(boundary);
        self.place.leave();
        taken
    }
}

/// What reading the inbox gives.
trait Received {
    fn envelope(&self) -> Option<&Envelope>;
}

impl Received for Envelope {
    fn envelope(&self) -> Option<&Envelope> {
        Some(self)
    }
}

impl Received for Option<Envelope> {
    fn envelope(&self) -> Option<&Envelope> {
        self.as_ref()
    }
}
