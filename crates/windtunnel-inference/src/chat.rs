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
        let tokens = |bytes: usize| u64::try_from(bytes.div_ceil(BYTES_PER_TOKEN)).unwrap_or(u64::MAX).max(1);
        Self { prompt: tokens(prompt_bytes), cached: 0, completion: tokens(completion_bytes) }
    }
}

impl ChatReply {
    /// Bytes of everything the model wrote.
    pub(crate) fn bytes(&self) -> usize {
        let calls = self.tool_calls.iter().map(|call| call.name.len() + call.arguments.len());
        self.content.as_ref().map_or(0, String::len) + calls.sum::<usize>()
    }

    /// The answer as evidence shows it: `{content?, tool_calls?: [{id, name, arguments}]}`.
    pub(crate) fn evidence(&self) -> Value {
        let mut shown = Map::new();
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

impl CallRequest {
    /// The arguments as JSON; as a string what is no JSON.
    pub(crate) fn arguments_value(&self) -> Value {
        serde_json::from_str(&self.arguments).unwrap_or_else(|_| Value::String(self.arguments.clone()))
    }
}
