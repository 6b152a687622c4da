//! Responses: headers that clients look for, and bodies that know when they were delivered.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use futures::Stream;
use windtunnel_api::InferenceFault;

use crate::seam::InferenceSeam;
use crate::wire::Payload;

const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");

/// A response of this status.
pub(super) fn response(status: StatusCode, payload: Payload) -> Response {
    with_frames(status, payload, |frames| Body::from(frames.concat()))
}

/// The same; the seam is told when its last byte is handed to the connection.
pub(super) fn tracked(
    status: StatusCode,
    payload: Payload,
    seam: Arc<InferenceSeam>,
    number: u64,
) -> Response {
    with_frames(status, payload, |frames| {
        Body::from_stream(Frames { left: frames.into_iter(), seam, number })
    })
}

fn with_frames(status: StatusCode, payload: Payload, body: impl FnOnce(Vec<Bytes>) -> Body) -> Response {
    let length = match payload.frames.as_slice() {
        [whole] => Some(whole.len()),
        _ => None,
    };
    let mut response = Response::new(body(payload.frames));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(payload.content_type));
    match length {
        Some(length) => headers.insert(header::CONTENT_LENGTH, length.into()),
        None => headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    };
    response
}

/// Says that asking again is of no use.
pub(super) fn do_not_retry(response: &mut Response) {
    response.headers_mut().insert(SHOULD_RETRY, HeaderValue::from_static("false"));
}

/// Says when to try again, in seconds and, for fractions, in milliseconds.
pub(super) fn retry_after(response: &mut Response, fault: &InferenceFault) {
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
pub(super) fn common(response: &mut Response, request: u64) {
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&format!("req_wt_{request}")) {
        headers.insert(HeaderName::from_static("request-id"), id.clone());
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("*"));
}

/// The answer to a browser that asks whether it may ask. `Authorization` is named, because a wildcard does not cover it.
pub(super) fn preflight(request: &HeaderMap) -> Response {
    let mut response = Response::new(Body::empty());
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
pub(super) fn allow(response: &mut Response, method: &'static str) {
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(method));
}

/// A body that hands out its frames one by one. One that is dropped before the last was not delivered.
struct Frames {
    left: std::vec::IntoIter<Bytes>,
    seam: Arc<InferenceSeam>,
    number: u64,
}

impl Stream for Frames {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let frame = self.left.next();
        if frame.is_some() && self.left.len() == 0 {
            self.seam.delivered(self.number);
        }
        Poll::Ready(frame.map(Ok))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}
