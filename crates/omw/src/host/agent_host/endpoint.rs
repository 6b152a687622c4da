//! Serving clients of the endpoint.

use std::sync::Arc;

use tokio::sync::mpsc::error::TrySendError;

use crate::exchange::ChatDelta;
use crate::host::router::{Offer, Router};
use crate::host::sources::SourceKind;
use crate::host::{HostError, HostResult};

use super::call::{Call, Patience};
use super::{AgentHost, detail};

impl AgentHost {
    /// The endpoint's router. Without one the calls are not even recorded.
    pub(super) fn router(&self) -> HostResult<&Arc<Router>> {
        let router = self.agent.shared.router.as_ref();
        router.ok_or_else(|| HostError::failed("the endpoint is not configured"))
    }

    pub(super) fn subscribe_endpoint(&self, model: &str) -> HostResult<String> {
        let (agent, router) = (&self.agent, self.router()?);
        let id = match router.offer(model, &agent.name, self.run) {
            Offer::Free => Some(agent.shared.seam.new_id()),
            Offer::Left(id) => Some(id),
            Offer::Taken => None,
        };
        let call = self.begin("subscribe_endpoint", id.as_deref(), || detail::model(model))?;
        let opened = self.serve(router, model, id.as_deref().unwrap_or_default());
        call.end_with_id(opened)
    }

    fn serve(&self, router: &Arc<Router>, model: &str, id: &str) -> HostResult<()> {
        let agent = &self.agent;
        // A subscription that an earlier run has left is open still.
        let is_new = !agent.sources.is_open(id);
        router.serve(model, id.to_owned(), Arc::clone(&agent.inbox), self.run)?;
        if !is_new {
            return Ok(());
        }
        if let Err(full) = agent.sources.open(id, SourceKind::Endpoint) {
            router.withdraw(id);
            return Err(full);
        }
        let (router, held) = (Arc::clone(router), id.to_owned());
        agent.sources.hold(id, move || router.withdraw(&held));
        if agent.inbox.is_closed() {
            // The run has ended without waiting for this thread, and may have closed its sources before this one was there.
            agent.sources.cancel(id, &[SourceKind::Endpoint]);
        }
        Ok(())
    }

    pub(super) fn stream_endpoint(&self, session: &str, delta: ChatDelta) -> HostResult<()> {
        let router = self.router()?;
        let call = self.begin("stream_endpoint", None, || detail::delta(session, &delta))?;
        let sent = self.answer(&call, router, session, delta);
        call.done(sent)
    }

    fn answer(&self, call: &Call<'_>, router: &Router, session: &str, delta: ChatDelta) -> HostResult<()> {
        let client = router.answer(session, &self.agent.name)?;
        let is_last = delta.finish_reason.is_some();
        let gone = || HostError::failed("endpoint session receiver closed");
        match client.try_send(delta) {
            Ok(()) => {}
            Err(TrySendError::Closed(_)) => return Err(gone()),
            Err(TrySendError::Full(delta)) => {
                call.wait(Patience::Reload, client.send(delta))?.map_err(|_| gone())?;
            }
        }
        if is_last {
            router.finish(session);
        }
        Ok(())
    }
}
