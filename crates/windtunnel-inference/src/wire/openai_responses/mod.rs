//! OpenAI Responses over HTTP.

use hyper::HeaderMap;
use serde_json::{Value, json};
use windtunnel_api::config::Wire;
use windtunnel_api::surface::Surface;

use super::{Operation, Payload, Protocol, ReplyTo, WireError, WireRequest};
use crate::chat::ChatReply;
use crate::seam::ToolResult;

/// The wire.
pub(crate) struct OpenAiResponses;

impl Protocol for OpenAiResponses {
    fn wire(&self) -> Wire {
        Wire::OpenAiResponses
    }

    fn paths(&self) -> &'static [(&'static str, Operation)] {
        &[("responses", Operation::Infer), ("responses/input_tokens", Operation::CountTokens)]
    }

    fn is_spoken_by(&self, headers: &HeaderMap) -> bool {
        let _ = headers;
        false
    }

    fn read(&self, _body: Value) -> Result<WireRequest, String> {
        Err("not read yet".to_owned())
    }

    fn plain_form(&self, _body: &Value) -> Option<Value> {
        None
    }

    fn surface(&self, _body: &Value) -> Surface {
        Surface::default()
    }

    fn tool_results(&self) -> fn(&[Value]) -> Vec<ToolResult> {
        |_| Vec::new()
    }

    fn reply(&self, _reply: &ChatReply, _to: &ReplyTo<'_>) -> Payload {
        Payload::json(&json!({}))
    }

    fn failing_reply(&self, _reply: &ChatReply, _to: &ReplyTo<'_>, error: &WireError<'_>) -> (u16, Payload) {
        (error.status, self.error(error))
    }

    fn error(&self, error: &WireError<'_>) -> Payload {
        super::openai_chat::error(error)
    }

    fn models(&self) -> Payload {
        super::openai_chat::OpenAiChat.models()
    }

    fn model(&self, id: &str) -> Payload {
        super::openai_chat::OpenAiChat.model(id)
    }

    fn token_count(&self, tokens: u64) -> Payload {
        Payload::json(&json!({ "input_tokens": tokens }))
    }

    fn decode(&self, _body: &[u8], _streamed: bool) -> Result<ChatReply, String> {
        Err("not read yet".to_owned())
    }
}
