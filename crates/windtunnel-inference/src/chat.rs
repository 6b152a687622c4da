//! What a model answers, whatever the wire.

use serde_json::{Map, Value, json};

/// An answer of a model: text, tool calls, or both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChatReply {
    /// The text, if there is any.
    pub content: Option<String>,
    /// The tool calls it asks for, to be made in parallel; empty for a final answer.
    pub tool_calls: Vec<CallRequest>,
    /// What the model thought before, where the wire shows it.
    pub reasoning: Option<String>,
    /// Why it ends here.
    pub stop: Stop,
    /// Tokens used, where the model tells.
    pub usage: Option<TokenUsage>,
}

/// Why an answer ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stop {
    /// The model is done, or waits for its tool calls.
    #[default]
    Done,
    /// Its length is used up.
    Length,
    /// It refuses; the text says so.
    Refusal,
}

/// A tool call that a model asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRequest {
    /// Pairs the call with its result.
    pub id: String,
    /// The tool's name, as it was offered.
    pub name: String,
    /// The arguments as the model wrote them: a JSON object as text, if the model did its part.
    pub arguments: String,
}

/// Tokens of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenUsage {
    /// Tokens of the prompt.
    pub prompt: u64,
    /// Of these, tokens read from a cache.
    pub cached: u64,
    /// Tokens of the answer.
    pub completion: u64,
}

/// Bytes per token in the estimate for scripted answers.
const BYTES_PER_TOKEN: usize = 4;

impl TokenUsage {
    /// A plausible count that is the same for the same request and answer.
    pub(crate) fn estimate(prompt_bytes: usize, completion_bytes: usize) -> Self {
        Self { prompt: tokens(prompt_bytes), cached: 0, completion: tokens(completion_bytes) }
    }
}

/// A plausible count for a text of so many bytes.
pub(crate) fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(BYTES_PER_TOKEN)).unwrap_or(u64::MAX).max(1)
}

impl ChatReply {
    /// Bytes of everything the model wrote.
    pub(crate) fn bytes(&self) -> usize {
        let calls = self.tool_calls.iter().map(|call| call.name.len() + call.arguments.len());
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        text(&self.reasoning) + text(&self.content) + calls.sum::<usize>()
    }

    /// What is there of the answer when its length is used up at half: a part of its text, or of the arguments of a call.
    pub(crate) fn first_half(mut self) -> Self {
        let mut left = self.bytes() / 2;
        for text in [&mut self.reasoning, &mut self.content].into_iter().flatten() {
            cut(text, &mut left);
        }
        self.tool_calls.retain_mut(|call| {
            let started = left > call.name.len();
            left = left.saturating_sub(call.name.len());
            cut(&mut call.arguments, &mut left);
            started
        });
        self.stop = Stop::Length;
        let written = tokens(self.bytes());
        if let Some(usage) = &mut self.usage {
            usage.completion = written;
        }
        self
    }

    /// The answer as evidence shows it: `{content?, reasoning?, refusal?, tool_calls?: [{id, name, arguments}]}`.
    pub(crate) fn evidence(&self) -> Value {
        let mut shown = Map::new();
        if let Some(reasoning) = &self.reasoning {
            shown.insert("reasoning".to_owned(), reasoning.as_str().into());
        }
        if self.stop == Stop::Refusal {
            shown.insert("refusal".to_owned(), true.into());
        }
        if let Some(content) = &self.content {
            shown.insert("content".to_owned(), content.as_str().into());
        }
        if !self.tool_calls.is_empty() {
            let calls = self
                .tool_calls
                .iter()
                .map(|call| json!({"id": call.id, "name": call.name, "arguments": call.arguments_value()}));
            shown.insert("tool_calls".to_owned(), calls.collect());
        }
        Value::Object(shown)
    }
}

/// Leaves of a text what still fits.
fn cut(text: &mut String, left: &mut usize) {
    let end = (0..=text.len().min(*left)).rev().find(|&end| text.is_char_boundary(end)).unwrap_or_default();
    text.truncate(end);
    *left -= end;
}

impl CallRequest {
    /// The arguments as JSON; as a string what is no JSON.
    pub(crate) fn arguments_value(&self) -> Value {
        serde_json::from_str(&self.arguments).unwrap_or_else(|_| Value::String(self.arguments.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_answer_has_half_of_what_was_written_in_the_order_it_is_written() {
        let call = |arguments: &str| CallRequest {
            id: "1".to_owned(),
            name: "lookup".to_owned(),
            arguments: arguments.to_owned(),
        };
        let reply = |content: Option<&str>, calls: &[&str]| ChatReply {
            content: content.map(str::to_owned),
            tool_calls: calls.iter().map(|arguments| call(arguments)).collect(),
            usage: Some(TokenUsage::estimate(40, 40)),
            ..ChatReply::default()
        };
        for (whole, half) in [
            (reply(Some("seventy-five orders"), &[]), reply(Some("seventy-f"), &[])),
            (reply(Some("😀😀😀"), &[]), reply(Some("😀"), &[])),
            (reply(Some("x"), &[]), reply(Some(""), &[])),
            (reply(None, &[r#"{"id":"A-17","deep":true}"#]), reply(None, &[r#"{"id":"A-"#])),
            (reply(None, &["{}", "{}"]), reply(None, &["{}"])),
            (reply(Some("Let me look at all of this."), &["{}"]), reply(Some("Let me look at al"), &[])),
        ] {
            let cut = whole.clone().first_half();
            assert_eq!(
                (&cut.content, &cut.tool_calls, cut.stop),
                (&half.content, &half.tool_calls, Stop::Length),
                "{whole:?}"
            );
            assert!(cut.usage.unwrap().completion < whole.usage.unwrap().completion);
        }
    }
}
