//! Reading request bodies within bounds.

use axum::extract::Request;
use axum::http::{StatusCode, header};
use futures::StreamExt as _;

use super::refusal::Refusal;

/// The largest request body, in bytes.
const MAX_BODY: usize = 32 * 1024 * 1024;
/// A body that is over the limit is read on up to here, so that a client that is still writing sees the answer and not a reset
/// connection.
const MAX_DISCARDED: usize = 4 * MAX_BODY;

/// The whole body.
pub(super) async fn read(request: Request) -> Result<Vec<u8>, Refusal> {
    let (head, body) = request.into_parts();
    if let Some(encoding) =
        head.headers.get(header::CONTENT_ENCODING).filter(|encoding| *encoding != "identity")
    {
        let message =
            format!("bodies with content-encoding {encoding:?} are not decoded here; send plain JSON");
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let mut stream = body.into_data_stream();
    let mut body = Vec::new();
    let mut length = 0_usize;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| {
            Refusal::new(StatusCode::BAD_REQUEST, format!("the body of the request broke off: {error}"))
        })?;
        length = length.saturating_add(chunk.len());
        if length <= MAX_BODY {
            body.extend_from_slice(&chunk);
        } else if length > MAX_DISCARDED {
            break;
        }
    }
    if length > MAX_BODY {
        let message = format!("the body of the request is larger than {} MiB", MAX_BODY / (1024 * 1024));
        return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    Ok(body)
}
