//! Answers as one document.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::refusal::Refusal;
use super::reply::Heading;
use super::server::Answer;
use crate::exchange::{ChatDelta, ChatReply};
use crate::openai::CallNumbers;

/// The longest answer that is gathered, in bytes of its texts.
const MAX_ANSWER: usize = 32 * 1024 * 1024;

/// Waits for the agent's last piece. When the client is gone the session is dropped with this future.
pub(super) async fn respond(mut answer: Answer, heading: Heading) -> Result<Response, Refusal> {
    let too_much = |why: String| {
        Refusal::new(StatusCode::BAD_GATEWAY, format!("the agent's answer is too large: {why}"))
    };
    let mut numbers = CallNumbers::default();
    let mut reply = ChatReply::default();
    let mut length = 0_usize;
    while reply.finish_reason.is_none() {
        let mut delta = answer.next().await?;
        length = length.saturating_add(text_bytes(&delta));
        if length > MAX_ANSWER {
            return Err(too_much(format!("it is longer than {} MiB", MAX_ANSWER / (1024 * 1024))));
        }
        for piece in &mut delta.tool_calls {
            let numbered = numbers.take(std::mem::take(piece).into());
            *piece = numbered.map_err(|error| too_much(error.to_string()))?;
        }
        reply.push(delta);
    }
    answer.close();
    let json = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, json)], heading.whole(reply)).into_response())
}

fn text_bytes(delta: &ChatDelta) -> usize {
    let texts = [&delta.content, &delta.reasoning].into_iter();
    let arguments = delta.tool_calls.iter().map(|piece| &piece.arguments);
    texts.chain(arguments).flatten().map(String::len).sum()
}
