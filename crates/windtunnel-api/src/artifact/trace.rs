//! The trace of one run: everything that a gate may judge, as it is saved.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::evidence::{Evidence, Role};

/// The version that is written.
pub const TRACE_VERSION: u32 = 1;

/// The trace of one run. Keys are written in the order of the fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// [`TRACE_VERSION`]; 0 where the key is missing.
    #[serde(default)]
    pub windtunnel_trace: u32,
    /// The run's id.
    pub run_id: Uuid,
    /// The scenario's name.
    pub scenario_id: String,
    /// Who ran it: `wt-cli` or `wt-selftest`.
    pub agent_id: String,
    /// The label of the run.
    pub variant_id: String,
    /// The model's label; `unknown` where the runtime gives none.
    pub model: String,
    /// The quantisation's label; `unknown` where the runtime gives none.
    pub quant: String,
    /// The sampler settings of the scenario.
    #[serde(default)]
    pub sampler: Map<String, Value>,
    /// RFC 3339 with microseconds and `+00:00`.
    pub started_at: String,
    /// RFC 3339 with microseconds and `+00:00`.
    pub finished_at: String,
    /// The conversation.
    #[serde(default)]
    pub turns: Vec<Turn>,
    /// `sha256:<hex>` of the served tool definitions; null where they are unknown.
    #[serde(default)]
    pub tool_schema_hash: Option<String>,
    /// Markers and warnings of the run itself.
    #[serde(default)]
    pub worker_warnings: Vec<String>,
    /// The witnessed calls.
    #[serde(default)]
    pub mcp_calls: Vec<McpCall>,
    /// What the probes captured, by probe.
    #[serde(default)]
    pub observations: Map<String, Value>,
    /// The prompt surface; `{"status": "unavailable"}` where it was not seen.
    #[serde(default)]
    pub surface: Option<Value>,
    /// Token usage, where it is known.
    #[serde(default)]
    pub usage: Option<Usage>,
    /// Token usage by model call, where it is known.
    #[serde(default)]
    pub model_calls: Option<Vec<ModelCall>>,
    /// The ordered evidence.
    #[serde(default)]
    pub events: Vec<Evidence>,
    /// The tools each server served, for the tool-name rule.
    #[serde(default)]
    pub served_tools: IndexMap<String, Vec<String>>,
    /// How far the script was consumed, in a self-test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<ScriptProgress>,
}

impl Trace {
    /// The text of the actual last assistant turn, also when it is empty; none if there is no assistant turn.
    pub fn answer(&self) -> Option<&str> {
        self.turns.iter().rev().find(|turn| turn.role == Role::Assistant).map(|turn| turn.content.as_str())
    }
}

/// A turn of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Who spoke.
    pub role: Role,
    /// Its text.
    pub content: String,
    /// The calls that the transcript claims.
    #[serde(default)]
    pub tool_calls: Vec<Value>,
    /// The results that the transcript claims.
    #[serde(default)]
    pub tool_results: Vec<Value>,
    /// Milliseconds until the answer; 0 for the user's turns.
    #[serde(default)]
    pub latency_ms: f64,
    /// The prompt as the model saw it, where it is known.
    #[serde(default)]
    pub rendered_prompt: Option<String>,
    /// `sha256:<hex>` of it.
    #[serde(default)]
    pub rendered_prompt_hash: Option<String>,
}

impl Turn {
    /// A turn with nothing but its text.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
            tool_calls: Vec::new(),
            tool_results: Vec::new(),
            latency_ms: 0.0,
            rendered_prompt: None,
            rendered_prompt_hash: None,
        }
    }
}

/// A witnessed call, in the shape that foreign readers know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct McpCall {
    /// The tool's name as it was called.
    pub tool_name: String,
    /// Its arguments.
    pub args: Value,
    /// Its result.
    #[serde(default)]
    pub result: Value,
    /// Milliseconds since the Unix epoch.
    #[serde(default)]
    pub timestamp_ms: f64,
    /// What else is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Value>,
}

/// Tokens used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompts.
    pub input_tokens: u64,
    /// Tokens of the answers.
    pub output_tokens: u64,
}

/// Tokens used by one model call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCall {
    /// Which conversation it belongs to.
    pub conversation: String,
    /// Tokens of the prompt.
    pub prompt_tokens: u64,
    /// Of these, tokens read from a cache.
    pub cached_tokens: u64,
    /// Tokens of the answer.
    pub completion_tokens: u64,
}

/// How far a decision script was consumed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptProgress {
    /// Decisions in the script.
    pub decisions: usize,
    /// Decisions that were served.
    pub consumed: usize,
    /// Requests that were answered aside, without a decision.
    pub asides: usize,
    /// What went wrong at the seam: asked beyond the script, a tool that is not offered, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<String>,
}

impl ScriptProgress {
    /// Whether every decision was served and nothing else was asked.
    pub fn is_exact(&self) -> bool {
        self.consumed == self.decisions && self.violations.is_empty()
    }
}
