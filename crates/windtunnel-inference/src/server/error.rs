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
}
