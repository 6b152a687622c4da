//! A server over streamable HTTP that is already running.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use http::StatusCode;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Response, Url};
use tokio::task::JoinSet;
use windtunnel_api::pack::HttpTools;
use windtunnel_api::secret::Redactor;
use windtunnel_http::{SseParser, cause, direct, shown};
use windtunnel_spi::ToolError;

use crate::message::{self, Message, Params, Reply};
use crate::outbox::Inbox;
use crate::relay::{Outgoing, OutgoingKind, Session};

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// How long a session's end may take.
const GOODBYE: Duration = Duration::from_secs(1);
/// How long a message that has to arrive before the next one may hold that up.
const IN_TURN: Duration = Duration::from_secs(30);
/// How often a stream that broke off is taken up again.
const MAX_RESUMES: usize = 100;
/// How long is waited before, unless the server says so.
const RETRY: Duration = Duration::from_millis(500);
/// The longest that a server may ask us to wait.
const MAX_RETRY: Duration = Duration::from_secs(30);
/// Characters of an answer that is no MCP, shown in a message.
const SHOWN: usize = 300;

/// Where the server is, and the headers of every request.
#[derive(Debug)]
pub(crate) struct HttpOrigin {
    url: Url,
    headers: HeaderMap,
}

impl HttpOrigin {
    /// Checks the address and fills in the headers; the redactor learns their secrets.
    pub(crate) fn new(server: &str, tools: &HttpTools, redactor: &mut Redactor) -> Result<Self, ToolError> {
        let failed = |why: String| ToolError::new(server, why);
        let mut headers = HeaderMap::new();
        for (name, template) in &tools.headers {
            let field = format!("headers.{name}");
            let expanded =
                windtunnel_child::expand(template, &field).map_err(|error| failed(error.to_string()))?;
            *redactor = redactor.and(expanded.secrets);
            let name = HeaderName::try_from(name.as_str())
                .map_err(|_| failed(format!("{field}: not a header name")))?;
            let mut value = HeaderValue::from_str(expanded.value.expose())
                .map_err(|_| failed(format!("{field}: the value holds characters that a header cannot")))?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Self::at(&tools.url, headers).map_err(|why| failed(format!("url `{}`: {why}", tools.url)))
    }

    /// The server at this address.
    pub(crate) fn at(url: &str, headers: HeaderMap) -> Result<Self, String> {
        let url = Url::parse(url).map_err(|error| error.to_string())?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("expected http:// or https://".to_owned());
        }
        Ok(Self { url, headers })
    }

    /// Whether somebody listens there.
    pub(crate) async fn reach(&self, limit: Duration) -> Result<(), String> {
        let host = self.url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let port = self.url.port_or_known_default().unwrap_or(80);
        let failed =
            |why: String| format!("nothing answers at {}: {why}; start the server first", shown(&self.url));
        match tokio::time::timeout(limit, tokio::net::TcpStream::connect((host, port))).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(failed(error.to_string())),
            Err(_) => Err(failed(format!("no connection within {} s", limit.as_secs_f64()))),
        }
    }
}

/// Serves one session, and ends it at the server.
pub(crate) async fn serve(
    origin: Arc<HttpOrigin>,
    mut inbox: Inbox<Outgoing>,
    session: Arc<Session>,
    message_limit: usize,
) {
    let client = match direct() {
        Ok(client) => client,
        Err(why) => {
            session.gone(&why.to_string());
            return session.cancel().cancelled().await;
        }
    };
    let link = Arc::new(Link { client, origin, session, message_limit, negotiated: Mutex::default() });
    let mut tasks = JoinSet::new();
    loop {
        let outgoing = tokio::select! {
            biased;
            () = link.session.cancel().cancelled() => break,
            Some(done) = tasks.join_next() => {
                if let Err(Ok(panic)) = done.map_err(tokio::task::JoinError::try_into_panic) {
                    std::panic::resume_unwind(panic);
                }
                continue;
            }
            outgoing = inbox.recv() => outgoing,
        };
        let Some(outgoing) = outgoing else { break };
        // What opens the session has to arrive first; an answer may take as long as a tool does.
        if let OutgoingKind::Request(_) = outgoing.kind {
            tasks.spawn(Arc::clone(&link).request(outgoing));
            continue;
        }
        let opens = is_initialized(&outgoing.text);
        let kind = outgoing.kind;
        let in_turn = tokio::time::timeout(IN_TURN, Arc::clone(&link).request(outgoing));
        let in_time = tokio::select! {
            biased;
            () = link.session.cancel().cancelled() => break,
            done = in_turn => done.is_ok(),
        };
        if let (false, OutgoingKind::Initialize(id)) = (in_time, kind) {
            link.failed(Some(id), &format!("did not answer within {} s", IN_TURN.as_secs()));
        }
        if opens {
            tasks.spawn(Arc::clone(&link).listen());
        }
    }
    tasks.abort_all();
    link.end().await;
}

struct Link {
    client: &'static reqwest::Client,
    origin: Arc<HttpOrigin>,
    session: Arc<Session>,
    message_limit: usize,
    negotiated: Mutex<Negotiated>,
}

#[derive(Debug, Default, Clone)]
struct Negotiated {
    session_id: Option<HeaderValue>,
    version: Option<HeaderValue>,
}

/// How a stream of events ended.
enum Ended {
    /// With the answer.
    Answered,
    /// Before it; the id of the last event says where to go on.
    Early { last_event: Option<String>, retry: Duration },
    /// It cannot be read any further.
    Broken(String),
}

impl Link {
    fn negotiated(&self) -> MutexGuard<'_, Negotiated> {
        self.negotiated.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn request(self: Arc<Self>, outgoing: Outgoing) {
        let id = match outgoing.kind {
            OutgoingKind::Request(id) | OutgoingKind::Initialize(id) => Some(id),
            OutgoingKind::OneWay => None,
        };
        if let Err(why) = self.post(outgoing, id).await {
            self.failed(id, &why);
        }
    }

    /// A message was not taken.
    fn failed(&self, id: Option<u64>, why: &str) {
        let why = format!("tool server {} {why} ({})", self.session.server_name(), shown(&self.origin.url));
        if let Some(id) = id {
            self.session.undelivered(id, &why);
        } else {
            tracing::debug!(why, "a notification was not taken");
        }
    }

    async fn post(&self, outgoing: Outgoing, id: Option<u64>) -> Result<(), String> {
        let initialize = matches!(outgoing.kind, OutgoingKind::Initialize(_));
        let mut headers = self.headers();
        modern_headers(&outgoing.text, &mut headers);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        let request = self.client.post(self.origin.url.clone()).headers(headers).body(outgoing.text);
        let response =
            request.send().await.map_err(|error| format!("cannot be reached: {}", cause(&error)))?;
        if initialize {
            self.negotiated().session_id = response.headers().get(SESSION_ID).cloned();
        }
        let status = response.status();
        if status == StatusCode::NOT_FOUND && self.negotiated().session_id.is_some() {
            self.session.gone(&format!("tool server {} has ended the session", self.session.server_name()));
            return Ok(());
        }
        if is_stream(&response) && status.is_success() {
            return match id {
                Some(id) => self.stream(response, id, initialize).await,
                None => Ok(()),
            };
        }
        self.plain(response, id, initialize).await
    }

    /// An answer that is one JSON document, or none at all.
    async fn plain(&self, response: Response, id: Option<u64>, initialize: bool) -> Result<(), String> {
        let status = response.status();
        let location = response.headers().get(http::header::LOCATION).cloned();
        let text = self.body(response).await?;
        if status.is_redirection() {
            let to = location.as_ref().and_then(|to| self.origin.url.join(to.to_str().ok()?).ok());
            let to = to.as_ref().map_or_else(|| "another address".to_owned(), shown);
            return Err(format!(
                "answers {status} to {to}: redirects are not followed, give the final address"
            ));
        }
        if self.received(&text, id, initialize) || (status.is_success() && id.is_none()) {
            return Ok(());
        }
        let without = if status.is_success() { " without an answer to the request" } else { "" };
        Err(format!("answers {status}{without}: `{}`", self.session.redactor().excerpt(&text, SHOWN)))
    }

    async fn body(&self, response: Response) -> Result<String, String> {
        let mut stream = response.bytes_stream();
        let mut body = Vec::new();
        while let Some(chunk) = stream.next().await {
            body.extend_from_slice(
                &chunk.map_err(|error| format!("broke off its answer: {}", cause(&error)))?,
            );
            if body.len() > self.message_limit {
                return Err(format!("sent more than {} bytes", self.message_limit));
            }
        }
        String::from_utf8(body).map_err(|_| "sent something that is not UTF-8".to_owned())
    }

    /// An answer as events, taken up again where it breaks off.
    async fn stream(&self, response: Response, id: u64, initialize: bool) -> Result<(), String> {
        let mut next = Some(response);
        let mut last_seen = None;
        for _ in 0..=MAX_RESUMES {
            let Some(response) = next.take() else { break };
            match self.events(response, Some(id), initialize).await {
                Ended::Answered => return Ok(()),
                Ended::Broken(why) => return Err(why),
                Ended::Early { last_event, retry } => {
                    last_seen = last_event.or(last_seen);
                    let Some(event) = &last_seen else { break };
                    tokio::time::sleep(retry).await;
                    next = self.get(Some(event)).await.ok();
                }
            }
        }
        Err("ended its stream before the answer".to_owned())
    }

    async fn events(&self, response: Response, id: Option<u64>, initialize: bool) -> Ended {
        let mut parser = SseParser::new(self.message_limit);
        let (mut last_event, mut retry) = (None, RETRY);
        let mut stream = response.bytes_stream();
        while let Some(Ok(chunk)) = stream.next().await {
            let Ok(events) = parser.push(&chunk) else {
                return Ended::Broken(format!("sent an event of more than {} bytes", self.message_limit));
            };
            for event in events {
                last_event = event.id.or(last_event);
                retry = event.retry.map_or(retry, Duration::from_millis).min(MAX_RETRY);
                if !event.data.is_empty() && self.received(&event.data, id, initialize) {
                    return Ended::Answered;
                }
            }
        }
        Ended::Early { last_event, retry }
    }

    /// Passes messages on; whether one of them answers the request.
    fn received(&self, text: &str, id: Option<u64>, initialize: bool) -> bool {
        let mut answers = false;
        for message in message::split(text).unwrap_or_default() {
            match Message::parse(message) {
                // An error without an id answers this request all the same; the caller says so in our words.
                Err(_) | Ok(Message::Response { id: None, .. }) => continue,
                Ok(Message::Response { id: Some(answered), reply }) => {
                    answers |= id.is_some() && answered.get().parse().ok() == id;
                    if let (true, Reply::Result(result)) = (initialize, reply) {
                        self.negotiated().version = version_of(result);
                    }
                }
                Ok(_) => {}
            }
            self.session.server_sends(message, id);
        }
        answers
    }

    /// The stream of what the server says unasked; a server without one answers with an error, and that is fine.
    async fn listen(self: Arc<Self>) {
        let mut last_seen: Option<String> = None;
        for _ in 0..=MAX_RESUMES {
            let Ok(response) = self.get(last_seen.as_deref()).await else { return };
            let Ended::Early { last_event, retry } = self.events(response, None, false).await else { return };
            last_seen = last_event.or(last_seen);
            tokio::time::sleep(retry).await;
        }
    }

    async fn get(&self, last_event: Option<&str>) -> Result<Response, ()> {
        let mut headers = self.headers();
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(event) = last_event {
            headers.insert(LAST_EVENT_ID, HeaderValue::from_str(event).map_err(|_| ())?);
        }
        let request = self.client.get(self.origin.url.clone()).headers(headers);
        let response = request.send().await.map_err(|_| ())?;
        if response.status().is_success() && is_stream(&response) { Ok(response) } else { Err(()) }
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = self.origin.headers.clone();
        let Negotiated { session_id, version } = self.negotiated().clone();
        headers.extend(session_id.map(|id| (SESSION_ID, id)));
        headers.extend(version.map(|version| (PROTOCOL_VERSION, version)));
        headers
    }

    async fn end(&self) {
        if self.negotiated().session_id.is_some() {
            let request =
                self.client.delete(self.origin.url.clone()).headers(self.headers()).timeout(GOODBYE);
            // Not every server lets its sessions be ended.
            let _ = request.send().await;
        }
    }
}

/// Requests that name their protocol version themselves (2026-07-28 and later) also name their method in headers.
fn modern_headers(text: &str, headers: &mut HeaderMap) {
    let Ok(Message::Request { method, params, .. }) = Message::parse(text) else { return };
    let Ok(params) = Params::read(params) else { return };
    let Some(version) = message::string(params.meta().protocol_version) else { return };
    let name = message::string(params.name).or_else(|| message::string(params.uri));
    for (header, value) in
        [(PROTOCOL_VERSION, Some(version)), (METHOD, Some(method.into_owned())), (NAME, name)]
    {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(&value).ok()) {
            headers.insert(header, value);
        }
    }
}

/// Whether the agent has taken the answer to `initialize`; from then on a server may speak unasked.
fn is_initialized(text: &str) -> bool {
    matches!(Message::parse(text), Ok(Message::Notification { method, .. }) if method == "notifications/initialized")
}

fn version_of(initialize_result: &str) -> Option<HeaderValue> {
    let result: serde_json::Value = serde_json::from_str(initialize_result).ok()?;
    HeaderValue::from_str(result.get("protocolVersion")?.as_str()?).ok()
}

fn is_stream(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with("text/event-stream"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_open_by_the_method_of_a_notification_and_by_no_other_mention_of_it() {
        let table = [
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, true),
            (r#"{"method":"notifications\/initialized"}"#, true),
            (
                r#"{"method":"notifications/progress","params":{"message":"notifications/initialized"}}"#,
                false,
            ),
            (r#"{"id":1,"result":{"seen":"notifications/initialized"}}"#, false),
        ];
        for (text, expected) in table {
            assert_eq!(is_initialized(text), expected, "{text}");
        }
    }
}
