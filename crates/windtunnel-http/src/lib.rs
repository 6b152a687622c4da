//! The HTTP clients of the process, made once and shared by whoever speaks HTTP; and what both ends of HTTP need beside them:
//! server-sent events, the messages of errors, and who may ask a server on this machine.
//!
//! Below it is nothing of ours; tool servers, probes and models above it use the same connections and the same rules: rustls
//! with ring, and no redirects, since a header with a secret would follow them.
//!
//! ```
//! let request = windtunnel_http::direct()?.get("http://127.0.0.1:9/state").build();
//! assert!(request.is_ok());
//! # Ok::<(), windtunnel_http::ClientError>(())
//! ```

mod failure;
mod origin;
mod sse;

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::{Client, ClientBuilder, Response, Url};

pub use failure::error_message;
pub use origin::{is_from_this_machine, is_this_machine};
pub use sse::{SseEvent, SseParser, TooLong};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A client that cannot be made, as where the system has no certificates.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no HTTP client can be made: {0}")]
pub struct ClientError(String);

/// The client for what stands on this machine or is named by a pack: it asks no proxy.
pub fn direct() -> Result<&'static Client, ClientError> {
    static CLIENT: OnceLock<Result<Client, ClientError>> = OnceLock::new();
    CLIENT.get_or_init(|| build(ClientBuilder::no_proxy)).as_ref().map_err(Clone::clone)
}

/// The client for models: it asks the proxy of the environment, where there is one.
pub fn outward() -> Result<&'static Client, ClientError> {
    static CLIENT: OnceLock<Result<Client, ClientError>> = OnceLock::new();
    CLIENT.get_or_init(|| build(|builder| builder)).as_ref().map_err(Clone::clone)
}

fn build(finish: impl FnOnce(ClientBuilder) -> ClientBuilder) -> Result<Client, ClientError> {
    // Fails only where another provider was installed before; then that one serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("wind-tunnel/", env!("CARGO_PKG_VERSION")));
    finish(builder).build().map_err(|error| ClientError(cause(&error)))
}

/// What a message shows of an address: no user, password, query or fragment, which may hold a secret.
///
/// ```
/// let url = reqwest::Url::parse("https://user:pass@model.test:8443/v1?key=abc#top").unwrap();
/// assert_eq!(windtunnel_http::shown(&url), "https://model.test:8443/v1");
/// ```
pub fn shown(url: &Url) -> String {
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    format!("{}://{}{port}{}", url.scheme(), url.host_str().unwrap_or_default(), url.path())
}

/// The body of an answer. Reading stops once it has more than `limit` bytes, so that a longer result says that it is too large.
///
/// # Errors
/// The answer broke off.
pub async fn body(mut response: Response, limit: usize) -> Result<Vec<u8>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > limit {
            break;
        }
    }
    Ok(body)
}

/// What went wrong at the bottom, without the address, which may hold a secret.
pub fn cause(error: &reqwest::Error) -> String {
    let mut bottom = None;
    let mut next = std::error::Error::source(error);
    while let Some(error) = next {
        bottom = Some(error);
        next = error.source();
    }
    match bottom {
        _ if error.is_timeout() => "it took too long".to_owned(),
        Some(error) => error.to_string(),
        // Without a cause the error prints its own text, which may hold the address.
        None if error.is_body() => "the answer broke off".to_owned(),
        None => "the request failed".to_owned(),
    }
}
