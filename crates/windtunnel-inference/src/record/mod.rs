//! Recording: a listener in front of a real provider that passes everything on and keeps what it saw.
//!
//! A [`Recorder`] is told where the providers are ([`Upstreams`]) and listens on loopback. What a client sends goes on as it is, with its
//! keys, and what comes back goes back as it comes. Of a key nothing is kept: a [`Redaction`] knows every secret that passed by, those of
//! the environment, and what keys look like, and takes them out of the [`Session`] before anybody sees it. A [`LiveSeam`] is a recorder
//! in front of the model of one case, whose evidence a gate judges.

mod conversation;
mod encoded;
mod events;
mod findings;
mod forward;
mod live;
mod log;
mod names;
mod reading;
mod redaction;
mod session;
mod universe;
mod upstream;

use std::net::SocketAddr;
use std::sync::Arc;

use thiserror::Error;
use tokio::task::spawn_blocking;
use windtunnel_api::config::Wire;

pub use self::conversation::{RecordedTurn, SideRequest};
pub use self::findings::{Finding, findings};
use self::forward::Forwarder;
pub use self::live::LiveSeam;
use self::log::Log;
pub use self::redaction::Redaction;
pub use self::session::{RecordedTool, Session, Witnessed};
pub use self::upstream::{Upstream, UpstreamError, Upstreams};
use crate::server::{Listening, ServerError};
use crate::wire;

/// A listener that passes requests on to providers and keeps what it saw. Dropping it closes it.
pub struct Recorder {
    listening: Listening,
    log: Arc<Log>,
    redaction: Redaction,
}

impl Recorder {
    /// Listens at this address.
    ///
    /// # Errors
    /// The address cannot be listened on, or is that of a provider.
    pub async fn start(
        listen: SocketAddr,
        upstreams: Upstreams,
        redaction: Redaction,
    ) -> Result<Self, ServerError> {
        let log = Arc::new(Log::default());
        let redaction = redaction.and(upstreams.secrets());
        let forwarder = Forwarder::new(upstreams.clone(), Arc::clone(&log));
        let listening = Listening::start(listen, forwarder).await?;
        let address = listening.address;
        if let Some(upstream) = upstreams.at(address) {
            return Err(ServerError::Circle { upstream: upstream.to_string(), address });
        }
        Ok(Self { listening, log, redaction })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.listening.address
    }

    /// The base URL for clients of this wire, with `/v1` where they expect it.
    pub fn base_url(&self, wire: Wire) -> String {
        wire::base_url(wire, self.listening.address)
    }

    /// The variables that tell clients of each provider where it listens, with the base URL as they expect it.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        wire::variables(self.listening.address)
    }

    /// What was seen since the start or the last call, without secrets. Answers that are still coming are waited for, for a moment.
    ///
    /// # Errors
    /// More was sent than is kept.
    pub async fn take(&self, witnessed: Witnessed) -> Result<Session, RecordError> {
        self.log.settle().await;
        let seen = self.log.take().map_err(|reason| RecordError { reason })?;
        let redaction = self.redaction.and(self.log.secrets());
        // Hundreds of megabytes may have to be looked through.
        let session = spawn_blocking(move || Session::of(seen, witnessed, redaction)).await;
        session.map_err(|error| RecordError { reason: error.to_string() })
    }
}

/// A session that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the session was not recorded: {reason}; record a shorter one")]
pub struct RecordError {
    reason: String,
}
