//! What a control plane over GitHub needs to know.

use std::net::IpAddr;
use std::time::Duration;

use http::Uri;
use http::header::ACCEPT;
use octocrab::Octocrab;
use thiserror::Error;
use tokio::runtime::Handle;
use windtunnel_api::Secret;
use windtunnel_api::secret::Redactor;
use windtunnel_spi::with_causes;

use super::GitHub;
use super::api::Api;
use crate::item::ItemRef;

/// Where GitHub's own API is.
const GITHUB: &str = "https://api.github.com";

/// Longer than any operation takes that does not hang.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// How long a server may take to answer at all.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// Makes a [`GitHub`].
#[derive(Debug, Clone)]
pub struct GitHubBuilder {
    token: Secret,
    base_url: String,
    messages: Option<ItemRef>,
    time_limit: Duration,
}

/// A control plane that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GitHubError {
    /// The address of the API.
    #[error("{url:?} is no address of a GitHub API: {reason}; as in {GITHUB:?}")]
    BaseUrl {
        /// The address; `***` where it may hold a secret.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The token, which is not shown.
    #[error("the GitHub token {reason}")]
    Token {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// It was made outside of a Tokio runtime, on which its requests run.
    #[error("a control plane over GitHub is made inside of a Tokio runtime")]
    NoRuntime,
    /// The machine's certificates cannot be read.
    #[error("no connection can be made secure: {0}")]
    Tls(String),
}

impl GitHubBuilder {
    pub(super) fn new(token: Secret) -> Self {
        Self { token, base_url: GITHUB.to_owned(), messages: None, time_limit: TIME_LIMIT }
    }

    /// Where the API is. Only an address of this machine may be one of `http`.
    #[must_use]
    pub fn base_url(self, url: impl Into<String>) -> Self {
        Self { base_url: url.into(), ..self }
    }

    /// The issue that messages go to, as comments. Without one there are no messages.
    #[must_use]
    pub fn messages(self, issue: ItemRef) -> Self {
        Self { messages: Some(issue), ..self }
    }

    /// How long an operation may take, with all of its requests and the time between them. 30 seconds if nothing is said.
    #[must_use]
    pub fn time_limit(self, limit: Duration) -> Self {
        Self { time_limit: limit, ..self }
    }

    /// The control plane, for as long as the Tokio runtime lasts that this is called in. Nothing is sent yet.
    ///
    /// # Errors
    /// The address or the token cannot be used, or this is no place for requests to run.
    pub fn build(self) -> Result<GitHub, GitHubError> {
        let base = base_url(&self.base_url)?;
        check_token(&self.token)?;
        Handle::try_current().map_err(|_| GitHubError::NoRuntime)?;
        let redactor = Redactor::new([self.token.clone()]);
        let tls = |error: octocrab::Error| GitHubError::Tls(with_causes(&error));
        let client = Octocrab::builder()
            .base_uri(base.clone())
            .map_err(tls)?
            .personal_token(self.token.expose().to_owned())
            .add_header(ACCEPT, "application/vnd.github+json".to_owned())
            .set_connect_timeout(Some(CONNECT_LIMIT.min(self.time_limit)))
            .build()
            .map_err(tls)?;
        let api = Api { client, base: base.to_string().trim_end_matches('/').to_owned(), redactor };
        Ok(GitHub { api, messages: self.messages, time_limit: self.time_limit })
    }
}

/// | address                         | taken                                       |
/// |---------------------------------|---------------------------------------------|
/// | https, any host                 | yes                                         |
/// | http, this machine              | yes                                         |
/// | http, any other host            | no: the token could be read on the way      |
/// | with a user, a query            | no: they are no part of an API's address    |
/// | anything else                   | no                                          |
fn base_url(url: &str) -> Result<Uri, GitHubError> {
    let refused = |reason: &str| GitHubError::BaseUrl { url: url.to_owned(), reason: reason.to_owned() };
    let uri: Uri = url.parse().map_err(|error: http::uri::InvalidUri| refused(&error.to_string()))?;
    let host = uri.host().unwrap_or_default();
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        let reason = "a user in it would not be used; the token says who asks".to_owned();
        return Err(GitHubError::BaseUrl { url: "***".to_owned(), reason });
    }
    if uri.query().is_some() {
        return Err(refused("it has a query"));
    }
    match uri.scheme_str() {
        Some("https") if !host.is_empty() => Ok(uri),
        Some("http") if is_this_machine(host) => Ok(uri),
        Some("http") => {
            Err(refused("only this machine may be spoken to over http, as the token could be read"))
        }
        _ => Err(refused("expected https://<host>")),
    }
}

fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// It goes into a header, where not everything can stand.
fn check_token(token: &Secret) -> Result<(), GitHubError> {
    let token = token.expose();
    let reason = if token.is_empty() {
        "is empty"
    } else if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        "has white space or characters in it that no token has"
    } else {
        return Ok(());
    };
    Err(GitHubError::Token { reason })
}
