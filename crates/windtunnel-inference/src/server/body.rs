//! Reading request bodies within bounds.

use std::future::poll_fn;
use std::pin::Pin;

use hyper::body::{Body as _, Bytes, Incoming};
use hyper::{HeaderMap, StatusCode, header};

use super::MAX_BODY;

/// A body that is over the limit is read on up to here, so that a client that is still writing sees the answer and not a
/// reset connection.
const MAX_DISCARDED: usize = 8 * MAX_BODY;

/// Why a body was not understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unread {
    pub(super) status: StatusCode,
    /// The provider's code, where the status does not say it all.
    pub(super) code: Option<&'static str>,
    pub(super) message: String,
}

impl Unread {
    pub(super) fn new(status: StatusCode, message: String) -> Self {
        Self { status, code: None, message }
    }
}

/// The whole body.
pub(super) async fn read(headers: &HeaderMap, mut body: Incoming) -> Result<Bytes, Unread> {
    let encoding =
        headers.get(header::CONTENT_ENCODING).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let encoding = encoding.filter(|encoding| !encoding.trim().eq_ignore_ascii_case("identity"));
    let mut first = Bytes::new();
    let mut joined = Vec::new();
    let mut length = 0_usize;
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|error| {
            Unread::new(StatusCode::BAD_REQUEST, format!("the request body broke off: {error}"))
        })?;
        let Ok(chunk) = frame.into_data() else { continue };
        length = length.saturating_add(chunk.len());
        if length > MAX_DISCARDED {
            break;
        }
        if length > MAX_BODY || encoding.is_some() {
            continue;
        }
        if length == chunk.len() {
            first = chunk;
        } else {
            if joined.is_empty() {
                joined.extend_from_slice(&first);
            }
            joined.extend_from_slice(&chunk);
        }
    }
    if let Some(encoding) = encoding {
        let message =
            format!("request bodies with content-encoding {encoding} are not decoded here; send plain JSON");
        return Err(Unread::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    if length > MAX_BODY {
        let message = format!("the request body is larger than {} MiB", MAX_BODY / (1024 * 1024));
        return Err(Unread::new(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    Ok(if joined.is_empty() { first } else { joined.into() })
}
