//! Writing answers: one JSON document, or server-sent events that each have a name.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::error::ErrorBody;
use super::{ids, thinking};
use crate::chat::{CallRequest, ChatReply, Stop, TokenUsage};
use crate::wire::pieces::pieces;
use crate::wire::{EventWriter, Payload, WireError};

#[derive(Serialize)]
struct Message<'a> {
    id: String,
    r#type: &'static str,
    role: &'static str,
    model: &'a str,
    content: Vec<Block<'a>>,
    stop_reason: Option<&'static str>,
    stop_sequence: Option<()>,
    stop_details: Option<StopDetails>,
    usage: Usage,
}

/// A block as a whole, and as the start of one.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Thinking { thinking: &'a str, signature: &'a str },
    Text { text: &'a str },
    ToolUse { id: &'a str, name: &'a str, input: Value },
}

#[derive(Clone, Copy, Default, Serialize)]
#[expect(clippy::struct_field_names, reason = "as they are on the wire")]
struct End {
    stop_reason: Option<&'static str>,
    stop_sequence: Option<()>,
    stop_details: Option<StopDetails>,
}

#[derive(Clone, Copy, Serialize)]
struct StopDetails {
    r#type: &'static str,
    category: Option<()>,
    explanation: Option<()>,
}

/// In a stream these are counts of everything up to the event that has them.
#[derive(Clone, Copy, Serialize)]
#[expect(clippy::struct_field_names, reason = "as they are on the wire")]
struct Usage {
    input_tokens: u64,
    cache_creation_input_tokens: u64,
    cache_read_input_tokens: u64,
    output_tokens: u64,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event<'a> {
    MessageStart { message: Message<'a> },
    ContentBlockStart { index: usize, content_block: Block<'a> },
    Ping,
    ContentBlockDelta { index: usize, delta: Delta<'a> },
    ContentBlockStop { index: usize },
    MessageDelta { delta: End, usage: Usage },
    MessageStop,
}

#[derive(Serialize)]
#[serde(tag = "type")]
enum Delta<'a> {
    #[serde(rename = "thinking_delta")]
    Thinking { thinking: &'a str },
    #[serde(rename = "signature_delta")]
    Signature { signature: &'a str },
    #[serde(rename = "text_delta")]
    Text { text: &'a str },
    #[serde(rename = "input_json_delta")]
    InputJson { partial_json: &'a str },
}

impl Event<'_> {
    /// The name in the `event` line, without which most clients see nothing.
    fn name(&self) -> &'static str {
        match self {
            Self::MessageStart { .. } => "message_start",
            Self::ContentBlockStart { .. } => "content_block_start",
            Self::Ping => "ping",
            Self::ContentBlockDelta { .. } => "content_block_delta",
            Self::ContentBlockStop { .. } => "content_block_stop",
            Self::MessageDelta { .. } => "message_delta",
            Self::MessageStop => "message_stop",
        }
    }

    fn write(&self, events: &mut EventWriter) {
        events.named(self.name(), self);
    }
}

/// A piece of an answer that becomes a block.
enum Part<'a> {
    Thinking { text: &'a str, signature: String },
    Text(&'a str),
    Call { id: String, call: &'a CallRequest },
}

impl<'a> Part<'a> {
    /// The thinking, the text, and the calls. There are no empty blocks: the provider would not take them back.
    fn all(reply: &'a ChatReply) -> impl Iterator<Item = Self> {
        let some = |text: &'a Option<String>| text.as_deref().filter(|text| !text.is_empty());
        let thinking = some(&reply.reasoning);
        let calls = reply.tool_calls.iter().map(move |call| {
            let id = ids::sent(&call.id, thinking.is_some());
            Self::Call { id, call }
        });
        let thinking = thinking.map(|text| Self::Thinking { text, signature: thinking::signature(text) });
        thinking.into_iter().chain(some(&reply.content).map(Self::Text)).chain(calls)
    }

    fn whole(&self) -> Block<'_> {
        match self {
            Self::Thinking { text, signature } => Block::Thinking { thinking: text, signature },
            Self::Text(text) => Block::Text { text },
            Self::Call { id, call } => Block::ToolUse { id, name: &call.name, input: input(call) },
        }
    }

    fn start(&self) -> Block<'_> {
        match self {
            Self::Thinking { .. } => Block::Thinking { thinking: "", signature: "" },
            Self::Text(_) => Block::Text { text: "" },
            Self::Call { id, call } => Block::ToolUse { id, name: &call.name, input: Map::new().into() },
        }
    }

    fn deltas(&self, mut delta: impl FnMut(Delta<'_>)) {
        match self {
            Self::Thinking { text, signature } => {
                pieces(text).for_each(|thinking| delta(Delta::Thinking { thinking }));
                delta(Delta::Signature { signature });
            }
            Self::Text(text) => pieces(text).for_each(|text| delta(Delta::Text { text })),
            Self::Call { call, .. } => {
                pieces(&call.arguments).for_each(|partial_json| delta(Delta::InputJson { partial_json }));
            }
        }
    }
}

/// The arguments, which have to be an object: what the length cut off is left out as a whole.
fn input(call: &CallRequest) -> Value {
    match call.arguments_value() {
        input @ Value::Object(_) => input,
        _ => Map::new().into(),
    }
}

fn id(number: u64) -> String {
    format!("msg_wt_{number}")
}

fn end(reply: &ChatReply) -> End {
    let reason = match reply.stop {
        Stop::Length => "max_tokens",
        Stop::Refusal => "refusal",
        Stop::Done if reply.tool_calls.is_empty() => "end_turn",
        Stop::Done => "tool_use",
    };
    let refused = StopDetails { r#type: "refusal", category: None, explanation: None };
    End {
        stop_reason: Some(reason),
        stop_sequence: None,
        stop_details: (reply.stop == Stop::Refusal).then_some(refused),
    }
}

/// What comes from a cache is counted apart here.
fn usage(reply: &ChatReply) -> Usage {
    let TokenUsage { prompt, cached, completion } = reply.usage.unwrap_or_default();
    Usage {
        input_tokens: prompt.saturating_sub(cached),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: cached,
        output_tokens: completion,
    }
}

/// An answer as a message of later requests, by its id.
pub(super) fn kept(number: u64, reply: &ChatReply) -> (String, Value) {
    let parts: Vec<Part<'_>> = Part::all(reply).collect();
    let content: Vec<Block<'_>> = parts.iter().map(Part::whole).collect();
    (id(number), json!({"role": "assistant", "content": content}))
}

fn message<'a>(number: u64, model: &'a str, content: Vec<Block<'a>>, end: End, usage: Usage) -> Message<'a> {
    let End { stop_reason, stop_sequence, stop_details } = end;
    Message {
        id: id(number),
        r#type: "message",
        role: "assistant",
        model,
        content,
        stop_reason,
        stop_sequence,
        stop_details,
        usage,
    }
}

pub(super) fn whole(number: u64, reply: &ChatReply, model: &str) -> Payload {
    let parts: Vec<Part<'_>> = Part::all(reply).collect();
    let content = parts.iter().map(Part::whole).collect();
    Payload::json(&message(number, model, content, end(reply), usage(reply)))
}

pub(super) fn stream(number: u64, reply: &ChatReply, model: &str) -> Payload {
    let usage = usage(reply);
    let begun = Usage { output_tokens: usage.output_tokens.min(1), ..usage };
    let start = message(number, model, Vec::new(), End::default(), begun);
    let mut events = EventWriter::new();
    Event::MessageStart { message: start }.write(&mut events);
    Event::Ping.write(&mut events);
    for (index, part) in Part::all(reply).enumerate() {
        Event::ContentBlockStart { index, content_block: part.start() }.write(&mut events);
        part.deltas(|delta| Event::ContentBlockDelta { index, delta }.write(&mut events));
        Event::ContentBlockStop { index }.write(&mut events);
    }
    Event::MessageDelta { delta: end(reply), usage }.write(&mut events);
    Event::MessageStop.write(&mut events);
    events.finish()
}

/// Half of a stream, and then the error.
pub(super) fn failing_stream(number: u64, reply: &ChatReply, model: &str, error: &WireError<'_>) -> Payload {
    let mut last = EventWriter::new();
    last.named("error", &ErrorBody::from(error));
    stream(number, reply, model).half_then(last.finish())
}
