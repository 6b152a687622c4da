//! Answers of OpenAI-compatible endpoints, read as leniently as they are written.

use serde::Deserialize;
use serde_json::Value;

use super::ModelError;
use crate::chat::{CallRequest, ChatReply, TokenUsage};

/// An answer that is not streamed.
#[derive(Deserialize)]
pub(super) struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<Call>>,
}

#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    id: Option<String>,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
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

impl Completion {
    /// The first choice.
    pub(super) fn reply(self) -> Result<ChatReply, ModelError> {
        let Some(choice) = self.choices.into_iter().next() else {
            return Err(ModelError::Malformed { reason: "it has no choices".to_owned() });
        };
        let Message { content, refusal, tool_calls } = choice.message;
        let tool_calls =
            tool_calls.unwrap_or_default().into_iter().enumerate().map(|(index, call)| CallRequest {
                id: call.id.filter(|id| !id.is_empty()).unwrap_or_else(|| format!("call_{}", index + 1)),
                name: call.function.name,
                arguments: match call.function.arguments {
                    Value::String(text) => text,
                    // Some local servers send the object itself.
                    Value::Null => "{}".to_owned(),
                    other => other.to_string(),
                },
            });
        let usage = self.usage.map(|usage| TokenUsage {
            prompt: usage.prompt_tokens,
            cached: usage.prompt_tokens_details.and_then(|details| details.cached_tokens).unwrap_or_default(),
            completion: usage.completion_tokens,
        });
        Ok(ChatReply {
            content: content.or(refusal),
            tool_calls: tool_calls.collect(),
            usage,
            ..ChatReply::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_lenient_servers_are_read() {
        let body = r#"{"choices": [{"message": {"content": null, "tool_calls": [
            {"function": {"name": "a", "arguments": {"x": 1}}}, {"id": "7", "function": {"name": "b"}}]}}]}"#;
        let reply = serde_json::from_str::<Completion>(body).unwrap().reply().unwrap();
        let calls: Vec<_> = reply.tool_calls.iter().map(|c| (c.id.as_str(), c.arguments.as_str())).collect();
        assert_eq!(calls, [("call_1", r#"{"x":1}"#), ("7", "{}")]);
    }
}
