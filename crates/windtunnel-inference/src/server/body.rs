//! Reading request bodies within bounds.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use futures::StreamExt;

use super::MAX_BODY;

/// A body that is over the limit is read on up to here, so that a client that is still writing sees the answer and not a
/// reset connection.
const MAX_DISCARDED: usize = 8 * MAX_BODY;

/// Why a body was not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unread {
    pub(super) status: StatusCode,
    pub(super) message: String,
}

/// The whole body.
pub(super) async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, Unread> {
    let encoding =
        headers.get(header::CONTENT_ENCODING).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let encoding = encoding.filter(|encoding| !encoding.trim().eq_ignore_ascii_case("identity"));
    let mut stream = body.into_data_stream();
    let mut first = Bytes::new();
    let mut joined = Vec::new();
    let mut length = 0_usize;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| Unread {
            status: StatusCode::BAD_REQUEST,
            message: format!("the request body broke off: {error}"),
        })?;
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
        return Err(Unread {
            status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
            message: format!(
                "request bodies with content-encoding {encoding} are not decoded here; send plain JSON"
            ),
        });
    }
    if length > MAX_BODY {
        return Err(Unread {
            status: StatusCode::PAYLOAD_TOO_LARGE,
            message: format!("the request body is larger than {} MiB", MAX_BODY / (1024 * 1024)),
        });
    }
    Ok(if joined.is_empty() { first } else { joined.into() })
}
