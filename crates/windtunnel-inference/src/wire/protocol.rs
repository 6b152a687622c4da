//! What a wire is.

use hyper::HeaderMap;
use hyper::body::Bytes;
use serde_json::Value;
use windtunnel_api::config::Wire;
use windtunnel_api::surface::Surface;

use super::error::WireError;
use super::payload::Payload;
use super::request::{Operation, ReplyTo, WireRequest};
use crate::chat::ChatReply;
use crate::seam::ToolResult;

/// A provider's wire protocol, seen from the server. Pure: bytes and values in, bytes out.
pub(crate) trait Protocol: Send + Sync {
    /// Which wire it is.
    fn wire(&self) -> Wire;

    /// The paths below the version segment that are posted to, and what they ask for.
    fn paths(&self) -> &'static [(&'static str, Operation)];

    /// The variable that the provider's clients take their base URL from, and whether that ends with the version segment.
    fn base_url_variable(&self) -> (&'static str, bool);

    /// Whether the client that sent these headers speaks this wire and no other: it decides the shape of what wires share.
    fn is_spoken_by(&self, headers: &HeaderMap) -> bool;

    /// Reads a request body.
    ///
    /// # Errors
    /// What is missing or wrong in it, and what was expected.
    fn read(&self, body: Value) -> Result<WireRequest, String>;

    /// The body in the form that people write patterns for, where it differs from the one that was sent.
    fn plain_form(&self, body: &Value) -> Option<Value>;

    /// The body as it would be had these messages come with it, where a request may go on from an earlier answer.
    fn with_messages(&self, body: Value, _messages: &[Value]) -> Value {
        body
    }

    /// What a request tells the model besides the conversation.
    fn surface(&self, body: &Value) -> Surface;

    /// The tool results among messages.
    fn tool_results(&self) -> fn(&[Value]) -> Vec<ToolResult>;

    /// Writes an answer.
    fn reply(&self, reply: &ChatReply, to: &ReplyTo<'_>) -> Payload;

    /// Writes an answer that the provider's error comes into the middle of; where it is not streamed, the error alone. With the
    /// HTTP status of it.
    fn failing_reply(&self, reply: &ChatReply, to: &ReplyTo<'_>, error: &WireError<'_>) -> (u16, Payload);

    /// The HTTP status of an error that comes into the middle of an answer.
    fn failing_status(&self) -> u16 {
        500
    }

    /// Writes an error.
    fn error(&self, error: &WireError<'_>) -> Payload;

    /// Writes the list of models, which the scripted one answers under any name of.
    fn models(&self) -> Payload;

    /// Writes what is known of a model.
    fn model(&self, id: &str) -> Payload;

    /// Writes how many tokens a request has.
    fn token_count(&self, tokens: u64) -> Payload;

    /// A frame that is not what this wire sends.
    fn malformed_frame(&self) -> Bytes {
        Bytes::from_static(b"data: {\"id\": \"broken\n\n")
    }

    /// What was asked to be kept of an answer, to be referred to by later requests: its id, and its items as messages of this wire.
    fn kept(&self, _reply: &ChatReply, _to: &ReplyTo<'_>) -> Option<(String, Vec<Value>)> {
        None
    }

    /// Whether a request that goes on from an answer has the tools that came with that answer's request.
    fn keeps_tools(&self) -> bool {
        false
    }

    /// The HTTP status and the code of the error for a request that goes on from an answer that is not known.
    fn unknown_answer(&self) -> (u16, &'static str) {
        (400, "previous_response_not_found")
    }

    /// Reads a provider's answer of status 200.
    ///
    /// # Errors
    /// What cannot be understood in it.
    fn decode(&self, body: &[u8], streamed: bool) -> Result<ChatReply, String>;
}
