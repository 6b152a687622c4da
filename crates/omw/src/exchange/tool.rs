//! Tools, and what calling them gives.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool, as a server describes it and a model is told of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    #[serde(default = "no_schema")]
    pub input_schema: Value,
    /// The JSON Schema of its structured result.
    pub output_schema: Option<Value>,
    /// Hints about its effects.
    pub annotations: Option<ToolAnnotations>,
}

fn no_schema() -> Value {
    Value::Object(serde_json::Map::new())
}

/// Hints of a server about the effects of a tool.
///
/// The source is MCP's `ToolAnnotations`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolAnnotations {
    /// It changes nothing.
    pub read_only_hint: Option<bool>,
    /// It may destroy.
    pub destructive_hint: Option<bool>,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent_hint: Option<bool>,
    /// It reaches beyond its own domain.
    pub open_world_hint: Option<bool>,
}

/// What a call gave.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The tool.
    pub name: String,
    /// The arguments it was called with, as JSON text.
    pub arguments: String,
    /// The content blocks of the result, a JSON array as text.
    pub content: String,
    /// The structured result, as JSON text.
    pub structured_content: Option<String>,
    /// Whether the tool itself says that it failed.
    pub is_error: bool,
}
