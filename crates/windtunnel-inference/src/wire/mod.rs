//! Provider wires: how a request is read and an answer written. One module per wire, behind one trait.

pub(crate) mod openai_chat;

use axum::body::Bytes;
use serde_json::Value;
use windtunnel_api::config::Wire;

use crate::chat::ChatReply;
use crate::seam::ToolResult;

/// A provider's wire protocol, seen from the server. Pure: bytes and values in, bytes out.
pub(crate) trait Protocol: Send + Sync {
    /// Which wire it is.
    fn wire(&self) -> Wire;

    /// The path that clients post to, below the version segment.
    fn path(&self) -> &'static str;

    /// Reads a request body.
    ///
    /// # Errors
    /// What is missing or wrong in it, and what was expected.
    fn read(&self, body: Value) -> Result<WireRequest, String>;

    /// The body in the form that people write patterns for, where it differs from the one that was sent.
    fn plain_form(&self, body: &Value) -> Option<Value>;

    /// The tool results among messages.
    fn tool_results(&self) -> fn(&[Value]) -> Vec<ToolResult>;

    /// Writes an answer. `number` makes its ids.
    fn reply(&self, number: u64, reply: &ChatReply, model: &str, delivery: Delivery) -> Payload;

    /// Writes an error.
    fn error(&self, status: u16, message: &str) -> Payload;
}

/// A request as any wire gives it.
#[derive(Debug, PartialEq)]
pub(crate) struct WireRequest {
    pub(crate) model: String,
    pub(crate) messages: Vec<Value>,
    /// The names of the tools it offers.
    pub(crate) offered: Vec<String>,
    pub(crate) delivery: Delivery,
}

/// How the client wants its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// As one JSON document.
    Whole,
    /// As server-sent events.
    Stream {
        /// Whether the token usage is asked for.
        usage: bool,
    },
}

/// A response body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Payload {
    pub(crate) content_type: &'static str,
    /// Pieces that are flushed one by one.
    pub(crate) frames: Vec<Bytes>,
}

impl Payload {
    pub(crate) fn json(value: &impl serde::Serialize) -> Self {
        Self { content_type: "application/json", frames: vec![to_bytes(value)] }
    }
}

/// Values here have string keys and no custom serialisers, so they always serialise.
pub(crate) fn to_bytes(value: &impl serde::Serialize) -> Bytes {
    serde_json::to_vec(value).unwrap_or_default().into()
}

/// Every wire that is spoken.
pub(crate) const ALL: [&dyn Protocol; 1] = [&openai_chat::OpenAiChat];
