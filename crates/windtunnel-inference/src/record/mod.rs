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

use axum::Router;
use axum::serve::ListenerExt;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};
use windtunnel_api::config::Wire;

pub use self::conversation::{RecordedTurn, SideRequest};
pub use self::findings::{Finding, findings};
use self::forward::{Forwarder, handle};
pub use self::live::LiveSeam;
use self::log::Log;
pub use self::redaction::Redaction;
pub use self::session::{RecordedTool, Session, Witnessed};
pub use self::upstream::{Upstream, UpstreamError, Upstreams};
use crate::server::ServerError;
use crate::wire;

/// A listener that passes requests on to providers and keeps what it saw. Dropping it closes it.
pub struct Recorder {
    address: SocketAddr,
    log: Arc<Log>,
    redaction: Redaction,
    _stop: DropGuard,
}

impl Recorder {
    /// Listens at this address.
    ///
    /// # Errors
    /// The address cannot be listened on.
    pub async fn start(
        listen: SocketAddr,
        upstreams: Upstreams,
        redaction: Redaction,
    ) -> Result<Self, ServerError> {
        let listen_error = |source| ServerError::Listen { address: listen, source };
        let listener = TcpListener::bind(listen).await.map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        // Pieces of a stream are passed on as they come: waiting to fill a packet would only delay them.
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let log = Arc::new(Log::default());
        let redaction = redaction.and(upstreams.secrets());
        let forwarder = Forwarder { upstreams, log: Arc::clone(&log) };
        let app = Router::new().fallback(handle).with_state(Arc::new(forwarder));
        let stop = CancellationToken::new();
        let stopped = stop.clone().cancelled_owned();
        tokio::spawn(async move {
            // It ends with an error never, and otherwise when it is stopped.
            let _ = axum::serve(listener, app).with_graceful_shutdown(stopped).await;
        });
        Ok(Self { address, log, redaction, _stop: stop.drop_guard() })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The base URL for clients of this wire, with `/v1` where they expect it.
    pub fn base_url(&self, wire: Wire) -> String {
        wire::base_url(wire, self.address)
    }

    /// The variables that tell clients of each provider where it listens, with the base URL as they expect it.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        wire::variables(self.address)
    }

    /// What was seen since the start or the last call, without secrets. Answers that are still coming are waited for, for a moment.
    ///
    /// # Errors
    /// More was sent than is kept.
    pub async fn take(&self, witnessed: Witnessed) -> Result<Session, RecordError> {
        self.log.settle().await;
        let (seen, secrets) = self.log.take().map_err(|reason| RecordError { reason })?;
        let redaction = self.redaction.and(secrets);
        Ok(Session::of(seen, witnessed, redaction))
    }
}

/// A session that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the session was not recorded: {reason}; record a shorter one")]
pub struct RecordError {
    reason: String,
}
