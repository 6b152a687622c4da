//! Standard streams in front of an address, for agents that only start their servers as programs.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use windtunnel_api::secret::Redactor;

use crate::agent::{AgentLink, lines};
use crate::limits::RecorderLimits;
use crate::recorder::Recorder;
use crate::relay::Session;
use crate::upstream::http::{self as upstream, HttpOrigin};

/// How long open answers are waited for after the agent's last word.
const LINGER: Duration = Duration::from_secs(2);

/// A bridge that cannot be built.
#[derive(Debug, Error)]
#[error(
    "no bridge to `{url}`: {why}; expected the address of a tool server, such as http://127.0.0.1:4000/mcp"
)]
pub struct BridgeError {
    url: String,
    why: String,
}

/// Carries MCP between this process's standard streams and a streamable-HTTP address, until standard input ends.
///
/// Nothing is recorded here; that is done behind the address.
///
/// A read of standard input cannot be taken back: if this future is dropped before the input ends, the runtime has to
/// be shut down in the background.
pub async fn bridge(url: &str) -> Result<(), BridgeError> {
    bridge_between(url, tokio::io::stdin(), tokio::io::stdout()).await
}

/// The same between any two streams.
pub async fn bridge_between(
    url: &str,
    reader: impl AsyncRead + Unpin,
    writer: impl AsyncWrite + Unpin,
) -> Result<(), BridgeError> {
    let refused = |why: String| BridgeError { url: url.to_owned(), why };
    let origin = HttpOrigin::at(url, HeaderMap::new()).map_err(refused)?;
    let limits = RecorderLimits { logged_calls: 0, ..RecorderLimits::default() };
    let recorder = Arc::new(Recorder::new("the recorder", Redactor::default(), &limits));
    let (session, outgoing) = Session::new(&recorder, false, &limits, CancellationToken::new());
    let (sink, inbox) = lines::sink(limits.queued_bytes);
    let link =
        AgentLink::join(Arc::clone(&session), sink, None).map_err(|_| refused("it is closed".to_owned()))?;
    let serving = upstream::serve(Arc::new(origin), outgoing, Arc::clone(&session), limits.message_bytes);
    tokio::join!(
        session.drive(serving),
        lines::serve(link, inbox, reader, writer, limits.message_bytes, LINGER)
    );
    Ok(())
}
