//! Listening, and ending with the clients told so.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::params::OpenAiEndpointParams;
use super::server::Server;
use crate::backend::BackendError;
use crate::config::Params;
use crate::endpoint::{Endpoint, EndpointRouter};
use crate::openai::Unusable;
use crate::registry::FactoryError;

/// How long clients may take to read what they are owed at the end.
const FAREWELL: Duration = Duration::from_secs(5);

/// Serves agents over OpenAI Chat Completions.
#[derive(Debug)]
pub struct OpenAiEndpoint {
    listen: SocketAddr,
    socket: Mutex<Socket>,
    /// What still has clients.
    servers: TaskTracker,
}

#[derive(Debug, Default)]
struct Socket {
    /// Bound and not yet served.
    waiting: Option<TcpListener>,
    bound: Option<SocketAddr>,
}

impl OpenAiEndpoint {
    /// Checks the parameters. Nothing is bound yet.
    ///
    /// # Errors
    /// An address that other machines reach, unless that is allowed.
    pub fn new(params: OpenAiEndpointParams) -> Result<Self, BackendError> {
        Ok(Self::checked(params)?)
    }

    /// The endpoint of a config. Unknown keys are warned of.
    pub(crate) fn configured(params: &Params) -> Result<Self, FactoryError> {
        Self::checked(params.decode_known()?).map_err(|unusable| unusable.of(params))
    }

    fn checked(
        OpenAiEndpointParams { listen, allow_remote }: OpenAiEndpointParams,
    ) -> Result<Self, Unusable> {
        if allow_remote || listen.ip().is_loopback() {
            return Ok(Self { listen, socket: Mutex::default(), servers: TaskTracker::new() });
        }
        let port = listen.port();
        let reason = format!(
            "other machines reach {listen}, and nobody is asked for a key; listen on 127.0.0.1:{port}, or write allow_remote = true \
             beside it"
        );
        Err(Unusable { key: "listen", reason })
    }

    /// Where it listens, once it does.
    pub fn address(&self) -> Option<SocketAddr> {
        self.socket().bound
    }

    fn socket(&self) -> MutexGuard<'_, Socket> {
        self.socket.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Binds; a second time where it was bound before, so that a port that the system chose stays.
    async fn bind(&self) -> Result<TcpListener, BackendError> {
        let wanted = self.address().unwrap_or(self.listen);
        let failed = |error| {
            BackendError::new(format!(
                "cannot listen on {wanted}: {error}; name a free port, or port 0 for any"
            ))
        };
        let listener = TcpListener::bind(wanted).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        self.socket().bound = Some(address);
        tracing::info!(%address, "agents are served at http://{address}/v1");
        Ok(listener)
    }
}

#[async_trait]
impl Endpoint for OpenAiEndpoint {
    fn kind(&self) -> &'static str {
        "openai"
    }

    async fn prepare(&self) -> Result<(), BackendError> {
        if self.socket().waiting.is_none() {
            let listener = self.bind().await?;
            self.socket().waiting = Some(listener);
        }
        Ok(())
    }

    async fn serve(&self, router: Arc<dyn EndpointRouter>) -> Result<(), BackendError> {
        let waiting = self.socket().waiting.take();
        let listener = match waiting {
            Some(listener) => listener,
            None => self.bind().await?,
        };
        // Pieces of answers are small: waiting to fill a packet would only delay them.
        let listener = listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "answers may be slow");
            }
        });
        let stop = CancellationToken::new();
        let server = Server::new(router, stop.clone(), self.listen.ip().is_loopback());
        // It outlives this future until every client was told of the end.
        let _stop = stop.clone().drop_guard();
        let serving =
            axum::serve(listener, server.into_router()).with_graceful_shutdown(stop.cancelled_owned());
        let ended = self.servers.spawn(serving.into_future()).await;
        ended.map_err(BackendError::new)?.map_err(BackendError::new)
    }

    async fn close(&self) {
        self.servers.close();
        if tokio::time::timeout(FAREWELL, self.servers.wait()).await.is_err() {
            tracing::debug!("clients are left with half an answer: they do not read on");
        }
    }
}
