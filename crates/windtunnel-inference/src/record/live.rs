//! The real model of one case, behind a recorder: what a live run's agent asks is witnessed as that of a self-test is.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};

use windtunnel_api::Evidence;
use windtunnel_api::config::Wire;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::{Surface, SurfaceStatus};
use windtunnel_spi::{EvidenceUnavailable, Stamped};

use super::conversation::is_aside;
use super::events::events;
use super::reading::{self, Request};
use super::{Recorder, Redaction, Upstreams};
use crate::script::ServedNames;
use crate::server::ServerError;

/// The inference seam of a live run. Dropping it closes it.
pub struct LiveSeam {
    recorder: Recorder,
    base_url: String,
    served: ServedNames,
    surface: Option<Surface>,
    /// Whether all answers had come when the last turn ended.
    settled: AtomicBool,
}

impl LiveSeam {
    /// Listens on loopback in front of the providers, for a client of this wire. What the recorder of a tool server in `served` sees is left to that.
    ///
    /// # Errors
    /// Nothing can be listened on.
    pub async fn start(
        upstreams: Upstreams,
        wire: Wire,
        served: ServedNames,
        redactor: Redactor,
    ) -> Result<Self, ServerError> {
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let recorder = Recorder::start(listen, upstreams, Redaction::of_known(redactor)).await?;
        let base_url = recorder.base_url(wire);
        Ok(Self { recorder, base_url, served, surface: None, settled: AtomicBool::new(true) })
    }

    /// The base URL for the client, with `/v1` where it expects it.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// A turn has ended: waits a moment for answers that are still coming.
    pub async fn end_turn(&self) {
        self.settled.store(self.recorder.log.settle().await, Ordering::Relaxed);
    }

    /// Back to the first state: nothing seen.
    pub fn rewind(&mut self) {
        self.recorder.log.forget();
        self.surface = None;
        self.settled = AtomicBool::new(true);
    }

    /// Takes what was seen since the last call: [`Evidence::Inference`] for every request, [`Evidence::ToolCall`] with witness
    /// `seam` for every call of a tool that no tool server of the case serves and whose result came back.
    ///
    /// # Errors
    /// More was sent than is kept, a request cannot be read, or an answer was still coming when the turn ended.
    pub fn drain_evidence(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        let requests = self.requests().map_err(|reason| EvidenceUnavailable::new("the model", reason))?;
        if self.surface.is_none() {
            let aside = is_aside(&requests);
            let first = requests.iter().find(|request| !request.read.warm_up && !aside(request));
            self.surface =
                first.map(|request| Surface { status: SurfaceStatus::Rendered, ..request.surface.clone() });
        }
        Ok(events(&requests, &self.served, |called| (String::new(), called.to_owned())))
    }

    /// What the first request of the conversation told the model besides it, as far as that has been drained.
    pub fn surface(&self) -> Option<Surface> {
        self.surface.clone()
    }

    fn requests(&self) -> Result<Vec<Request>, String> {
        if !self.settled.load(Ordering::Relaxed) {
            return Err("an answer was still coming when the turn ended".to_owned());
        }
        let (seen, secrets) = self.recorder.log.take()?;
        let redaction = self.recorder.redaction.and(secrets);
        let mut requests = Vec::new();
        for seen in seen.into_iter().filter(|seen| seen.protocol.is_some()) {
            let (exchange, request) = reading::read(seen, &redaction);
            let problem = || exchange.problem.unwrap_or_default();
            requests.push(request.ok_or_else(|| {
                format!("a request to {} was not understood: {}", exchange.path, problem())
            })?);
        }
        Ok(requests)
    }
}
