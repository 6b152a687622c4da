//! Reading answers, of one piece or streamed, as leniently as OpenAI-compatible endpoints write them.

use serde::Deserialize;
use serde_json::Value;

use crate::chat::{CallRequest, ChatReply, Stop, TokenUsage};
use crate::wire::events::event_data;

/// Tool calls of one answer that are read.
const MAX_CALLS: usize = 1024;

/// An answer in one piece, or one event of a stream: the same with `delta` for `message`.
#[derive(Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: u32,
    #[serde(alias = "delta")]
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default, alias = "reasoning")]
    reasoning_content: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<Call>>,
}

#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    index: Option<usize>,
    #[serde(default)]
    id: Option<String>,
    function: Function,
}

#[derive(Default, Deserialize)]
struct Function {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Value,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    #[serde(default)]
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Deserialize)]
struct PromptDetails {
    #[serde(default)]
    cached_tokens: Option<u64>,
}

/// An answer in one piece.
pub(super) fn whole(body: &[u8]) -> Result<ChatReply, String> {
    let completion: Completion = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let mut answer = Answer::default();
    answer.take(completion)?;
    if answer.choices == 0 { Err("it has no choices".to_owned()) } else { Ok(answer.finish()) }
}

/// A streamed answer.
pub(super) fn streamed(body: &[u8]) -> Result<ChatReply, String> {
    let body = std::str::from_utf8(body).map_err(|error| error.to_string())?;
    let mut answer = Answer::default();
    let mut done = false;
    for data in event_data(body) {
        if data.trim() == "[DONE]" {
            done = true;
        } else {
            answer.take(serde_json::from_str(&data).map_err(|error| error.to_string())?)?;
        }
    }
    if answer.finish_reason.is_none() && !done {
        return Err("it breaks off before its end".to_owned());
    }
    Ok(answer.finish())
}

/// The first choice, as far as it has come.
#[derive(Default)]
struct Answer {
    choices: usize,
    message: Text,
    calls: Vec<CallRequest>,
    finish_reason: Option<String>,
    usage: Option<TokenUsage>,
}

#[derive(Default)]
struct Text {
    content: Option<String>,
    refusal: Option<String>,
    reasoning: Option<String>,
}

impl Answer {
    fn take(&mut self, part: Completion) -> Result<(), String> {
        if let Some(error) = part.error.filter(|error| !error.is_null()) {
            let text =
                error.get("message").and_then(Value::as_str).map_or_else(|| error.to_string(), str::to_owned);
            return Err(format!("it ends in an error: {text}"));
        }
        for choice in part.choices.into_iter().filter(|choice| choice.index == 0) {
            self.choices += 1;
            let Message { content, refusal, reasoning_content, tool_calls } = choice.message;
            append(&mut self.message.content, content);
            append(&mut self.message.refusal, refusal);
            append(&mut self.message.reasoning, reasoning_content);
            for (place, call) in tool_calls.into_iter().flatten().enumerate() {
                self.call(call.index.unwrap_or(place), call)?;
            }
            self.finish_reason = choice.finish_reason.or_else(|| self.finish_reason.take());
        }
        if let Some(usage) = part.usage {
            let details = usage.prompt_tokens_details;
            self.usage = Some(TokenUsage {
                prompt: usage.prompt_tokens,
                cached: details.and_then(|details| details.cached_tokens).unwrap_or_default(),
                completion: usage.completion_tokens,
            });
        }
        Ok(())
    }

    /// A call, or a further part of one.
    fn call(&mut self, index: usize, part: Call) -> Result<(), String> {
        if index >= MAX_CALLS {
            return Err(format!("it has more than {MAX_CALLS} tool calls"));
        }
        if self.calls.len() <= index {
            let unwritten =
                || CallRequest { id: String::new(), name: String::new(), arguments: String::new() };
            self.calls.resize_with(index + 1, unwritten);
        }
        let Some(call) = self.calls.get_mut(index) else { return Ok(()) };
        if let Some(id) = part.id.filter(|id| !id.is_empty()) {
            call.id = id;
        }
        if let Some(name) = part.function.name.filter(|name| !name.is_empty()) {
            call.name = name;
        }
        match part.function.arguments {
            Value::Null => {}
            Value::String(text) => call.arguments.push_str(&text),
            // Some local servers send the object itself.
            other => call.arguments = other.to_string(),
        }
        Ok(())
    }

    fn finish(self) -> ChatReply {
        let Text { content, refusal, reasoning } = self.message;
        let mut tool_calls = self.calls;
        for (index, call) in tool_calls.iter_mut().enumerate() {
            if call.id.is_empty() {
                call.id = format!("call_{}", index + 1);
            }
            if call.arguments.is_empty() {
                "{}".clone_into(&mut call.arguments);
            }
        }
        let stop = match (self.finish_reason.as_deref(), &refusal) {
            (Some("length"), _) => Stop::Length,
            (_, Some(_)) => Stop::Refusal,
            _ => Stop::Done,
        };
        ChatReply { content: content.or(refusal), tool_calls, reasoning, stop, usage: self.usage }
    }
}

fn append(text: &mut Option<String>, part: Option<String>) {
    match (text, part) {
        (Some(text), Some(part)) => text.push_str(&part),
        (text, Some(part)) => *text = Some(part),
        (_, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::openai_chat::OpenAiChat;
    use crate::wire::{Delivery, Protocol, WireRequest};

    #[test]
    fn answers_of_lenient_servers_are_read() {
        let body = br#"{"choices": [{"message": {"content": null, "tool_calls": [
            {"function": {"name": "a", "arguments": {"x": 1}}}, {"id": "7", "function": {"name": "b"}}]}}]}"#;
        let reply = whole(body).unwrap();
        let calls: Vec<_> = reply.tool_calls.iter().map(|c| (c.id.as_str(), c.arguments.as_str())).collect();
        assert_eq!(calls, [("call_1", r#"{"x":1}"#), ("7", "{}")]);
    }

    fn replies() -> Vec<ChatReply> {
        let call = |id: &str, arguments: &str| CallRequest {
            id: id.to_owned(),
            name: "lookup".to_owned(),
            arguments: arguments.to_owned(),
        };
        let usage = Some(TokenUsage { prompt: 9, cached: 0, completion: 3 });
        let says = |text: &str, stop| ChatReply {
            content: Some(text.to_owned()),
            stop,
            usage,
            ..ChatReply::default()
        };
        vec![
            says(&"Grüße 😀 ".repeat(100), Stop::Done),
            says("", Stop::Done),
            says("a part of", Stop::Length),
            says("I cannot help with that.", Stop::Refusal),
            ChatReply {
                reasoning: Some("Two orders, so two calls, one after the other.".to_owned()),
                content: Some("Let me look.".to_owned()),
                tool_calls: vec![
                    call("a", r#"{"id":"a rather long identifier of an order"}"#),
                    call("b", "{}"),
                ],
                usage,
                ..ChatReply::default()
            },
        ]
    }

    #[test]
    fn what_is_written_is_read_back_whole_and_streamed() {
        for reply in replies() {
            for delivery in [Delivery::Whole, Delivery::Stream { usage: true }] {
                let request = WireRequest { delivery, ..WireRequest::default() };
                let written = OpenAiChat.reply(&reply, &request.reply_to(1)).frames.concat();
                let read = OpenAiChat.decode(&written, delivery != Delivery::Whole);
                assert_eq!(read.as_ref(), Ok(&reply), "{delivery:?}");
            }
        }
    }

    #[test]
    fn streams_that_are_no_answer_say_what_is_wrong() {
        let delta = r#"data: {"choices":[{"delta":{"content":"a"}}]}"#;
        for (body, wrong) in [
            (format!("{delta}\n\n"), "it breaks off before its end"),
            (
                format!("{delta}\n\ndata: {{\"error\":{{\"message\":\"overloaded\"}}}}\n\n"),
                "it ends in an error: overloaded",
            ),
            (
                "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":9999,\"function\":{}}]}}]}\n\n"
                    .to_owned(),
                "it has more than 1024 tool calls",
            ),
            ("data: {\"id\": \"broken\n\n".to_owned(), "EOF while parsing a string at line 1 column 14"),
        ] {
            assert_eq!(streamed(body.as_bytes()), Err(wrong.to_owned()));
        }
        assert_eq!(
            streamed(format!("{delta}\n\ndata: [DONE]\n\n").as_bytes()).unwrap().content.as_deref(),
            Some("a")
        );
    }
}
