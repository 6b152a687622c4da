//! A server on the network.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use reqwest::Url;
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use sse_stream::Sse;
use tokio_util::sync::CancellationToken;
use windtunnel_api::Secret;
use windtunnel_api::secret::Redactor;

use super::failure::ConnectError;
use super::session::MESSAGE_BYTES;

/// The first pause before a broken stream of answers or notifications is taken up again; it doubles with each attempt.
const REOPEN_AFTER: Duration = Duration::from_millis(100);
/// Attempts before what the stream was to bring is given up: a server that is gone has to be noticed in seconds.
const REOPEN_ATTEMPTS: usize = 2;

/// Where a server is.
pub(super) struct HttpOrigin {
    url: Url,
    auth_token: Option<Secret>,
    redactor: Redactor,
}

impl HttpOrigin {
    pub(super) fn new(url: Url, auth_token: Option<Secret>, redactor: Redactor) -> Self {
        Self { url, auth_token, redactor }
    }

    /// The server's name in messages: scheme, host and port; anything else may hold a key.
    pub(super) fn label(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// What carries one session. It says on `lost` when the server is gone or has forgotten the session.
    pub(super) fn transport(
        &self,
        lost: CancellationToken,
    ) -> Result<StreamableHttpClientTransport<Client>, ConnectError> {
        // A proxy cannot reach what stands on this machine.
        let client = if is_here(&self.url) { windtunnel_http::direct() } else { windtunnel_http::outward() };
        let requests = client.map_err(|error| ConnectError::lasting(error.to_string()))?.clone();
        let client = Client {
            requests,
            redactor: self.redactor.clone(),
            lost,
            has_stream: Arc::new(AtomicBool::new(false)),
        };
        let mut reopening = ExponentialBackoff::default();
        reopening.base_duration = REOPEN_AFTER;
        reopening.max_times = Some(REOPEN_ATTEMPTS);
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            // A new session has no subscriptions: they have to be made anew, which only we can do.
            .reinit_on_expired_session(false)
            .max_sse_event_size(MESSAGE_BYTES)
            .max_json_response_size(MESSAGE_BYTES);
        config.retry_config = Arc::new(reopening);
        if let Some(token) = &self.auth_token {
            config = config.auth_header(token.expose());
        }
        Ok(StreamableHttpClientTransport::with_client(client, config))
    }
}

fn is_here(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost" | "[::1]") => true,
        Some(host) => host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

/// A request that failed on its way; without the address, which may hold a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum HttpError {
    #[error("cannot connect: {0}")]
    Unreachable(String),
    #[error("{0}")]
    Failed(String),
}

/// The process's HTTP client, which for one session keeps secrets out of errors and notices when the server is gone.
#[derive(Clone)]
pub(super) struct Client {
    requests: reqwest::Client,
    redactor: Redactor,
    lost: CancellationToken,
    /// Whether the server has ever given us a stream of notifications.
    has_stream: Arc<AtomicBool>,
}

impl Client {
    fn clean(&self, error: StreamableHttpError<reqwest::Error>) -> StreamableHttpError<HttpError> {
        use StreamableHttpError as E;
        let text = |error: &dyn std::fmt::Display| self.redactor.excerpt(&error.to_string(), 500);
        match error {
            E::Client(error) if error.is_connect() => {
                E::Client(HttpError::Unreachable(self.redactor.text(&windtunnel_http::cause(&error))))
            }
            E::Client(error) => {
                E::Client(HttpError::Failed(self.redactor.text(&windtunnel_http::cause(&error))))
            }
            E::UnexpectedServerResponse(said) => E::UnexpectedServerResponse(text(&said).into()),
            E::UnexpectedContentType(found) => E::UnexpectedContentType(found.map(|found| text(&found))),
            E::HttpStatus(error) => E::HttpStatus(error),
            E::UnexpectedEndOfStream => E::UnexpectedEndOfStream,
            E::ResponseBodyTooLarge { max_size } => E::ResponseBodyTooLarge { max_size },
            E::ServerDoesNotSupportSse => E::ServerDoesNotSupportSse,
            E::ServerDoesNotSupportDeleteSession => E::ServerDoesNotSupportDeleteSession,
            E::AuthRequired(error) => E::AuthRequired(error),
            E::InsufficientScope(error) => E::InsufficientScope(error),
            E::SessionExpired => E::SessionExpired,
            other => E::Client(HttpError::Failed(text(&other))),
        }
    }

    fn clean_stream(
        &self,
        stream: BoxStream<'static, Result<Sse, SseError>>,
    ) -> BoxStream<'static, Result<Sse, SseError>> {
        let redactor = self.redactor.clone();
        let clean = move |error: SseError| {
            let text = error.to_string();
            let redacted = redactor.text(&text);
            // The others keep their type, by which the transport knows an event that is too large.
            if text == redacted { error } else { SseError::Body(Box::new(HttpError::Failed(redacted))) }
        };
        stream.map(move |event| event.map_err(&clean)).boxed()
    }

    /// Looks for signs that the server is gone or has forgotten the session.
    fn look_at(&self, error: &StreamableHttpError<HttpError>) {
        if matches!(error, StreamableHttpError::SessionExpired | StreamableHttpError::Client(_)) {
            self.lost.cancel();
        }
    }
}

impl StreamableHttpClient for Client {
    type Error = HttpError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, StreamableHttpError<HttpError>> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session_id, auth_header, headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, StreamableHttpError<HttpError>> {
        let answer = self
            .requests
            .post_message_with_response_limits(uri, message, session_id, auth_header, headers, limits)
            .await;
        match answer {
            Ok(StreamableHttpPostResponse::Sse(stream, session)) => {
                Ok(StreamableHttpPostResponse::Sse(self.clean_stream(stream), session))
            }
            Ok(other) => Ok(other),
            Err(error) => {
                let error = self.clean(error);
                self.look_at(&error);
                Err(error)
            }
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), StreamableHttpError<HttpError>> {
        if self.lost.is_cancelled() {
            // There is nothing left to delete.
            return Ok(());
        }
        let deleted = self.requests.delete_session(uri, session_id, auth_header, headers).await;
        deleted.map_err(|error| self.clean(error))
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, StreamableHttpError<HttpError>> {
        self.get_stream_with_max_sse_event_size(
            uri,
            session_id,
            last_event_id,
            auth_header,
            headers,
            MESSAGE_BYTES,
        )
        .await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        max_sse_event_size: usize,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, StreamableHttpError<HttpError>> {
        let stream = self
            .requests
            .get_stream_with_max_sse_event_size(
                uri,
                session_id,
                last_event_id,
                auth_header,
                headers,
                max_sse_event_size,
            )
            .await;
        match stream {
            Ok(stream) => {
                self.has_stream.store(true, Ordering::Relaxed);
                Ok(self.clean_stream(stream))
            }
            // Once there was a stream, that there is none any more can only mean that the session is gone. Before, the server may just
            // have none to give.
            Err(error) => {
                if self.has_stream.load(Ordering::Relaxed) {
                    self.lost.cancel();
                }
                Err(self.clean(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_on_this_machine_is_known() {
        let here = |url: &str| is_here(&Url::parse(url).unwrap());
        assert!(here("http://localhost:1/") && here("http://127.0.0.1/") && here("http://[::1]:1/x"));
        assert!(!here("http://tools.test/") && !here("http://10.0.0.1/"));
    }

    #[test]
    fn a_server_is_named_without_what_may_be_secret() {
        let url = Url::parse("https://user:canary@tools.test:8443/canary?key=canary").unwrap();
        let origin = HttpOrigin::new(url, None, Redactor::default());
        assert_eq!(origin.label(), "https://tools.test:8443");
    }
}
