//! Writing answers: one JSON document, or server-sent events.

use serde::Serialize;
use serde_json::Value;

use crate::chat::{CallRequest, ChatReply, Stop, TokenUsage, tokens};
use crate::wire::pieces::pieces;
use crate::wire::{CREATED, EventWriter, Payload};

#[derive(Serialize)]
struct Envelope<'a, C> {
    id: &'a str,
    object: &'static str,
    created: u64,
    model: &'a str,
    choices: C,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<UsageField>,
    system_fingerprint: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum UsageField {
    /// Null, in a stream that has it at its end.
    Later,
    Now(Usage),
}

#[derive(Serialize)]
struct Usage {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
    prompt_tokens_details: PromptDetails,
    completion_tokens_details: CompletionDetails,
}

#[derive(Serialize)]
struct PromptDetails {
    cached_tokens: u64,
    audio_tokens: u64,
}

#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "as they are on the wire")]
struct CompletionDetails {
    reasoning_tokens: u64,
    audio_tokens: u64,
    accepted_prediction_tokens: u64,
    rejected_prediction_tokens: u64,
}

#[derive(Serialize)]
struct Choice<'a> {
    index: u8,
    message: Message<'a>,
    logprobs: Option<()>,
    finish_reason: &'static str,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Option<&'a str>,
    refusal: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
    annotations: [(); 0],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: Function<'a>,
}

impl<'a> From<&'a CallRequest> for Call<'a> {
    fn from(call: &'a CallRequest) -> Self {
        let function = Function { name: &call.name, arguments: &call.arguments };
        Self { id: &call.id, r#type: "function", function }
    }
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Serialize)]
struct ChunkChoice<'a> {
    index: u8,
    delta: Delta<'a>,
    logprobs: Option<()>,
    finish_reason: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Delta<'a> {
    Role { role: &'static str, content: Option<&'static str>, refusal: Option<()> },
    Reasoning { reasoning_content: &'a str },
    Content { content: &'a str },
    Refusal { refusal: &'a str },
    CallStart { tool_calls: [CallStart<'a>; 1] },
    CallArguments { tool_calls: [CallArguments<'a>; 1] },
    End {},
}

/// The first delta of a call has its id, type and name.
#[derive(Serialize)]
struct CallStart<'a> {
    index: usize,
    #[serde(flatten)]
    call: Call<'a>,
}

/// Later deltas have neither, not even as null: some clients would take that for a new value.
#[derive(Serialize)]
struct CallArguments<'a> {
    index: usize,
    function: Arguments<'a>,
}

#[derive(Serialize)]
struct Arguments<'a> {
    arguments: &'a str,
}

fn id(number: u64) -> String {
    format!("chatcmpl-wt-{number}")
}

/// A refusal is said in a field of its own: the content is nothing then.
fn content_and_refusal(reply: &ChatReply) -> (Option<&str>, Option<&str>) {
    let text = reply.content.as_deref();
    if reply.stop == Stop::Refusal { (None, text) } else { (text, None) }
}

fn finish_reason(reply: &ChatReply) -> &'static str {
    match reply.stop {
        Stop::Length => "length",
        Stop::Done | Stop::Refusal if reply.tool_calls.is_empty() => "stop",
        Stop::Done | Stop::Refusal => "tool_calls",
    }
}

fn usage(reply: &ChatReply) -> Usage {
    let TokenUsage { prompt, cached, completion } = reply.usage.unwrap_or_default();
    let reasoning_tokens = reply.reasoning.as_ref().map_or(0, |text| tokens(text.len()));
    Usage {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt.saturating_add(completion),
        prompt_tokens_details: PromptDetails { cached_tokens: cached, audio_tokens: 0 },
        completion_tokens_details: CompletionDetails {
            reasoning_tokens,
            audio_tokens: 0,
            accepted_prediction_tokens: 0,
            rejected_prediction_tokens: 0,
        },
    }
}

pub(super) fn whole(number: u64, reply: &ChatReply, model: &str) -> Payload {
    let tool_calls = reply.tool_calls.iter().map(Call::from).collect();
    let (content, refusal) = content_and_refusal(reply);
    let choice = Choice {
        index: 0,
        message: Message {
            role: "assistant",
            content,
            refusal,
            reasoning_content: reply.reasoning.as_deref(),
            annotations: [],
            tool_calls,
        },
        logprobs: None,
        finish_reason: finish_reason(reply),
    };
    Payload::json(&Envelope {
        id: &id(number),
        object: "chat.completion",
        created: CREATED,
        model,
        choices: [choice],
        usage: Some(UsageField::Now(usage(reply))),
        system_fingerprint: None,
    })
}

pub(super) fn stream(number: u64, reply: &ChatReply, model: &str, with_usage: bool) -> Payload {
    let mut chunks = Chunks { id: id(number), model, with_usage, writer: EventWriter::new() };
    let (text, refusal) = content_and_refusal(reply);
    // Text-free answers say null here, as providers do; an empty string starts a text.
    let role = Delta::Role { role: "assistant", content: text.map(|_| ""), refusal: None };
    chunks.delta(role, None);
    for reasoning_content in pieces(reply.reasoning.as_deref().unwrap_or_default()) {
        chunks.delta(Delta::Reasoning { reasoning_content }, None);
    }
    for content in pieces(text.unwrap_or_default()) {
        chunks.delta(Delta::Content { content }, None);
    }
    for refusal in pieces(refusal.unwrap_or_default()) {
        chunks.delta(Delta::Refusal { refusal }, None);
    }
    for (index, call) in reply.tool_calls.iter().enumerate() {
        let mut start = Call::from(call);
        start.function.arguments = "";
        chunks.delta(Delta::CallStart { tool_calls: [CallStart { index, call: start }] }, None);
        for arguments in pieces(&call.arguments) {
            let function = Arguments { arguments };
            chunks.delta(Delta::CallArguments { tool_calls: [CallArguments { index, function }] }, None);
        }
    }
    chunks.delta(Delta::End {}, Some(finish_reason(reply)));
    if with_usage {
        chunks.chunk(&[], Some(UsageField::Now(usage(reply))));
    }
    chunks.writer.word("[DONE]");
    chunks.writer.finish()
}

/// About half of a streamed answer, and then an error instead of the rest.
pub(super) fn broken_stream(
    number: u64,
    reply: &ChatReply,
    model: &str,
    with_usage: bool,
    error: &Value,
) -> Payload {
    let mut last = EventWriter::new();
    last.data(error);
    stream(number, reply, model, with_usage).half_then(last.finish())
}

struct Chunks<'a> {
    id: String,
    model: &'a str,
    with_usage: bool,
    writer: EventWriter,
}

impl Chunks<'_> {
    fn delta(&mut self, delta: Delta<'_>, finish_reason: Option<&'static str>) {
        let choice = ChunkChoice { index: 0, delta, logprobs: None, finish_reason };
        let no_usage_yet = self.with_usage.then_some(UsageField::Later);
        self.chunk(&[choice], no_usage_yet);
    }

    fn chunk(&mut self, choices: &[ChunkChoice<'_>], usage: Option<UsageField>) {
        self.writer.data(&Envelope {
            id: &self.id,
            object: "chat.completion.chunk",
            created: CREATED,
            model: self.model,
            choices,
            usage,
            system_fingerprint: None,
        });
    }
}
