//! The handle on a running server and its recorder.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use indexmap::IndexMap;
use tokio::io::{DuplexStream, duplex};
use windtunnel_api::EffectClass;
use windtunnel_api::artifact::evidence::ToolCall;
use windtunnel_api::event::CapturedOutput;
use windtunnel_spi::{EvidenceUnavailable, InjectedFailure, ServedTool, Stamped, ToolError, ToolHandle};

use crate::agent::http::{Front, Registration, register};
use crate::agent::lines;
use crate::endpoint::{Endpoint, Visitor};
use crate::introspect;
use crate::recorder::served;

/// Bytes that an agent in this process can send before we read.
const PIPE: usize = 64 * 1024;

/// The handle on a running server and its recorder.
pub(crate) struct RecorderHandle {
    endpoint: Arc<Endpoint>,
    effects: IndexMap<String, EffectClass>,
    address: Mutex<Option<Registration>>,
}

impl RecorderHandle {
    pub(crate) fn new(endpoint: Arc<Endpoint>, effects: IndexMap<String, EffectClass>) -> Self {
        Self { endpoint, effects, address: Mutex::default() }
    }

    /// Ends everything; the address answers 404 from now on.
    pub(crate) async fn stop(&self) {
        self.endpoint.stop().await;
        self.address.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

#[async_trait]
impl ToolHandle for RecorderHandle {
    fn server(&self) -> &str {
        self.endpoint.recorder().server()
    }

    async fn url(&self) -> Result<String, ToolError> {
        if self.endpoint.is_over() {
            return Err(self.endpoint.error("it was stopped"));
        }
        let mut address = self.address.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(registration) = &*address {
            return Ok(registration.url().to_owned());
        }
        let front = Arc::new(Front::new(Arc::clone(&self.endpoint)));
        let case_id = &self.endpoint.world().case_id;
        let registration = register(front, case_id, self.server()).map_err(|why| self.endpoint.error(why))?;
        Ok(address.insert(registration).url().to_owned())
    }

    async fn connect(&self) -> Result<DuplexStream, ToolError> {
        let limits = self.endpoint.limits();
        let (sink, inbox) = lines::sink(limits.queued_bytes);
        let link = self.endpoint.open(sink, Visitor::Agent).await?;
        let (agent, ours) = duplex(PIPE);
        let (reader, writer) = tokio::io::split(ours);
        let serving = lines::serve(link, inbox, reader, writer, limits.message_bytes, Duration::ZERO);
        self.endpoint.runtime().spawn(serving);
        Ok(agent)
    }

    async fn served_tools(&self) -> Result<Vec<ServedTool>, ToolError> {
        served(self.server(), introspect::tools(&self.endpoint).await?, &self.effects)
    }

    fn call_log(&self) -> Result<Vec<Stamped<ToolCall>>, EvidenceUnavailable> {
        self.endpoint.recorder().calls()
    }

    fn reset_call_log(&self) {
        self.endpoint.recorder().reset();
    }

    fn is_fresh(&self) -> bool {
        self.endpoint.is_fresh()
    }

    async fn refresh(&self) -> Result<(), ToolError> {
        self.endpoint.refresh().await
    }

    fn inject_failure(&self, tool: &str, failure: InjectedFailure) {
        self.endpoint.recorder().inject(tool, failure);
    }

    fn output(&self) -> Vec<CapturedOutput> {
        self.endpoint.output()
    }
}
