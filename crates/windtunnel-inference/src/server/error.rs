//! Why nothing is served.

use std::net::SocketAddr;

use thiserror::Error;

/// A server that could not be started.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}; name a free port, or port 0 for any")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// What it would pass requests on to is itself.
    #[error("{upstream} leads to {address}, where this listens itself: requests would go in a circle")]
    Circle {
        /// The address of the provider, without what may be secret.
        upstream: String,
        /// Where it listens.
        address: SocketAddr,
    },
}
