//! OpenAI Chat Completions.

mod reply;
mod request;

use serde_json::{Value, json};
use windtunnel_api::config::Wire;

pub(crate) use self::request::tool_results;
use super::{Delivery, Payload, Protocol, WireRequest};
use crate::chat::ChatReply;
use crate::seam::ToolResult;

/// The wire.
pub(crate) struct OpenAiChat;

impl Protocol for OpenAiChat {
    fn wire(&self) -> Wire {
        Wire::OpenAiChat
    }

    fn path(&self) -> &'static str {
        "chat/completions"
    }

    fn read(&self, body: Value) -> Result<WireRequest, String> {
        request::read(body)
    }

    fn plain_form(&self, body: &Value) -> Option<Value> {
        request::plain_form(body)
    }

    fn tool_results(&self) -> fn(&[Value]) -> Vec<ToolResult> {
        tool_results
    }

    fn reply(&self, number: u64, reply: &ChatReply, model: &str, delivery: Delivery) -> Payload {
        match delivery {
            Delivery::Whole => reply::whole(number, reply, model),
            Delivery::Stream { usage } => reply::stream(number, reply, model, usage),
        }
    }

    fn error(&self, status: u16, message: &str) -> Payload {
        error(status, message)
    }
}

/// An error as this wire writes it; also the shape of errors that belong to no wire.
pub(crate) fn error(status: u16, message: &str) -> Payload {
    let (kind, code) = match status {
        401 => ("invalid_request_error", json!("invalid_api_key")),
        404 => ("invalid_request_error", json!("not_found")),
        429 => ("requests", json!("rate_limit_exceeded")),
        500.. => ("server_error", Value::Null),
        _ => ("invalid_request_error", Value::Null),
    };
    Payload::json(&json!({"error": {"message": message, "type": kind, "param": null, "code": code}}))
}

/// The list of models. The scripted one answers under every name.
pub(crate) fn models() -> Payload {
    Payload::json(&json!({"object": "list", "data": [model_object("scripted")]}))
}

/// A model of any name.
pub(crate) fn model(id: &str) -> Payload {
    Payload::json(&model_object(id))
}

fn model_object(id: &str) -> Value {
    json!({"id": id, "object": "model", "created": reply::CREATED, "owned_by": "windtunnel"})
}
