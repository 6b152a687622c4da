//! The real model of one case, behind a recorder: what a live run's agent asks is witnessed as that of a self-test is.

use std::net::SocketAddr;

use windtunnel_api::Evidence;
use windtunnel_api::config::Wire;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::{Surface, SurfaceStatus};
use windtunnel_spi::{EvidenceUnavailable, Stamped};

use super::conversation::is_aside;
use super::events::{Events, events};
use super::reading::{self, Request};
use super::{Recorder, Redaction, Upstreams};
use crate::script::ServedNames;
use crate::seam::OwnCall;
use crate::server::ServerError;

/// The inference seam of a live run. Dropping it closes it.
pub struct LiveSeam {
    recorder: Recorder,
    base_url: String,
    served: ServedNames,
    surface: Option<Surface>,
    asked: bool,
}

impl LiveSeam {
    /// Listens on loopback in front of the providers, for a client of this wire. What the recorder of a tool server in `served` sees is
    /// left to that.
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
        Ok(Self { recorder, base_url, served, surface: None, asked: false })
    }

    /// The base URL for the client, with `/v1` where it expects it.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// A turn has ended: waits a moment for answers that are still coming.
    pub async fn end_turn(&self) {
        self.recorder.log.settle().await;
    }

    /// Back to the first state: nothing seen.
    pub fn rewind(&mut self) {
        self.recorder.log.forget();
        self.surface = None;
        self.asked = false;
    }

    /// Takes what was seen since the last call: [`Evidence::Inference`] for every request, [`Evidence::ToolCall`] with witness
    /// `seam` for every call of a tool that no tool server of the case serves. One whose result did not come back is a call, too, with
    /// `{"answered": false}` as its `extra`: there are tools that an agent ends with.
    ///
    /// # Errors
    /// More was sent than is kept, a request or an answer cannot be read, or an answer was still coming when the turn ended.
    pub fn drain_evidence(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        let requests = self.requests().map_err(|reason| EvidenceUnavailable::new("the model", reason))?;
        if self.surface.is_none() {
            let aside = is_aside(&requests);
            let first = requests.iter().find(|request| !request.read.warm_up && !aside(request));
            self.surface =
                first.map(|request| Surface { status: SurfaceStatus::Rendered, ..request.surface.clone() });
        }
        self.asked |= !requests.is_empty();
        let Events { mut seen, unanswered } =
            events(&requests, &self.served, |called| (String::new(), called.to_owned()));
        seen.extend(unanswered.into_iter().map(OwnCall::unanswered));
        seen.sort_by_key(|event| event.stamp);
        Ok(seen)
    }

    /// Whether anything was asked, as far as that has been drained.
    pub fn was_asked(&self) -> bool {
        self.asked
    }

    /// What the first request of the conversation told the model besides it, as far as that has been drained.
    pub fn surface(&self) -> Option<Surface> {
        self.surface.clone()
    }

    fn requests(&self) -> Result<Vec<Request>, String> {
        if !self.recorder.log.is_settled() {
            return Err("an answer was still coming when the turn ended".to_owned());
        }
        let (seen, secrets) = self.recorder.log.take()?;
        let redaction = self.recorder.redaction.and(secrets);
        let mut requests = Vec::new();
        for seen in seen.into_iter().filter(|seen| seen.protocol.is_some()) {
            let (exchange, request) = reading::read(seen, &redaction);
            let problem = || exchange.problem.unwrap_or_default();
            let request = request
                .ok_or_else(|| format!("a request to {} was not understood: {}", exchange.path, problem()))?;
            // Whatever was decided in it, the agent may have done.
            if let Err(fault) = &request.answer
                && (200..300).contains(&fault.status)
            {
                return Err(format!("an answer of {} was not understood: {}", exchange.path, fault.message));
            }
            requests.push(request);
        }
        Ok(requests)
    }
}
