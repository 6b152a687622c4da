//! One request on its way to the provider, and the answer on its way back.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, header};
use uuid::Uuid;
use windtunnel_spi::Moment;

use super::log::{Log, Seen};
use super::redaction::{in_headers, in_query, keepable};
use super::upstream::Upstreams;
use crate::server::{Handler, Hangup, answer, whole_body};
use crate::wire::{self, Operation, Payload, Protocol, WireError};

/// The most of an answer that is kept; all of it is passed on.
const MAX_ANSWER: usize = 32 * 1024 * 1024;

/// Headers that are about one connection, and not passed on to the next.
const OF_THE_CONNECTION: [HeaderName; 10] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::EXPECT,
];

/// Says which recorders a request has passed.
const PASSED: HeaderName = HeaderName::from_static("x-windtunnel-recorder");

/// What every request is passed on with.
pub(super) struct Forwarder {
    upstreams: Upstreams,
    log: Arc<Log>,
    /// What requests are marked with. One that has it already went in a circle; that of another recorder has not.
    mark: HeaderValue,
}

impl Forwarder {
    pub(super) fn new(upstreams: Upstreams, log: Arc<Log>) -> Self {
        let (mark, _) = Uuid::new_v4().as_u64_pair();
        Self { upstreams, log, mark: mark.into() }
    }
}

impl Handler for Forwarder {
    type Body = Passed;

    async fn handle(&self, request: Request<Incoming>) -> Result<Response<Passed>, Hangup> {
        Ok(self.answer(request).await)
    }
}

/// Where a request goes.
struct Target<'p> {
    /// The wire that it is sent over, as far as its path or its client tells.
    protocol: &'static dyn Protocol,
    /// Whether it asks for an answer.
    infers: bool,
    /// The path below the version segment.
    rest: &'p str,
}

impl<'p> Target<'p> {
    fn of(parts: &'p Parts) -> Self {
        let path = parts.uri.path();
        let asked = wire::of_path(path);
        let infers = parts.method == Method::POST && matches!(asked, Some((_, Operation::Infer)));
        let protocol = asked.map_or_else(|| wire::speaker(&parts.headers), |(protocol, _)| protocol);
        Self { protocol, infers, rest: wire::below_version(path) }
    }

    /// An error of ours in the words of the wire.
    fn refusal(&self, status: StatusCode, message: &str) -> Response<Passed> {
        let message = format!("wt: {message}");
        let Payload { content_type, frames } =
            self.protocol.error(&WireError::new(status.as_u16(), &message));
        let mut response = Response::new(Passed::Own(Some(frames.concat().into())));
        *response.status_mut() = status;
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        response
    }
}

impl Forwarder {
    async fn answer(&self, request: Request<Incoming>) -> Response<Passed> {
        let (parts, body) = request.into_parts();
        let (at, began) = (Moment::now(), Instant::now());
        let target = Target::of(&parts);
        self.log.learn(in_headers(&parts.headers));
        self.log.learn(parts.uri.query().map(in_query).unwrap_or_default());
        // Whoever offers another protocol beside plain HTTP is content with plain HTTP.
        if wire::asks_for_web_socket(&parts.headers) {
            let message = "only plain HTTP is recorded; the client falls back to it by itself";
            let mut response = target.refusal(StatusCode::UPGRADE_REQUIRED, message);
            answer::speak_http(&mut response);
            return response;
        }
        if parts.headers.get_all(PASSED).iter().any(|passed| passed == self.mark) {
            let message = format!(
                "this request was passed on to {} and came back here: what is there leads to `wt record` again",
                self.upstreams.of_wire(target.protocol.wire())
            );
            let mut response = target.refusal(StatusCode::LOOP_DETECTED, &message);
            answer::do_not_retry(&mut response);
            return response;
        }
        let body = match whole_body(&parts.headers, body).await {
            Ok(body) => body,
            Err(unread) => {
                let mut response = target.refusal(unread.status, &unread.message);
                // What is left of the body is not waited for.
                answer::close(&mut response);
                return response;
            }
        };
        let kept = if target.infers { body.clone() } else { Bytes::new() };
        let seen = Seen {
            at,
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            protocol: target.infers.then_some(target.protocol),
            headers: keepable(&parts.headers),
            request: kept,
            status: 0,
            answer_headers: indexmap::IndexMap::new(),
            streamed: false,
            answer: Vec::new(),
            ms: 0.0,
            problem: None,
        };
        self.log.begin();
        let tee = Tee { log: Arc::clone(&self.log), began, seen: Some(seen), missing: None, ended: false };
        self.pass_on(&target, &parts, body, tee).await
    }

    async fn pass_on(
        &self,
        target: &Target<'_>,
        parts: &Parts,
        body: Bytes,
        mut tee: Tee,
    ) -> Response<Passed> {
        let address = self.upstreams.of_wire(target.protocol.wire()).address(target.rest, parts.uri.query());
        let shown = windtunnel_http::shown(&address);
        // What is on this machine is no proxy's to see.
        let client = if windtunnel_http::is_this_machine(&address) {
            windtunnel_http::direct()
        } else {
            windtunnel_http::outward()
        };
        let sent = match client {
            Ok(client) => {
                let request = client
                    .request(parts.method.clone(), address)
                    .headers(self.to_provider(&parts.headers))
                    .body(body);
                request.send().await.map_err(|error| windtunnel_http::cause(&error))
            }
            Err(error) => Err(error.to_string()),
        };
        match sent {
            Ok(answer) => {
                let answer: Response<reqwest::Body> = answer.into();
                let (head, body) = answer.into_parts();
                self.log.learn(in_headers(&head.headers));
                tee.answers(head.status, &head.headers);
                tee.ended |= body.is_end_stream();
                let mut response = Response::new(Passed::Through { body, tee: Box::new(tee) });
                *response.status_mut() = head.status;
                *response.headers_mut() = without(head.headers, &OF_THE_CONNECTION);
                response
            }
            Err(cause) => {
                let message = format!("{shown} cannot be reached: {cause}");
                tee.answers(StatusCode::BAD_GATEWAY, &HeaderMap::new());
                tee.breaks_off(message.clone());
                target.refusal(StatusCode::BAD_GATEWAY, &message)
            }
        }
    }

    /// The headers as the provider gets them. A compressed answer could not be read here, so none is asked for.
    fn to_provider(&self, headers: &HeaderMap) -> HeaderMap {
        let mut headers = without(headers.clone(), &OF_THE_CONNECTION);
        headers.remove(header::HOST);
        headers.remove(header::CONTENT_LENGTH);
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.append(PASSED, self.mark.clone());
        headers
    }
}

/// Without these headers, and those that `Connection` names.
fn without(mut headers: HeaderMap, names: &[HeaderName]) -> HeaderMap {
    let of_connection: Vec<String> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(|name| name.trim().to_owned()))
        .collect();
    for name in of_connection {
        headers.remove(name.as_str());
    }
    for name in names {
        headers.remove(name);
    }
    headers
}

/// Keeps what passes by. Dropped, it hands over what it has.
pub(super) struct Tee {
    log: Arc<Log>,
    began: Instant,
    seen: Option<Seen>,
    /// What is missing of the answer, where its length was promised: nobody asks for more than that.
    missing: Option<u64>,
    /// Whether the answer came to its end.
    ended: bool,
}

impl Tee {
    fn answers(&mut self, status: StatusCode, headers: &HeaderMap) {
        let Some(seen) = &mut self.seen else { return };
        seen.status = status.as_u16();
        seen.answer_headers = keepable(headers);
        let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        seen.streamed = content_type.is_some_and(|value| value.trim_start().starts_with("text/event-stream"));
        let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        self.missing = length.and_then(|length| length.parse().ok());
        self.ended = self.missing == Some(0);
        if headers.contains_key(header::CONTENT_ENCODING) {
            seen.problem = Some("the answer is compressed, although none was asked for".to_owned());
        }
    }

    fn keep(&mut self, chunk: &[u8]) {
        if let Some(missing) = &mut self.missing {
            *missing = missing.saturating_sub(chunk.len() as u64);
            self.ended = *missing == 0;
        }
        let Some(seen) = &mut self.seen else { return };
        if seen.protocol.is_none() || seen.problem.is_some() {
            return;
        }
        if seen.answer.len() + chunk.len() > MAX_ANSWER {
            seen.answer = Vec::new();
            seen.problem = Some(format!("the answer is larger than {} MiB", MAX_ANSWER / (1024 * 1024)));
            return;
        }
        seen.answer.extend_from_slice(chunk);
    }

    fn breaks_off(&mut self, problem: String) {
        self.ended = true;
        if let Some(seen) = &mut self.seen {
            seen.problem.get_or_insert(problem);
        }
    }
}

impl Drop for Tee {
    fn drop(&mut self) {
        let Some(mut seen) = self.seen.take() else { return };
        seen.ms = self.began.elapsed().as_secs_f64() * 1000.0;
        if !self.ended {
            seen.problem
                .get_or_insert_with(|| "the client did not wait for the end of the answer".to_owned());
        }
        self.log.end(seen);
    }
}

/// What goes back to the client.
pub(super) enum Passed {
    /// Words of our own.
    Own(Option<Bytes>),
    /// The provider's answer, as it comes, each piece kept.
    Through { body: reqwest::Body, tee: Box<Tee> },
}

impl Body for Passed {
    type Data = Bytes;
    type Error = reqwest::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, reqwest::Error>>> {
        let (body, tee) = match self.get_mut() {
            Self::Own(words) => return Poll::Ready(words.take().map(|words| Ok(Frame::data(words)))),
            Self::Through { body, tee } => (body, tee),
        };
        let next = Pin::new(body).poll_frame(context);
        match &next {
            Poll::Pending => {}
            Poll::Ready(Some(Ok(frame))) => frame.data_ref().into_iter().for_each(|chunk| tee.keep(chunk)),
            // The client sees it break off, as it would have without us in between.
            Poll::Ready(Some(Err(_))) => tee.breaks_off("the provider's answer broke off".to_owned()),
            Poll::Ready(None) => tee.ended = true,
        }
        next
    }
}
