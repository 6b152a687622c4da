//! `[providers.<name>]` of the kind `openai`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use windtunnel_api::Secret;

/// Where the models are that gave the wire its name.
const PUBLIC: &str = "https://api.openai.com/v1";

/// Where a model is, and how it is asked.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "OpenAI provider")]
pub struct OpenAiProviderParams {
    /// The base URL, with `/v1`.
    pub base_url: String,
    /// The key, where one is needed; empty is none.
    pub api_key: Option<Secret>,
    /// The only name in the list of models where the server has none to give.
    pub model: Option<String>,
    /// Members of every request's body, such as `temperature`; those of a single request go before them.
    pub params: Map<String, Value>,
}

impl Default for OpenAiProviderParams {
    fn default() -> Self {
        Self { base_url: PUBLIC.to_owned(), api_key: None, model: None, params: Map::new() }
    }
}
