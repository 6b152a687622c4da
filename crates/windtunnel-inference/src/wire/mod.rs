//! Provider wires: how a request is read and an answer written. One module per wire, behind one trait.

mod address;
mod anthropic_messages;
mod events;
pub(crate) mod openai_chat;
mod openai_responses;
mod pieces;
mod value;

use hyper::HeaderMap;
use hyper::body::Bytes;
use serde_json::Value;
use windtunnel_api::config::Wire;
use windtunnel_api::surface::Surface;

pub(crate) use self::address::{asks_for_web_socket, base_url, below_version, of_path, speaker, variables};
pub(crate) use self::events::EventWriter;
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

/// What a POST asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// An answer.
    Infer,
    /// The number of tokens in a request.
    CountTokens,
}

/// A request as any wire gives it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct WireRequest {
    pub(crate) model: String,
    pub(crate) messages: Vec<Value>,
    /// The names of the tools it offers.
    pub(crate) offered: Vec<String>,
    pub(crate) delivery: Delivery,
    /// The earlier answer that it goes on from.
    pub(crate) previous: Option<String>,
    /// Whether it only prepares the model and wants no answer.
    pub(crate) warm_up: bool,
    /// Whether reasoning is to come back in a form that the client can replay.
    pub(crate) replayable_reasoning: bool,
    /// Whether the answer is to be kept for requests that go on from it.
    pub(crate) stored: bool,
    /// Offered tools that are called in a form of their own.
    pub(crate) tool_forms: Vec<ToolForm>,
}

impl WireRequest {
    /// What the answer of this number has to fit.
    pub(crate) fn reply_to(&self, number: u64) -> ReplyTo<'_> {
        ReplyTo {
            number,
            model: &self.model,
            delivery: self.delivery,
            previous: self.previous.as_deref(),
            replayable_reasoning: self.replayable_reasoning,
            stored: self.stored,
            tool_forms: &self.tool_forms,
        }
    }
}

/// How an offered tool is called, where that is not by the name it is offered under and with a JSON object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ToolForm {
    /// The name it is offered under to a script.
    pub(crate) offered: String,
    /// The name that the call has on the wire.
    pub(crate) name: String,
    /// The group of tools that the call names beside it.
    pub(crate) namespace: Option<String>,
    /// Whether it takes a text.
    pub(crate) takes_text: bool,
}

/// What an answer has to fit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReplyTo<'a> {
    /// Makes the ids: equal for a repeated answer, unique otherwise.
    pub(crate) number: u64,
    pub(crate) model: &'a str,
    pub(crate) delivery: Delivery,
    /// The earlier answer that the request goes on from.
    pub(crate) previous: Option<&'a str>,
    pub(crate) replayable_reasoning: bool,
    pub(crate) stored: bool,
    pub(crate) tool_forms: &'a [ToolForm],
}

/// An error to be written in a provider's words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WireError<'a> {
    pub(crate) status: u16,
    /// The provider's code, where the status does not say it all.
    pub(crate) code: Option<&'a str>,
    pub(crate) message: &'a str,
    /// The number of the request that it answers, where it has one.
    pub(crate) request: Option<u64>,
}

impl<'a> WireError<'a> {
    pub(crate) fn new(status: u16, message: &'a str) -> Self {
        Self { status, code: None, message, request: None }
    }

    /// The same as the answer to this request.
    pub(crate) fn to_request(self, number: u64) -> Self {
        Self { request: Some(number), ..self }
    }
}

/// The id of a request, by its number.
pub(crate) fn request_id(number: u64) -> String {
    format!("req_wt_{number}")
}

/// The moment every answer says it was made at, in seconds since the Unix epoch, so that two runs are the same.
pub(crate) const CREATED: u64 = 1_767_225_600;

/// How the client wants its answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// As one JSON document.
    #[default]
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

    /// How many frames are about half of them.
    pub(crate) fn half(&self) -> usize {
        self.frames.len().div_ceil(2)
    }

    /// About half of a streamed answer, and then these events instead of the rest.
    pub(crate) fn half_then(mut self, events: Self) -> Self {
        self.frames.truncate(self.half());
        self.frames.extend(events.frames);
        self
    }
}

/// Values here have string keys and no custom serialisers, so they always serialise.
pub(crate) fn to_bytes(value: &impl serde::Serialize) -> Bytes {
    serde_json::to_vec(value).unwrap_or_default().into()
}

/// Every wire that is spoken. The first one speaks where a client does not say which it expects.
pub(crate) const ALL: [&dyn Protocol; 3] =
    [&openai_chat::OpenAiChat, &openai_responses::OpenAiResponses, &anthropic_messages::AnthropicMessages];
