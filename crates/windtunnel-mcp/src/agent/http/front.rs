//! One recorder over streamable HTTP: its sessions, and what the methods do.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use uuid::Uuid;

use super::respond::{Accepts, answers, events, refuse};
use super::streams::Streams;
use crate::agent::AgentLink;
use crate::endpoint::{Endpoint, Visitor};
use crate::message::{self, INVALID_REQUEST, Message, PARSE_ERROR, SERVER_GONE, SESSION_GONE, id_key};
use crate::relay::AgentSink;

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// One recorder over streamable HTTP.
pub(crate) struct Front {
    endpoint: Arc<Endpoint>,
    sessions: Mutex<HashMap<String, Arc<HttpSession>>>,
}

/// One agent's connection.
struct HttpSession {
    link: AgentLink,
    streams: Arc<Streams>,
}

/// What a body holds.
struct Posted<'a> {
    messages: Vec<&'a str>,
    /// The ids of its requests.
    requests: Vec<Arc<str>>,
    batch: bool,
    /// Whether it opens a session.
    initialize: bool,
}

impl<'a> Posted<'a> {
    fn read(body: &'a str) -> Result<Self, String> {
        let messages = message::split(body)?;
        let (mut requests, mut initialize) = (Vec::new(), false);
        for text in &messages {
            if let Message::Request { id, method, .. } = Message::parse(text)? {
                let key: Arc<str> = id_key(id).into();
                if requests.contains(&key) {
                    return Err(format!("two requests of the batch have the id {id}"));
                }
                initialize |= method == "initialize";
                requests.push(key);
            }
        }
        Ok(Self { messages, requests, batch: body.trim_start().starts_with('['), initialize })
    }
}

impl Front {
    /// Nobody is connected yet.
    pub(crate) fn new(endpoint: Arc<Endpoint>) -> Self {
        Self { endpoint, sessions: Mutex::default() }
    }

    /// Whether the case has ended.
    pub(super) fn is_over(&self) -> bool {
        self.endpoint.is_over()
    }

    pub(super) async fn handle(&self, request: Request) -> Response {
        match *request.method() {
            Method::POST => self.post(request).await,
            Method::GET => self.listen(request.headers()),
            Method::DELETE => self.delete(request.headers()),
            _ => {
                let why = "MCP over HTTP uses POST, GET and DELETE";
                let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, INVALID_REQUEST, why);
                response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST, GET, DELETE"));
                response
            }
        }
    }

    async fn post(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let accepts = Accepts::of(&parts.headers);
        if !accepts.json && !accepts.events {
            let why = "answers are application/json or text/event-stream: accept both";
            return refuse(StatusCode::NOT_ACCEPTABLE, INVALID_REQUEST, why);
        }
        let limit = self.endpoint.limits().message_bytes;
        let Ok(body) = axum::body::to_bytes(body, limit).await else {
            let why = format!("the message was cut off, or is longer than the {limit} bytes that are taken");
            return refuse(StatusCode::PAYLOAD_TOO_LARGE, INVALID_REQUEST, &why);
        };
        let read =
            std::str::from_utf8(&body).map_err(|_| "it is not UTF-8".to_owned()).and_then(Posted::read);
        let posted = match read {
            Ok(posted) => posted,
            Err(why) => return refuse(StatusCode::BAD_REQUEST, PARSE_ERROR, &format!("not JSON-RPC: {why}")),
        };
        let known = match self.session(&parts.headers) {
            Ok(known) => known,
            Err(response) => return *response,
        };
        // A client of a protocol without sessions gets one for this request alone.
        let session = match known {
            Some(session) => session,
            None => match self.open().await {
                Ok(session) => session,
                Err(why) => return refuse(StatusCode::SERVICE_UNAVAILABLE, SERVER_GONE, &why),
            },
        };
        let new_id = posted.initialize.then(|| self.remember(&session, &parts.headers)).flatten();
        let expected = posted.requests.len();
        let inbox = (expected > 0).then(|| session.streams.post(posted.requests, accepts.events));
        for text in posted.messages {
            session.link.send(text);
        }
        let Some(inbox) = inbox else { return StatusCode::ACCEPTED.into_response() };
        let mut response = answers(inbox, expected, posted.batch, accepts, session).await;
        if let Some(id) = new_id {
            response.headers_mut().insert(SESSION_ID, id);
        }
        response
    }

    fn listen(&self, headers: &HeaderMap) -> Response {
        match self.session(headers) {
            Ok(Some(session)) if Accepts::of(headers).events => {
                // The stream does not keep the session: it ends with it.
                events(VecDeque::new(), session.streams.listen(), ())
            }
            Ok(Some(_)) => {
                let why = "this is a stream of events: accept text/event-stream";
                refuse(StatusCode::NOT_ACCEPTABLE, INVALID_REQUEST, why)
            }
            Ok(None) => refuse(
                StatusCode::BAD_REQUEST,
                INVALID_REQUEST,
                "Mcp-Session-Id is missing: initialize first",
            ),
            Err(response) => *response,
        }
    }

    fn delete(&self, headers: &HeaderMap) -> Response {
        match self.session(headers) {
            Ok(Some(session)) => {
                self.sessions().retain(|_, known| !Arc::ptr_eq(known, &session));
                session.streams.close();
                StatusCode::NO_CONTENT.into_response()
            }
            Ok(None) => refuse(StatusCode::BAD_REQUEST, INVALID_REQUEST, "Mcp-Session-Id is missing"),
            Err(response) => *response,
        }
    }

    /// The session that the headers name, if they name one.
    fn session(&self, headers: &HeaderMap) -> Result<Option<Arc<HttpSession>>, Box<Response>> {
        let mut sessions = self.sessions();
        sessions.retain(|_, session| !session.streams.is_closed());
        let Some(id) = headers.get(SESSION_ID) else { return Ok(None) };
        let known = id.to_str().ok().and_then(|id| sessions.get(id)).cloned();
        known.map(Some).ok_or_else(|| {
            let why =
                "this session has ended (its server was made fresh, or it was deleted): initialize again";
            Box::new(refuse(StatusCode::NOT_FOUND, SESSION_GONE, why))
        })
    }

    async fn open(&self) -> Result<Arc<HttpSession>, String> {
        let streams = Arc::new(Streams::new(self.endpoint.limits().queued_bytes));
        let (endpoint, sink) = (Arc::clone(&self.endpoint), Arc::clone(&streams));
        // A server is started where its case runs, which is not where we listen.
        let opening = self.endpoint.runtime().spawn(async move { endpoint.open(sink, Visitor::Agent).await });
        match opening.await {
            Ok(Ok(link)) => Ok(Arc::new(HttpSession { link, streams })),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the case is being ended".to_owned()),
        }
    }

    /// Keeps a new session under an id; none where the agent named one that is known.
    fn remember(&self, session: &Arc<HttpSession>, headers: &HeaderMap) -> Option<HeaderValue> {
        if headers.contains_key(SESSION_ID) {
            return None;
        }
        let id = Uuid::new_v4().to_string();
        let value = HeaderValue::from_str(&id).ok()?;
        self.sessions().insert(id, Arc::clone(session));
        Some(value)
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Arc<HttpSession>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
