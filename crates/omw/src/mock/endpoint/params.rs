//! The parameters of the endpoint.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::mock::{After, ScriptedTool};

/// `[endpoint]` of the kind `mock`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EndpointParams {
    /// What clients ask.
    pub requests: Vec<ScriptedRequest>,
}

/// One request of a client.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedRequest {
    /// The model name that an agent serves. The request waits until one does.
    pub model: String,
    /// What the snapshot calls the session; by default `request-` and the request's number, from 1.
    pub session_id: Option<String>,
    /// The conversation.
    #[serde(default)]
    pub messages: Vec<RequestMessage>,
    /// The tools that the client offers.
    #[serde(default)]
    pub tools: Vec<ScriptedTool>,
    /// Whether a client would ask for a stream. For the reader: the agent is not told, and answers the same.
    #[serde(default)]
    pub stream: bool,
    /// Further members of the request.
    pub params: Option<Value>,
    /// When it is asked.
    pub after: Option<After>,
    /// When the client leaves; by default after a delta with a finish reason.
    pub session_end: Option<SessionEnd>,
}

/// A message of a client.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestMessage {
    /// Who said it.
    #[serde(default = "user")]
    pub role: String,
    /// What was said.
    pub content: Option<String>,
    /// What the model thought.
    pub reasoning: Option<String>,
}

fn user() -> String {
    "user".to_owned()
}

/// After how many deltas a client leaves, and how.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionEnd {
    /// It is content with so many.
    pub close: Option<u64>,
    /// It breaks off after so many. This counts where both are given.
    pub abort: Option<u64>,
}
