//! OpenAI Responses over HTTP.
//!
//! A script calls a custom tool, which takes a text, with the one argument `input`; a tool in a namespace by its own name.

mod decode;
mod input;
mod item;
mod plain;
mod request;
mod response;
mod stream;
#[cfg(test)]
mod tests;
mod tools;

use hyper::HeaderMap;
use hyper::body::Bytes;
use serde::Serialize;
use serde_json::Value;
use windtunnel_api::config::Wire;
use windtunnel_api::surface::Surface;

use self::response::Response;
use super::openai_chat::{self, OpenAiChat};
use super::{Delivery, Operation, Payload, Protocol, ReplyTo, WireError, WireRequest};
use crate::chat::ChatReply;
use crate::seam::ToolResult;

/// The wire.
pub(crate) struct OpenAiResponses;

#[derive(Serialize)]
struct TokenCount {
    object: &'static str,
    input_tokens: u64,
}

impl Protocol for OpenAiResponses {
    fn wire(&self) -> Wire {
        Wire::OpenAiResponses
    }

    fn paths(&self) -> &'static [(&'static str, Operation)] {
        &[("responses", Operation::Infer), ("responses/input_tokens", Operation::CountTokens)]
    }

    fn base_url_variable(&self) -> (&'static str, bool) {
        ("OPENAI_BASE_URL", true)
    }

    fn is_spoken_by(&self, _headers: &HeaderMap) -> bool {
        // Its lists of models are those of Chat Completions.
        false
    }

    fn read(&self, body: Value) -> Result<WireRequest, String> {
        request::read(body)
    }

    fn plain_form(&self, body: &Value) -> Option<Value> {
        plain::plain_form(body)
    }

    fn with_messages(&self, body: Value, messages: &[Value]) -> Value {
        request::with_items(body, messages)
    }

    fn surface(&self, body: &Value) -> Surface {
        plain::surface(body)
    }

    fn tool_results(&self) -> fn(&[Value]) -> Vec<ToolResult> {
        input::tool_results
    }

    fn reply(&self, reply: &ChatReply, to: &ReplyTo<'_>) -> Payload {
        match to.delivery {
            Delivery::Whole => Payload::json(&Response::ended(reply, &item::items(reply, to), to)),
            Delivery::Stream { .. } => stream::stream(reply, to),
        }
    }

    fn failing_reply(&self, reply: &ChatReply, to: &ReplyTo<'_>, error: &WireError<'_>) -> (u16, Payload) {
        // A response that failed is an answer like any other.
        let payload = match to.delivery {
            Delivery::Whole => Payload::json(&Response::failed(error, to)),
            Delivery::Stream { .. } => stream::failing_stream(reply, to, error),
        };
        (200, payload)
    }

    fn error(&self, error: &WireError<'_>) -> Payload {
        openai_chat::error(error)
    }

    fn models(&self) -> Payload {
        OpenAiChat.models()
    }

    fn model(&self, id: &str) -> Payload {
        OpenAiChat.model(id)
    }

    fn token_count(&self, tokens: u64) -> Payload {
        Payload::json(&TokenCount { object: "response.input_tokens", input_tokens: tokens })
    }

    fn malformed_frame(&self) -> Bytes {
        Bytes::from_static(b"event: response.output_text.delta\ndata: {\"type\": \"response.output_te\n\n")
    }

    fn kept(&self, reply: &ChatReply, to: &ReplyTo<'_>) -> Option<(String, Vec<Value>)> {
        let items =
            || item::items(reply, to).iter().filter_map(|item| serde_json::to_value(item).ok()).collect();
        to.stored.then(|| (response::id(to.number), items()))
    }

    fn decode(&self, body: &[u8], streamed: bool) -> Result<ChatReply, String> {
        decode::decode(body, streamed)
    }
}
