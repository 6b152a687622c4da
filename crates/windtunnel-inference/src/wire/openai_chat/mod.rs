//! OpenAI Chat Completions.

mod decode;
mod reply;
mod request;

use hyper::HeaderMap;
use serde_json::{Value, json};
use windtunnel_api::config::Wire;
use windtunnel_api::surface::Surface;

pub(crate) use self::request::{surface_of, tool_results};
use super::{CREATED, Delivery, Operation, Payload, Protocol, ReplyTo, WireError, WireRequest};
use crate::chat::ChatReply;
use crate::seam::ToolResult;

/// The wire.
pub(crate) struct OpenAiChat;

impl Protocol for OpenAiChat {
    fn wire(&self) -> Wire {
        Wire::OpenAiChat
    }

    fn paths(&self) -> &'static [(&'static str, Operation)] {
        &[("chat/completions", Operation::Infer)]
    }

    fn base_url_variable(&self) -> (&'static str, bool) {
        ("OPENAI_BASE_URL", true)
    }

    fn is_spoken_by(&self, _headers: &HeaderMap) -> bool {
        false
    }

    fn read(&self, body: Value) -> Result<WireRequest, String> {
        request::read(body)
    }

    fn plain_form(&self, body: &Value) -> Option<Value> {
        request::plain_form(body)
    }

    fn surface(&self, body: &Value) -> Surface {
        request::surface(body)
    }

    fn tool_results(&self) -> fn(&[Value]) -> Vec<ToolResult> {
        tool_results
    }

    fn reply(&self, reply: &ChatReply, to: &ReplyTo<'_>) -> Payload {
        match to.delivery {
            Delivery::Whole => reply::whole(to.number, reply, to.model),
            Delivery::Stream { usage } => reply::stream(to.number, reply, to.model, usage),
        }
    }

    fn failing_reply(&self, reply: &ChatReply, to: &ReplyTo<'_>, error: &WireError<'_>) -> (u16, Payload) {
        match to.delivery {
            Delivery::Whole => (error.status, self::error(error)),
            Delivery::Stream { usage } => {
                (200, reply::broken_stream(to.number, reply, to.model, usage, &error_object(error)))
            }
        }
    }

    fn error(&self, error: &WireError<'_>) -> Payload {
        self::error(error)
    }

    fn models(&self) -> Payload {
        Payload::json(&json!({"object": "list", "data": [model_object("scripted")]}))
    }

    fn model(&self, id: &str) -> Payload {
        Payload::json(&model_object(id))
    }

    fn token_count(&self, tokens: u64) -> Payload {
        Payload::json(&json!({ "total_tokens": tokens }))
    }

    fn decode(&self, body: &[u8], streamed: bool) -> Result<ChatReply, String> {
        if streamed { decode::streamed(body) } else { decode::whole(body) }
    }
}

/// An error as this wire writes it; also the shape of errors that belong to no wire.
pub(crate) fn error(error: &WireError<'_>) -> Payload {
    Payload::json(&error_object(error))
}

fn error_object(error: &WireError<'_>) -> Value {
    let (kind, code) = match error.status {
        401 => ("invalid_request_error", json!("invalid_api_key")),
        404 => ("invalid_request_error", json!("not_found")),
        429 => ("requests", json!("rate_limit_exceeded")),
        500.. => ("server_error", Value::Null),
        _ => ("invalid_request_error", Value::Null),
    };
    let code = error.code.map_or(code, Into::into);
    json!({"error": {"message": error.message, "type": kind, "param": null, "code": code}})
}

fn model_object(id: &str) -> Value {
    json!({"id": id, "object": "model", "created": CREATED, "owned_by": "windtunnel"})
}
