//! How a call is recorded, waits, and steps.

use std::pin::pin;
use std::sync::Arc;

use futures::FutureExt as _;
use serde_json::{Value, json};

use crate::backend::{BackendError, Pace};
use crate::host::delivery::Delivery;
use crate::host::pump;
use crate::host::sources::SourceKind;
use crate::host::stepper::Boundary;
use crate::host::trace::TraceEvent;
use crate::host::{HostError, HostResult, StopReason, StopSignal};

use super::{AgentHost, detail};

/// Which stops end a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// Any. For waits that lose nothing: events, sleeps.
    None,
    /// All but a reload, which lets it come to its end within the grace. For requests of which the answer would be lost.
    Reload,
}

impl Patience {
    /// The stop that ends a wait now, if it was asked for.
    ///
    /// | asked for | none | reload |
    /// |---|---|---|
    /// | nothing | goes on | goes on |
    /// | stop, shutdown | ends | ends |
    /// | reload | ends | goes on until the interrupt |
    pub(super) fn end(self, stop: &StopSignal) -> Option<StopReason> {
        let reason = stop.requested()?;
        (reason != StopReason::Reloading || self == Self::None || stop.is_interrupted()).then_some(reason)
    }

    /// Waits for the stop that ends the wait.
    async fn ended(self, stop: &StopSignal) -> StopReason {
        let reason = stop.on_request().await;
        if self.end(stop).is_none() {
            stop.on_interrupt().await;
        }
        reason
    }
}

/// A call that has begun: recorded, and about to be carried out.
pub(super) struct Call<'h> {
    host: &'h AgentHost,
    boundary: Boundary<'h>,
    op: &'static str,
    id: Option<String>,
}

impl AgentHost {
    /// A stretch at the end of which this thread does what scripted back ends have ready.
    pub(super) fn boundary(&self) -> Boundary<'_> {
        self.agent.shared.stepper.boundary()
    }

    pub(super) fn record(&self, event: impl FnOnce() -> TraceEvent) {
        self.agent.shared.recorder.record(event);
    }

    /// Nothing is done for a brain that was interrupted.
    pub(super) fn check(&self) -> HostResult<()> {
        if self.stop.is_interrupted() {
            return Err(HostError::Stopped(self.stop.requested().unwrap_or(StopReason::Stopped)));
        }
        Ok(())
    }

    /// Begins a call: records it, and looks whether whoever saw the record has stopped the agent. The id is that of the source to be opened.
    pub(super) fn begin(
        &self,
        op: &'static str,
        id: Option<&str>,
        detail: impl FnOnce() -> Value,
    ) -> HostResult<Call<'_>> {
        self.check()?;
        self.place.enter(op);
        let call = Call { host: self, boundary: self.boundary(), op, id: id.map(str::to_owned) };
        self.record(|| TraceEvent::Call {
            agent: Arc::clone(&self.agent.name),
            op: op.into(),
            uuid: call.id.clone(),
            detail: detail(),
        });
        call.boundary.step();
        if let Err(stopped) = self.check() {
            call.finish(|| failure(&stopped));
            return Err(stopped);
        }
        Ok(call)
    }

    /// Closes one's own source of a kind. An unknown id is ignored.
    pub(super) fn let_go(&self, op: &'static str, kind: SourceKind, id: &str) -> HostResult<()> {
        let call = self.begin(op, None, || detail::uuid(id))?;
        self.agent.sources.cancel(id, &[kind]);
        if kind == SourceKind::Lifecycle {
            self.agent.forget_lifecycle(id);
        }
        call.done(Ok(()))
    }

    /// Opens a source and starts what brings its events.
    pub(super) fn start<F>(
        &self,
        id: &str,
        kind: SourceKind,
        pace: Pace,
        what: String,
        pump: impl FnOnce(Delivery) -> F,
    ) -> HostResult<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (agent, shared) = (&self.agent, &self.agent.shared);
        agent.sources.open(id, kind)?;
        let to = Delivery {
            id: id.to_owned(),
            inbox: Arc::clone(&agent.inbox),
            sources: Arc::clone(&agent.sources),
        };
        let task = pump::guarded(what, pump(to.clone()), to);
        match pace {
            Pace::Free => {
                let task = shared.runtime.spawn(task).abort_handle();
                agent.sources.hold(id, move || task.abort());
            }
            Pace::Stepped => {
                let task = shared.stepper.start(task.boxed());
                agent.sources.hold(id, move || task.cancel());
            }
        }
        Ok(())
    }
}

impl Call<'_> {
    /// Ends the call: records what it came to. The value is shown as it appears in the trace.
    pub(super) fn end<T>(self, result: HostResult<T>, shown: impl FnOnce(&T) -> Value) -> HostResult<T> {
        self.finish(|| match &result {
            Ok(value) => json!({"result": shown(value)}),
            Err(error) => failure(error),
        });
        result
    }

    fn finish(self, detail: impl FnOnce() -> Value) {
        let Self { host, op, id, boundary } = self;
        host.record(|| TraceEvent::Returned {
            agent: Arc::clone(&host.agent.name),
            op: op.into(),
            uuid: id,
            detail: detail(),
        });
        host.place.leave();
        drop(boundary);
    }

    /// Ends a call without a value.
    pub(super) fn done(self, result: HostResult<()>) -> HostResult<()> {
        self.end(result, |()| Value::Null)
    }

    /// Ends a call that opened a source: it returns the id.
    pub(super) fn end_with_id(self, result: HostResult<()>) -> HostResult<String> {
        let id = self.id.clone().unwrap_or_default();
        self.end(result.map(|()| id), |id| id.as_str().into())
    }

    /// Waits for a back end's answer.
    pub(super) fn ask<T>(&self, answer: impl Future<Output = Result<T, BackendError>>) -> HostResult<T> {
        self.wait(Patience::Reload, answer)?.map_err(|error| HostError::failed(error.to_string()))
    }

    /// Waits for a future, unless a stop ends the wait. What is ready at once, as scripted answers are, costs no way through the async runtime.
    pub(super) fn wait<T>(&self, patience: Patience, future: impl Future<Output = T>) -> HostResult<T> {
        let AgentHost { agent, stop, .. } = self.host;
        if let Some(reason) = patience.end(stop) {
            return Err(HostError::Stopped(reason));
        }
        let runtime = &agent.shared.runtime;
        let _context = runtime.enter();
        let mut future = pin!(future);
        if let Some(value) = future.as_mut().now_or_never() {
            return Ok(value);
        }
        let either = async {
            tokio::select! {
                biased;
                reason = patience.ended(stop) => Err(HostError::Stopped(reason)),
                value = future => Ok(value),
            }
        };
        self.boundary.pause(|| runtime.block_on(either))
    }
}

fn failure(error: &HostError) -> Value {
    json!({"error": error.to_string()})
}
