//! The response object, as it stands in an answer and in events about it.

use serde::Serialize;

use super::item::{Item, Status};
use crate::chat::{ChatReply, Stop, TokenUsage, tokens};
use crate::wire::{CREATED, ReplyTo, WireError};

/// A response. What a request asks for is not repeated in it, except the earlier response: settings are those of a request that
/// sets nothing.
#[derive(Debug, Serialize)]
pub(super) struct Response<'a> {
    id: String,
    object: &'static str,
    created_at: u64,
    status: Status,
    background: bool,
    completed_at: Option<u64>,
    error: Option<ResponseError<'a>>,
    incomplete_details: Option<IncompleteDetails>,
    instructions: Option<()>,
    max_output_tokens: Option<()>,
    max_tool_calls: Option<()>,
    metadata: NoFields,
    model: &'a str,
    output: &'a [Item<'a>],
    parallel_tool_calls: bool,
    previous_response_id: Option<&'a str>,
    prompt_cache_key: Option<()>,
    reasoning: Reasoning,
    safety_identifier: Option<()>,
    service_tier: &'static str,
    store: bool,
    temperature: f32,
    text: TextSettings,
    tool_choice: &'static str,
    tools: [(); 0],
    top_logprobs: u8,
    top_p: f32,
    truncation: &'static str,
    usage: Option<Usage>,
    user: Option<()>,
}

#[derive(Debug, Serialize)]
struct NoFields {}

#[derive(Debug, Serialize)]
struct Reasoning {
    effort: Option<()>,
    summary: Option<()>,
}

#[derive(Debug, Serialize)]
struct TextSettings {
    format: TextFormat,
    verbosity: &'static str,
}

#[derive(Debug, Serialize)]
struct TextFormat {
    r#type: &'static str,
}

#[derive(Debug, Serialize)]
struct IncompleteDetails {
    reason: &'static str,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct ResponseError<'a> {
    code: &'a str,
    message: &'a str,
    param: Option<()>,
    r#type: &'static str,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Usage {
    input_tokens: u64,
    input_tokens_details: InputDetails,
    output_tokens: u64,
    output_tokens_details: OutputDetails,
    total_tokens: u64,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct InputDetails {
    cache_write_tokens: u64,
    cached_tokens: u64,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct OutputDetails {
    reasoning_tokens: u64,
}

impl Usage {
    fn of(reply: &ChatReply) -> Self {
        let TokenUsage { prompt, cached, completion } = reply.usage.unwrap_or_default();
        let reasoning_tokens = reply.reasoning.as_ref().map_or(0, |text| tokens(text.len()));
        Self {
            input_tokens: prompt,
            input_tokens_details: InputDetails { cache_write_tokens: 0, cached_tokens: cached },
            output_tokens: completion,
            output_tokens_details: OutputDetails { reasoning_tokens },
            total_tokens: prompt.saturating_add(completion),
        }
    }
}

/// The id of the answer with a number.
pub(super) fn id(number: u64) -> String {
    format!("resp_wt_{number}")
}

impl<'a> Response<'a> {
    /// A response that is not finished.
    pub(super) fn begun(to: &ReplyTo<'a>) -> Self {
        Self {
            id: id(to.number),
            object: "response",
            created_at: CREATED,
            status: Status::InProgress,
            background: false,
            completed_at: None,
            error: None,
            incomplete_details: None,
            instructions: None,
            max_output_tokens: None,
            max_tool_calls: None,
            metadata: NoFields {},
            model: to.model,
            output: &[],
            parallel_tool_calls: true,
            previous_response_id: to.previous,
            prompt_cache_key: None,
            reasoning: Reasoning { effort: None, summary: None },
            safety_identifier: None,
            service_tier: "default",
            store: to.stored,
            temperature: 1.0,
            text: TextSettings { format: TextFormat { r#type: "text" }, verbosity: "medium" },
            tool_choice: "auto",
            tools: [],
            top_logprobs: 0,
            top_p: 1.0,
            truncation: "disabled",
            usage: None,
            user: None,
        }
    }

    /// The response at its end.
    pub(super) fn ended(reply: &ChatReply, output: &'a [Item<'a>], to: &ReplyTo<'a>) -> Self {
        let ended = Self { output, usage: Some(Usage::of(reply)), ..Self::begun(to) };
        match reply.stop {
            Stop::Done | Stop::Refusal => {
                Self { status: Status::Completed, completed_at: Some(CREATED), ..ended }
            }
            Stop::Length => {
                let incomplete_details = Some(IncompleteDetails { reason: "max_output_tokens" });
                Self { status: Status::Incomplete, incomplete_details, ..ended }
            }
        }
    }

    /// The response as the provider gives it up.
    pub(super) fn failed(error: &WireError<'a>, to: &ReplyTo<'a>) -> Self {
        let (code, kind) = match error.status {
            429 => ("rate_limit_exceeded", "requests"),
            400..500 => ("invalid_prompt", "invalid_request_error"),
            _ => ("server_error", "server_error"),
        };
        let code = error.code.unwrap_or(code);
        let error = Some(ResponseError { code, message: error.message, param: None, r#type: kind });
        Self { status: Status::Failed, error, ..Self::begun(to) }
    }

    /// The event that ends a stream with it.
    pub(super) fn last_event(&self) -> &'static str {
        match self.status {
            Status::InProgress => "response.in_progress",
            Status::Completed => "response.completed",
            Status::Incomplete => "response.incomplete",
            Status::Failed => "response.failed",
        }
    }
}
