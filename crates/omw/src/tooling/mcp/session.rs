//! One connection to a server, from its handshake to its end.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::service::{ClientCacheConfig, ClientInitializeError, Peer, RunningService, serve_client_with_ct};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::failure::{ConnectError, Failure};
use super::http::HttpOrigin;
use super::notices::Listener;
use super::stdio::{Process, StdioOrigin};

/// Bytes of one message of a server.
pub(super) const MESSAGE_BYTES: usize = 32 * 1024 * 1024;

/// How long a server may take to start and to answer the handshake. Some download themselves first.
const HANDSHAKE: Duration = Duration::from_secs(60);

/// How long a connection may take to close.
const CLOSING: Duration = Duration::from_secs(2);

/// A connection. Dropping it ends it, and with it the program behind it.
#[derive(Debug)]
pub(super) struct Session {
    peer: Peer<RoleClient>,
    process: Option<Process>,
    since: Instant,
    /// Cancelled to end it.
    stop: CancellationToken,
    /// Cancelled when nothing new can be asked.
    lost: CancellationToken,
    /// Cancelled when all of it is over.
    ended: CancellationToken,
}

impl Session {
    /// Starts a server and shakes hands.
    pub(super) async fn start(origin: &StdioOrigin, listener: Listener) -> Result<Self, ConnectError> {
        let (process, transport) = origin.spawn()?;
        let stop = CancellationToken::new();
        match within(serve_client_with_ct(listener, transport, stop.clone())).await {
            Ok(service) => Ok(Self::run(service, Some(process), stop, CancellationToken::new()).await),
            // How it ended says more than that it closed a pipe.
            Err(error) if error.may_pass => {
                Err(ConnectError::passing(format!("it {}", process.epitaph().await)))
            }
            Err(error) => Err(error),
        }
    }

    /// Connects to a server and shakes hands.
    pub(super) async fn connect(origin: &HttpOrigin, listener: Listener) -> Result<Self, ConnectError> {
        let (stop, lost) = (CancellationToken::new(), CancellationToken::new());
        let transport = origin.transport(lost.clone())?;
        let service = within(serve_client_with_ct(listener, transport, stop.clone())).await?;
        Ok(Self::run(service, None, stop, lost).await)
    }

    async fn run(
        service: RunningService<RoleClient, Listener>,
        process: Option<Process>,
        stop: CancellationToken,
        lost: CancellationToken,
    ) -> Self {
        let peer = service.peer().clone();
        // What an agent asks for it gets as it is now.
        peer.set_response_cache_config(ClientCacheConfig::disabled()).await;
        let ended = CancellationToken::new();
        let session =
            Self { peer, process, since: Instant::now(), stop, lost: lost.clone(), ended: ended.clone() };
        tokio::spawn(async move {
            // However it ended, there is nothing to be done but to say so.
            let _ = service.waiting().await;
            lost.cancel();
            ended.cancel();
        });
        session
    }

    /// Whether something can still be asked.
    pub(super) fn is_live(&self) -> bool {
        !self.lost.is_cancelled()
    }

    /// Waits until nothing can be asked any more.
    pub(super) async fn lost(&self) {
        self.lost.cancelled().await;
    }

    /// How long it has been there.
    pub(super) fn age(&self) -> Duration {
        self.since.elapsed()
    }

    /// Where requests go. A request that is dropped before its answer is there is cancelled.
    pub(super) fn peer(&self) -> Peer<RoleClient> {
        self.peer.clone()
    }

    /// Says of a broken connection why it broke, where that is known.
    pub(super) async fn explain(&self, failure: Failure) -> Failure {
        match (failure, &self.process) {
            (Failure::Broken(_), Some(process)) if !self.is_live() => {
                Failure::Broken(format!("it {}", process.epitaph().await))
            }
            (failure, _) => failure,
        }
    }

    /// Ends it, and waits for that.
    pub(super) async fn end(&self) {
        self.stop.cancel();
        // Whoever does not let go in time is dropped with the async runtime.
        let _ = timeout(CLOSING, self.ended.cancelled()).await;
        if let Some(process) = &self.process {
            process.end().await;
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn within(
    handshake: impl Future<Output = Result<RunningService<RoleClient, Listener>, ClientInitializeError>>,
) -> Result<RunningService<RoleClient, Listener>, ConnectError> {
    let Ok(service) = timeout(HANDSHAKE, handshake).await else {
        let limit = HANDSHAKE.as_secs();
        return Err(ConnectError::lasting(format!("it did not answer the handshake within {limit} s")));
    };
    Ok(service?)
}
