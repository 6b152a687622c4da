//! Reading a provider's answers.

use serde::Deserialize;
use serde_json::{Value, from_str};

use super::ids;
use crate::chat::{CallRequest, ChatReply, Stop, TokenUsage};
use crate::wire::events::event_data;

#[derive(Deserialize)]
struct Message {
    content: Vec<Block>,
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Usage,
}

/// A block. What the provider did by itself, such as a web search, is no part of the answer.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    Thinking {
        thinking: String,
    },
    ToolUse {
        id: String,
        name: String,
        input: Value,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize, Default)]
#[expect(clippy::struct_field_names, reason = "as they are on the wire")]
struct Usage {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Message,
    },
    ContentBlockStart {
        index: usize,
        content_block: Block,
    },
    ContentBlockDelta {
        index: usize,
        delta: Delta,
    },
    MessageDelta {
        delta: End,
        #[serde(default)]
        usage: Usage,
    },
    MessageStop,
    Error {
        error: ProviderError,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "thinking_delta")]
    Thinking { thinking: String },
    #[serde(rename = "input_json_delta")]
    InputJson { partial_json: String },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct End {
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct ProviderError {
    r#type: String,
    #[serde(default)]
    message: String,
}

/// Reads one JSON document.
pub(super) fn whole(body: &[u8]) -> Result<ChatReply, String> {
    let message: Message = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let mut answer = Answer { stop_reason: message.stop_reason, usage: message.usage, ..Answer::default() };
    answer.blocks.extend(message.content.into_iter().map(OpenBlock::from));
    Ok(answer.into())
}

/// Reads server-sent events up to the one that ends the message.
pub(super) fn stream(body: &[u8]) -> Result<ChatReply, String> {
    let body = std::str::from_utf8(body).map_err(|error| error.to_string())?;
    let mut answer = Answer::default();
    for data in event_data(body) {
        let event = from_str(&data).map_err(|error| format!("{error} in the event {data}"))?;
        match event {
            Event::MessageStart { message } => {
                answer.usage.update(&message.usage);
                answer.stop_reason = message.stop_reason;
            }
            Event::ContentBlockStart { index, content_block } if index == answer.blocks.len() => {
                answer.blocks.push(content_block.into());
            }
            Event::ContentBlockStart { index, .. } => {
                return Err(format!("block {index} starts where block {} was expected", answer.blocks.len()));
            }
            Event::ContentBlockDelta { index, delta } => {
                let Some(block) = answer.blocks.get_mut(index) else {
                    return Err(format!("a piece of block {index} comes before the block starts"));
                };
                block.extend(&delta);
            }
            Event::MessageDelta { delta, usage } => {
                answer.stop_reason = delta.stop_reason;
                answer.usage.update(&usage);
            }
            Event::MessageStop => return Ok(answer.into()),
            Event::Error { error } => return Err(format!("{}: {}", error.r#type, error.message)),
            Event::Other => {}
        }
    }
    Err("it breaks off before `message_stop`".to_owned())
}

/// An answer as far as it is read.
#[derive(Default)]
struct Answer {
    blocks: Vec<OpenBlock>,
    stop_reason: Option<String>,
    usage: Usage,
}

/// A block as far as it is read.
struct OpenBlock {
    block: Block,
    /// Arguments that came in pieces.
    json: String,
}

impl From<Block> for OpenBlock {
    fn from(block: Block) -> Self {
        Self { block, json: String::new() }
    }
}

impl OpenBlock {
    fn extend(&mut self, delta: &Delta) {
        match (&mut self.block, delta) {
            (Block::Text { text }, Delta::Text { text: piece }) => text.push_str(piece),
            (Block::Thinking { thinking }, Delta::Thinking { thinking: piece }) => {
                thinking.push_str(piece);
            }
            (_, Delta::InputJson { partial_json }) => self.json.push_str(partial_json),
            _ => {}
        }
    }
}

impl Usage {
    /// Takes the later of two cumulative counts.
    fn update(&mut self, later: &Self) {
        let take = |count: &mut Option<u64>, later: Option<u64>| *count = later.or(*count);
        take(&mut self.input_tokens, later.input_tokens);
        take(&mut self.cache_creation_input_tokens, later.cache_creation_input_tokens);
        take(&mut self.cache_read_input_tokens, later.cache_read_input_tokens);
        take(&mut self.output_tokens, later.output_tokens);
    }

    fn total(&self) -> Option<TokenUsage> {
        let cached = self.cache_read_input_tokens.unwrap_or_default();
        let created = self.cache_creation_input_tokens.unwrap_or_default();
        let prompt = self.input_tokens?.saturating_add(created).saturating_add(cached);
        Some(TokenUsage { prompt, cached, completion: self.output_tokens? })
    }
}

impl From<Answer> for ChatReply {
    fn from(answer: Answer) -> Self {
        let mut reply = Self {
            stop: match answer.stop_reason.as_deref() {
                Some("max_tokens" | "model_context_window_exceeded") => Stop::Length,
                Some("refusal") => Stop::Refusal,
                _ => Stop::Done,
            },
            usage: answer.usage.total(),
            ..Self::default()
        };
        for OpenBlock { block, json } in answer.blocks {
            match block {
                Block::Text { text } => reply.content.get_or_insert_default().push_str(&text),
                Block::Thinking { thinking } => reply.reasoning.get_or_insert_default().push_str(&thinking),
                Block::ToolUse { id, name, input } => {
                    let arguments = if json.is_empty() { input.to_string() } else { json };
                    reply.tool_calls.push(CallRequest { id: ids::received(&id), name, arguments });
                }
                Block::Other => {}
            }
        }
        reply
    }
}

#[cfg(test)]
mod tests {
    use hyper::body::Bytes;
    use serde_json::json;

    use super::*;
    use crate::wire::anthropic_messages::AnthropicMessages;
    use crate::wire::{Delivery, Protocol, ReplyTo, WireError};

    fn reply() -> ChatReply {
        let call = |index: u8, arguments: &str| CallRequest {
            id: format!("toolu_{index}"),
            name: "lookup".to_owned(),
            arguments: arguments.to_owned(),
        };
        ChatReply {
            content: Some("Grüße 😀 ".repeat(40)),
            tool_calls: vec![call(1, r#"{"id":"a rather long identifier of an order"}"#), call(2, "{}")],
            reasoning: Some("Orders live in the CRM.".to_owned()),
            stop: Stop::Done,
            usage: Some(TokenUsage { prompt: 50, cached: 20, completion: 9 }),
        }
    }

    fn to(delivery: Delivery) -> ReplyTo<'static> {
        ReplyTo {
            number: 1,
            model: "m",
            delivery,
            previous: None,
            replayable_reasoning: false,
            stored: false,
            tool_forms: &[],
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for stop in [Stop::Done, Stop::Length, Stop::Refusal] {
            let reply = ChatReply { stop, ..reply() };
            for (delivery, streamed) in [(Delivery::Whole, false), (Delivery::Stream { usage: true }, true)] {
                let body = AnthropicMessages.reply(&reply, &to(delivery)).frames.concat();
                assert_eq!(
                    AnthropicMessages.decode(&body, streamed).unwrap(),
                    reply,
                    "{stop:?}, {delivery:?}"
                );
            }
        }
    }

    #[test]
    fn what_the_provider_does_by_itself_is_left_out() {
        let message = json!({
            "type": "message", "model": "m", "stop_reason": "end_turn",
            "content": [
                {"type": "redacted_thinking", "data": "…"},
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
                {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
                {"type": "text", "text": "Two ", "citations": []},
                {"type": "text", "text": "parts."},
            ],
            "usage": {"input_tokens": 3, "cache_creation_input_tokens": 4, "cache_read_input_tokens": 5, "output_tokens": 6},
        });
        let expected = ChatReply {
            content: Some("Two parts.".to_owned()),
            usage: Some(TokenUsage { prompt: 12, cached: 5, completion: 6 }),
            ..ChatReply::default()
        };
        assert_eq!(whole(message.to_string().as_bytes()).unwrap(), expected);
    }

    #[test]
    fn a_call_whose_arguments_never_come_has_none() {
        let events = [
            json!({"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 3, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "a", "name": "lookup", "input": {}}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 7}}),
            json!({"type": "message_stop"}),
        ];
        let body = events.map(|event| format!("event: x\ndata: {event}\n\n")).concat();
        let reply = stream(body.as_bytes()).unwrap();
        assert_eq!(reply.tool_calls[0].arguments, "{}");
        assert_eq!(
            reply.usage,
            Some(TokenUsage { prompt: 3, cached: 0, completion: 7 }),
            "later counts replace earlier ones"
        );
    }

    #[test]
    fn answers_that_are_none_say_what_is_wrong() {
        let streamed = |frames: &[Bytes]| stream(&frames.concat()).unwrap_err();
        let payload = AnthropicMessages.reply(&reply(), &to(Delivery::Stream { usage: true }));
        let (status, failing) = AnthropicMessages.failing_reply(
            &reply(),
            &to(Delivery::Stream { usage: true }),
            &WireError::new(529, "Overloaded"),
        );
        assert_eq!(streamed(&payload.frames[..5]), "it breaks off before `message_stop`");
        assert_eq!(streamed(&payload.frames[3..]), "a piece of block 0 comes before the block starts");
        assert_eq!(status, 200, "the stream has begun");
        assert_eq!(streamed(&failing.frames), "overloaded_error: Overloaded");
        assert!(streamed(&[AnthropicMessages.malformed_frame()]).contains("EOF while parsing"));
        assert_eq!(whole(b"{}").unwrap_err(), "missing field `content` at line 1 column 2");
    }
}
