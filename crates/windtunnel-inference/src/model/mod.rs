//! Models as an agent in this process sees them.

mod openai;
mod recording;
mod retrying;
mod scripted;

use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value};
use thiserror::Error;

pub use self::openai::{OpenAiChat, OpenAiSettings};
pub use self::recording::Recording;
pub use self::retrying::{RetryPolicy, Retrying};
pub use self::scripted::ScriptedModel;
use crate::chat::ChatReply;

/// Something that decides what an agent does next.
#[async_trait]
pub trait Model: Send + Sync {
    /// The answer to a conversation.
    async fn complete(&self, request: ChatRequest<'_>) -> Result<ChatReply, ModelError>;
}

/// A conversation, and what the model may do about it.
#[derive(Debug, Clone, Copy)]
pub struct ChatRequest<'a> {
    /// The messages, as OpenAI Chat Completions writes them.
    pub messages: &'a [Value],
    /// The tools that may be called.
    pub tools: &'a Tools,
    /// Sampler settings: further fields of the request.
    pub sampler: &'a Map<String, Value>,
}

impl ChatRequest<'_> {
    /// Bytes of all texts in the messages.
    pub(crate) fn text_bytes(&self) -> usize {
        self.messages.iter().map(text_bytes).sum()
    }
}

/// Bytes of all strings in a value.
fn text_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(text_bytes).sum(),
        Value::Object(map) => map.values().map(text_bytes).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// Tools as they are offered to a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tools {
    names: Vec<String>,
    definitions: Vec<Value>,
}

impl Tools {
    /// No tools.
    pub fn none() -> Self {
        Self::default()
    }

    /// Offers a function; `parameters` is the JSON Schema of its arguments.
    pub fn offer(&mut self, name: impl Into<String>, description: Option<&str>, parameters: Value) {
        let name = name.into();
        let mut function = Map::new();
        function.insert("name".to_owned(), name.as_str().into());
        if let Some(description) = description {
            function.insert("description".to_owned(), description.into());
        }
        function.insert("parameters".to_owned(), parameters);
        self.definitions.push(serde_json::json!({"type": "function", "function": function}));
        self.names.push(name);
    }

    /// The names, in the order they were offered.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The definitions, as OpenAI Chat Completions writes them.
    pub fn definitions(&self) -> &[Value] {
        &self.definitions
    }
}

/// Why a model gave no answer. No message holds a key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The endpoint answered with an error.
    #[error("the model endpoint answered {status}: {message}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// What it said.
        message: String,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
        /// Whether it says that trying again makes sense.
        should_retry: Option<bool>,
    },
    /// The endpoint could not be reached, or the connection broke.
    #[error("the model endpoint {url} cannot be reached: {reason}")]
    Connection {
        /// Its address.
        url: String,
        /// What went wrong.
        reason: String,
    },
    /// No answer came in time.
    #[error("the model endpoint {url} did not answer within {} s", limit.as_secs_f64())]
    Timeout {
        /// Its address.
        url: String,
        /// How long was waited.
        limit: Duration,
    },
    /// The answer cannot be understood.
    #[error("the model endpoint's answer cannot be understood: {reason}")]
    Malformed {
        /// What is wrong with it.
        reason: String,
    },
    /// The client itself could not be made.
    #[error("no model client can be made: {reason}")]
    Client {
        /// Why not.
        reason: String,
    },
}
