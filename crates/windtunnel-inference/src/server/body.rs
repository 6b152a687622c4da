//! Reading request bodies within bounds.

use std::future::poll_fn;
use std::pin::Pin;

use hyper::body::{Body as _, Bytes, Incoming};
use hyper::{HeaderMap, StatusCode, header};

/// The largest request body that is read, in bytes.
pub const MAX_BODY: usize = 32 * 1024 * 1024;

/// A body that is over the limit is read on up to here, so that a client that is still writing sees the answer and not a
/// reset connection.
const MAX_DISCARDED: usize = 4 * MAX_BODY;

/// Why a body was not understood.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unread {
    pub(crate) status: StatusCode,
    /// The provider's code, where the status does not say it all.
    pub(super) code: Option<&'static str>,
    pub(crate) message: String,
}

impl Unread {
    pub(super) fn new(status: StatusCode, message: String) -> Self {
        Self { status, code: None, message }
    }
}

/// The whole body, which may not be encoded.
pub(super) async fn read(headers: &HeaderMap, body: Incoming) -> Result<Bytes, Unread> {
    let bytes = whole(headers, body).await?;
    let encoding =
        headers.get(header::CONTENT_ENCODING).map(|value| String::from_utf8_lossy(value.as_bytes()));
    match encoding.filter(|encoding| !encoding.trim().eq_ignore_ascii_case("identity")) {
        None => Ok(bytes),
        Some(encoding) => {
            let message = format!(
                "request bodies with content-encoding {encoding} are not decoded here; send plain JSON"
            );
            Err(Unread::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
        }
    }
}

/// The whole body, as it comes.
pub(crate) async fn whole(headers: &HeaderMap, mut body: Incoming) -> Result<Bytes, Unread> {
    if is_hopeless(headers) {
        return Err(too_large());
    }
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
        if length > MAX_BODY {
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
    if length > MAX_BODY {
        return Err(too_large());
    }
    Ok(if joined.is_empty() { first } else { joined.into() })
}

/// Whether nothing of a body is worth reading by what its headers promise: more than is taken from a client that waits to be told to send
/// it, or more than is ever read.
fn is_hopeless(headers: &HeaderMap) -> bool {
    let promised = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let promised: u64 = promised.and_then(|length| length.parse().ok()).unwrap_or_default();
    let limit = if headers.contains_key(header::EXPECT) { MAX_BODY } else { MAX_DISCARDED };
    promised > limit as u64
}

fn too_large() -> Unread {
    let message = format!("the request body is larger than {} MiB", MAX_BODY / (1024 * 1024));
    Unread::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}
