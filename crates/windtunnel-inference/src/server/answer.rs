//! Responses: headers that clients look for, and faults as they go over a socket.

use std::sync::Arc;

use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use windtunnel_api::InferenceFault;

use super::stream::{Ending, Outgoing};
use crate::seam::InferenceSeam;
use crate::wire::{Payload, request_id};

const OK: u16 = StatusCode::OK.as_u16();
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");

/// A response of this status.
pub(super) fn response(status: u16, payload: Payload) -> Response<Outgoing> {
    with_body(status, payload, Outgoing::whole)
}

/// The same; the seam is told when its last byte is handed to the connection.
pub(super) fn tracked(
    status: u16,
    payload: Payload,
    seam: &Arc<InferenceSeam>,
    number: u64,
) -> Response<Outgoing> {
    with_body(status, payload, |frames| Outgoing::whole(frames).tracked(Arc::clone(seam), number))
}

/// About half of an answer, which then ends with its connection or never. A document promises its whole length.
pub(super) fn broken(payload: Payload, ending: Ending) -> Response<Outgoing> {
    let half = first_half(&payload);
    with_body(OK, payload, |_| Outgoing::piecemeal(half, ending))
}

/// About half of an answer, and then what is none, as if it were all.
pub(super) fn malformed(payload: &Payload, frame: Bytes) -> Response<Outgoing> {
    let mut frames = first_half(payload);
    if payload.frames.len() > 1 {
        frames.push(frame);
    }
    let payload = Payload { content_type: payload.content_type, frames };
    with_body(OK, payload, |frames| Outgoing::piecemeal(frames, Ending::Well))
}

/// About half of the frames, of a single one half of its bytes.
fn first_half(payload: &Payload) -> Vec<Bytes> {
    match payload.frames.as_slice() {
        [whole] => vec![whole.slice(..whole.len() / 2)],
        several => several.iter().take(payload.half()).cloned().collect(),
    }
}

/// One frame is a document of known length, several are a stream.
fn with_body(status: u16, payload: Payload, body: impl FnOnce(Vec<Bytes>) -> Outgoing) -> Response<Outgoing> {
    let (name, value) = match payload.frames.as_slice() {
        [whole] => (header::CONTENT_LENGTH, whole.len().into()),
        _ => (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    };
    let mut response = Response::new(body(payload.frames));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.reserve(8);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(payload.content_type));
    headers.insert(name, value);
    response
}

/// Says that asking again is of no use.
pub(crate) fn do_not_retry<B>(response: &mut Response<B>) {
    response.headers_mut().insert(SHOULD_RETRY, HeaderValue::from_static("false"));
}

/// Says that the connection takes no further request: what is left of this one's body would be taken for it.
pub(crate) fn close<B>(response: &mut Response<B>) {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
}

/// Says when to try again, in seconds and, for fractions, in milliseconds.
pub(super) fn retry_after(response: &mut Response<Outgoing>, fault: &InferenceFault) {
    let Some(seconds) = fault.retry_after.filter(|seconds| seconds.is_finite() && *seconds >= 0.0) else {
        return;
    };
    let mut set = |name, text: String| {
        if let Ok(value) = HeaderValue::from_str(&text) {
            response.headers_mut().insert(name, value);
        }
    };
    set(header::RETRY_AFTER, seconds.to_string());
    if seconds.fract() != 0.0 {
        set(RETRY_AFTER_MS, (seconds * 1000.0).to_string());
    }
}

/// Headers of every response: the request's id under the names that clients know, and leave for browsers.
pub(super) fn common(response: &mut Response<Outgoing>, request: u64) {
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_maybe_shared(Bytes::from(request_id(request))) {
        headers.insert(HeaderName::from_static("request-id"), id.clone());
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("*"));
}

/// The answer to a browser that asks whether it may ask. `Authorization` is named, because a wildcard does not cover it.
pub(super) fn preflight(request: &HeaderMap) -> Response<Outgoing> {
    let mut response = Response::new(Outgoing::whole(Vec::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, OPTIONS"));
    let asked = request.get(header::ACCESS_CONTROL_REQUEST_HEADERS).and_then(|asked| asked.to_str().ok());
    let allowed =
        asked.map_or_else(|| "Authorization, *".to_owned(), |asked| format!("Authorization, {asked}"));
    if let Ok(allowed) = HeaderValue::from_str(&allowed) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    }
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

/// The method that would have been right.
pub(super) fn allow(response: &mut Response<Outgoing>, method: &'static str) {
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(method));
}

/// The protocol that would have been right.
pub(crate) fn speak_http<B>(response: &mut Response<B>) {
    response.headers_mut().insert(header::UPGRADE, HeaderValue::from_static("HTTP/1.1"));
}
