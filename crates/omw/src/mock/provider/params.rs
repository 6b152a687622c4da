//! The parameters of the provider.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mock::Arguments;

/// `[providers.<name>]` of the kind `mock`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ProviderParams {
    /// What `list_models` answers; without any it is `mock-model`.
    pub models: Vec<String>,
    /// One turn for each chat, in the order of the calls of all agents. After the end the last one repeats for ever. Without turns an
    /// answer has nothing in it.
    pub turns: Vec<Turn>,
}

/// One answer. What it says comes as a piece with the reasoning, if there is any, and a last piece with all the rest.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Turn {
    /// What the model says.
    pub content: Option<String>,
    /// What it thinks.
    pub reasoning: Option<String>,
    /// The calls that it asks for.
    pub tool_calls: Vec<ScriptedCall>,
    /// Its one call: an older form of `tool_calls`.
    pub tool_call: Option<ScriptedCall>,
    /// What it costs.
    pub usage: Option<Usage>,
    /// The text that the chat fails with, after what the turn says.
    pub error: Option<String>,
    /// It never answers, whatever else the turn says.
    pub pending: bool,
}

/// A call that the model asks for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// Names the call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub arguments: Arguments,
}

/// Tokens. Counts that are absent are not told.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Usage {
    /// Of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_tokens: Option<u64>,
    /// Of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
}
