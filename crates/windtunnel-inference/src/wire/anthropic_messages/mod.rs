//! Anthropic Messages.

mod decode;
mod error;
mod ids;
mod messages;
mod plain;
mod reply;
mod request;
mod thinking;

use hyper::HeaderMap;
use hyper::body::Bytes;
use serde_json::{Value, json};
use windtunnel_api::config::Wire;
use windtunnel_api::surface::Surface;

use self::error::ErrorBody;
use super::{Delivery, Operation, Payload, Protocol, ReplyTo, WireError, WireRequest};
use crate::chat::ChatReply;
use crate::seam::ToolResult;

/// The wire.
pub(crate) struct AnthropicMessages;

impl Protocol for AnthropicMessages {
    fn wire(&self) -> Wire {
        Wire::AnthropicMessages
    }

    fn paths(&self) -> &'static [(&'static str, Operation)] {
        &[("messages", Operation::Infer), ("messages/count_tokens", Operation::CountTokens)]
    }

    fn base_url_variable(&self) -> (&'static str, bool) {
        ("ANTHROPIC_BASE_URL", false)
    }

    fn is_spoken_by(&self, headers: &HeaderMap) -> bool {
        headers.contains_key("anthropic-version")
    }

    fn read(&self, body: Value) -> Result<WireRequest, String> {
        request::read(body)
    }

    fn plain_form(&self, body: &Value) -> Option<Value> {
        plain::plain_form(body)
    }

    fn with_messages(&self, mut body: Value, messages: &[Value]) -> Value {
        if let Value::Object(fields) = &mut body {
            fields.insert("messages".to_owned(), messages.into());
        }
        body
    }

    fn surface(&self, body: &Value) -> Surface {
        plain::surface(body)
    }

    fn tool_results(&self) -> fn(&[Value]) -> Vec<ToolResult> {
        messages::tool_results
    }

    fn reply(&self, reply: &ChatReply, to: &ReplyTo<'_>) -> Payload {
        match to.delivery {
            Delivery::Whole => reply::whole(to.number, reply, to.model),
            Delivery::Stream { .. } => reply::stream(to.number, reply, to.model),
        }
    }

    fn failing_reply(&self, reply: &ChatReply, to: &ReplyTo<'_>, error: &WireError<'_>) -> (u16, Payload) {
        match to.delivery {
            Delivery::Whole => (error.status, self.error(error)),
            Delivery::Stream { .. } => (200, reply::failing_stream(to.number, reply, to.model, error)),
        }
    }

    fn failing_status(&self) -> u16 {
        529
    }

    fn error(&self, error: &WireError<'_>) -> Payload {
        Payload::json(&ErrorBody::from(error))
    }

    fn models(&self) -> Payload {
        let id = "scripted";
        Payload::json(&json!({"data": [model(id)], "has_more": false, "first_id": id, "last_id": id}))
    }

    fn model(&self, id: &str) -> Payload {
        Payload::json(&model(id))
    }

    fn token_count(&self, tokens: u64) -> Payload {
        Payload::json(&json!({ "input_tokens": tokens }))
    }

    fn malformed_frame(&self) -> Bytes {
        Bytes::from_static(b"event: content_block_delta\ndata: {\"type\": \"content_block_delta\", \"ind\n\n")
    }

    fn kept(&self, reply: &ChatReply, to: &ReplyTo<'_>) -> Option<(String, Vec<Value>)> {
        let (id, message) = to.stored.then(|| reply::kept(to.number, reply))?;
        Some((id, vec![message]))
    }

    /// A thread has the tools and the system prompt that it was created with.
    fn keeps_tools(&self) -> bool {
        true
    }

    fn unknown_answer(&self) -> (u16, &'static str) {
        (404, "thread_not_found")
    }

    fn decode(&self, body: &[u8], streamed: bool) -> Result<ChatReply, String> {
        if streamed { decode::stream(body) } else { decode::whole(body) }
    }
}

fn model(id: &str) -> Value {
    json!({
        "type": "model",
        "id": id,
        "display_name": id,
        "created_at": "2026-01-01T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": 200_000,
        "max_tokens": 64_000,
    })
}
