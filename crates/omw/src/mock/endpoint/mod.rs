//! Clients that ask what their script says.

mod in_order;
mod params;
mod session;
mod snapshot;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use futures::FutureExt as _;
use serde_json::Value;
use windtunnel_doc::{Fault, Path};

pub use params::{EndpointParams, RequestMessage, ScriptedRequest, SessionEnd};

use super::KIND;
use super::build::{Compiler, Cue, build};
use super::shapes::exchanged;
use crate::backend::{BackendError, Pace};
use crate::config::Params;
use crate::endpoint::{Endpoint, EndpointRequest, EndpointRouter, RouteError};
use crate::exchange::Message;
use crate::host::trace::to_value;
use crate::registry::{BuildContext, FactoryError};
use in_order::InOrder;
use session::{Leaving, Reply, converse};
use snapshot::Snapshot;

/// An endpoint that plays its clients itself; there is no socket.
pub(super) struct MockEndpoint {
    requests: Vec<Scripted>,
    keep_everything: bool,
    progress: Mutex<Progress>,
}

/// A request that waits for its time.
struct Scripted {
    request: EndpointRequest,
    session_id: String,
    cue: Cue,
    leaving: Leaving,
}

/// How far the requests are, each at the index of its request.
struct Progress {
    was_asked: Vec<bool>,
    replies: Vec<Option<Reply>>,
}

impl MockEndpoint {
    /// Compiles the script.
    pub(super) fn new(params: &Params, context: &BuildContext) -> Result<Self, FactoryError> {
        let endpoint = build(params, &context.gates, |params: EndpointParams, compiler| {
            let at = Path::root().then("requests");
            let requests = params.requests.into_iter().enumerate();
            let requests: Vec<_> =
                requests.map(|(index, request)| Scripted::compile(request, index, &at, compiler)).collect();
            let progress = Progress {
                was_asked: vec![false; requests.len()],
                replies: requests.iter().map(|_| None).collect(),
            };
            Self { requests, keep_everything: context.keep_everything, progress: Mutex::new(progress) }
        })?;
        Ok(endpoint)
    }

    /// One client from its first step to its last.
    async fn ask(&self, index: usize, scripted: &Scripted, router: &dyn EndpointRouter) {
        scripted.cue.gate.opened().await;
        let opened = loop {
            router.served(&scripted.request.model).await;
            match router.open(scripted.request.clone()).await {
                // The agent has just stopped serving it; maybe it, or another one, will again.
                Err(RouteError::UnknownModel(_)) => {}
                Err(RouteError::ShuttingDown) => return,
                opened => break opened,
            }
        };
        if let Some(was_asked) = self.progress().was_asked.get_mut(index) {
            *was_asked = true;
        }
        let note = |reply| {
            if let Some(slot) = self.progress().replies.get_mut(index) {
                *slot = Some(reply);
            }
        };
        match opened {
            Ok(session) => converse(session, scripted.leaving, self.keep_everything, note).await,
            Err(refused) => note(Reply::refused(&refused)),
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Scripted {
    fn compile(scripted: ScriptedRequest, index: usize, at: &Path, compiler: &mut Compiler<'_>) -> Self {
        let at = at.clone().then(index);
        let cue = compiler.cue(scripted.after.as_ref(), &at);
        let leaving = match scripted.session_end {
            None => Leaving::WhenFinished,
            Some(SessionEnd { abort: Some(deltas), .. }) => Leaving::Abort(deltas),
            Some(SessionEnd { close: Some(deltas), abort: None }) => Leaving::Close(deltas),
            Some(SessionEnd { close: None, abort: None }) => {
                let fault = Fault::new(at.then("session_end"), "a session's end needs `close` or `abort`");
                compiler.fault(fault.with_help("write {close = 1} to leave content after one delta"));
                Leaving::WhenFinished
            }
        };
        let messages = scripted.messages.into_iter().map(|message| Message {
            role: message.role,
            content: message.content,
            reasoning: message.reasoning,
            ..Message::default()
        });
        let request = EndpointRequest {
            model: scripted.model,
            messages: messages.collect(),
            tools: exchanged(scripted.tools),
            params: scripted.params,
        };
        let session_id = scripted.session_id.unwrap_or_else(|| format!("request-{}", index + 1));
        Self { request, session_id, cue, leaving }
    }
}

#[async_trait]
impl Endpoint for MockEndpoint {
    fn kind(&self) -> &str {
        KIND
    }

    fn pace(&self) -> Pace {
        Pace::Stepped
    }

    async fn serve(&self, router: Arc<dyn EndpointRouter>) -> Result<(), BackendError> {
        let clients = self.requests.iter().enumerate();
        let clients = clients.map(|(index, scripted)| self.ask(index, scripted, router.as_ref()).boxed());
        InOrder::new(clients).await;
        Ok(())
    }

    fn snapshot(&self) -> Option<Value> {
        Some(to_value(Snapshot::of(&self.requests, &self.progress())))
    }
}
