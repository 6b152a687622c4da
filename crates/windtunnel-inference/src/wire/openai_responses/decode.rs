//! Reading a provider's answers.

use serde::Deserialize;
use serde_json::json;

use super::tools::TEXT_ARGUMENT;
use crate::chat::{CallRequest, ChatReply, Stop, TokenUsage};
use crate::wire::events::event_data;

/// A response, as far as a script can say it.
#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    status: Status,
    error: Option<ProviderError>,
    incomplete_details: Option<IncompleteDetails>,
    #[serde(default)]
    output: Vec<Item>,
    usage: Option<Usage>,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    #[default]
    Completed,
    Incomplete,
    Failed,
    /// It is still worked on, or was given up.
    #[serde(other)]
    Unfinished,
}

#[derive(Deserialize)]
struct ProviderError {
    code: Option<String>,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct IncompleteDetails {
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item {
    Message {
        #[serde(default)]
        content: Vec<Part>,
    },
    Reasoning {
        #[serde(default)]
        summary: Vec<Text>,
        #[serde(default)]
        content: Option<Vec<Text>>,
    },
    /// The namespace is left out: scripts call tools by their own name.
    FunctionCall {
        call_id: String,
        name: String,
        arguments: String,
    },
    CustomToolCall {
        call_id: String,
        name: String,
        input: String,
    },
    /// Work of the provider's own, such as a search.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part {
    OutputText {
        text: String,
    },
    Refusal {
        refusal: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    input_tokens_details: Option<InputDetails>,
}

#[derive(Deserialize)]
struct InputDetails {
    #[serde(default)]
    cached_tokens: u64,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Event {
    #[serde(rename = "response.output_item.done")]
    ItemDone { item: Item },
    #[serde(rename = "response.completed", alias = "response.incomplete", alias = "response.failed")]
    Ended { response: Response },
    #[serde(rename = "error")]
    Error {
        #[serde(default)]
        message: String,
        error: Option<ProviderError>,
    },
    #[serde(other)]
    Other,
}

pub(super) fn decode(body: &[u8], streamed: bool) -> Result<ChatReply, String> {
    let response = if streamed { streamed_response(body)? } else { from_json(body)? };
    reply(response)
}

fn from_json<'de, T: Deserialize<'de>>(json: &'de [u8]) -> Result<T, String> {
    serde_json::from_slice(json).map_err(|error| error.to_string())
}

/// The response that a stream ends with. Its items are those of the stream where it does not repeat them.
fn streamed_response(body: &[u8]) -> Result<Response, String> {
    let body = std::str::from_utf8(body).map_err(|error| error.to_string())?;
    let mut items = Vec::new();
    // A word in place of an event, such as `[DONE]`, is not the provider's own but common among those that imitate it.
    for data in event_data(body).filter(|data| data.starts_with('{')) {
        match from_json(data.as_bytes())? {
            Event::ItemDone { item } => items.push(item),
            Event::Ended { mut response } => {
                if response.output.is_empty() {
                    response.output = items;
                }
                return Ok(response);
            }
            Event::Error { message, error } => {
                return Err(failure(&error.unwrap_or(ProviderError { code: None, message })));
            }
            Event::Other => {}
        }
    }
    Err("the stream ends without `response.completed`".to_owned())
}

fn failure(error: &ProviderError) -> String {
    let ProviderError { code, message } = error;
    match code {
        Some(code) => format!("the provider gave up with `{code}`: {message}"),
        None if message.is_empty() => "the provider gave up without saying why".to_owned(),
        None => format!("the provider gave up: {message}"),
    }
}

fn reply(response: Response) -> Result<ChatReply, String> {
    let mut reply = ChatReply::default();
    match response.status {
        Status::Completed => {}
        Status::Incomplete => {
            let reason = response.incomplete_details.and_then(|details| details.reason);
            let filtered = reason.is_some_and(|reason| reason == "content_filter");
            reply.stop = if filtered { Stop::Refusal } else { Stop::Length };
        }
        Status::Failed => {
            let unnamed = ProviderError { code: None, message: String::new() };
            return Err(failure(&response.error.unwrap_or(unnamed)));
        }
        Status::Unfinished => return Err("the response is not finished".to_owned()),
    }
    for item in response.output {
        add(&mut reply, item);
    }
    reply.usage = response.usage.map(|usage| TokenUsage {
        prompt: usage.input_tokens,
        cached: usage.input_tokens_details.map_or(0, |details| details.cached_tokens),
        completion: usage.output_tokens,
    });
    Ok(reply)
}

fn add(reply: &mut ChatReply, item: Item) {
    match item {
        Item::Message { content } => {
            for part in content {
                match part {
                    Part::OutputText { text } => append(&mut reply.content, &text),
                    Part::Refusal { refusal } => {
                        append(&mut reply.content, &refusal);
                        reply.stop = Stop::Refusal;
                    }
                    Part::Other => {}
                }
            }
        }
        Item::Reasoning { summary, content } => {
            for Text { text } in summary.into_iter().chain(content.into_iter().flatten()) {
                append(&mut reply.reasoning, &text);
            }
        }
        Item::FunctionCall { call_id: id, name, arguments } => {
            reply.tool_calls.push(CallRequest { id, name, arguments });
        }
        Item::CustomToolCall { call_id: id, name, input } => {
            let arguments = json!({ TEXT_ARGUMENT: input }).to_string();
            reply.tool_calls.push(CallRequest { id, name, arguments });
        }
        Item::Other => {}
    }
}

/// Adds a paragraph.
fn append(text: &mut Option<String>, more: &str) {
    match text {
        Some(text) => text.extend(["\n\n", more]),
        None => *text = Some(more.to_owned()),
    }
}
