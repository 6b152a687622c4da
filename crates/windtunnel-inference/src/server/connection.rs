//! The listener and its connections.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::ServerError;
use super::stream::Hangup;

/// How long answers that are under way may take when the listener is closed.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// A pause after a connection could not be accepted, as where there are too many.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Answers the requests of a listener.
pub(crate) trait Handler: Send + Sync + 'static {
    /// The body of an answer. Its pieces go out as they come; an error closes the connection.
    type Body: Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static;

    /// The answer.
    fn handle(
        &self,
        request: Request<Incoming>,
    ) -> impl Future<Output = Result<Response<Self::Body>, Hangup>> + Send;
}

/// A running listener. Dropping it closes it; answers that are under way are finished.
pub(crate) struct Listening {
    pub(crate) address: SocketAddr,
    _stop: DropGuard,
}

impl Listening {
    pub(crate) async fn start(address: SocketAddr, handler: impl Handler) -> Result<Self, ServerError> {
        let listen_error = |source| ServerError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen_error)?;
        let bound = listener.local_addr().map_err(listen_error)?;
        let stop = CancellationToken::new();
        tokio::spawn(accept(listener, Arc::new(handler), stop.clone()));
        Ok(Self { address: bound, _stop: stop.drop_guard() })
    }
}

async fn accept(listener: TcpListener, handler: Arc<impl Handler>, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => return,
        };
        match accepted {
            Ok((socket, _)) => {
                tokio::spawn(serve(socket, Arc::clone(&handler), stop.child_token()));
            }
            Err(_) => tokio::time::sleep(AFTER_FAILURE).await,
        }
    }
}

/// Serves one connection until one side ends it.
async fn serve(socket: TcpStream, handler: Arc<impl Handler>, stop: CancellationToken) {
    // Answers are small and may be written in pieces: waiting to fill a packet would only delay them.
    let _ = socket.set_nodelay(true);
    let service = service_fn(|request| handler.handle(request));
    let mut connection = pin!(http1::Builder::new().serve_connection(TokioIo::new(socket), service));
    // How a connection ends is its client's affair, or the script's.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = tokio::time::timeout(LAST_ANSWERS, connection).await;
        }
    }
}
