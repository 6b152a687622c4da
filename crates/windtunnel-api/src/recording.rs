//! Recordings: what `wt record` keeps of a session with a real provider.
//!
//! `*.recording.json`, with `windtunnel_recording: 1`. A reference case names its recording in `recorded`; a self-test of it then tells
//! where the tools answer otherwise than they did.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::artifact::evidence::{Evidence, ToolCall};
use crate::config::Wire;

/// The version that is written.
pub const RECORDING_VERSION: u32 = 1;

/// How the names of recordings end.
pub const RECORDING_SUFFIX: &str = ".recording.json";

/// The largest recording that is read, in bytes.
pub const MAX_RECORDING: usize = 32 * 1024 * 1024;

/// The contents of a recording. Secrets are taken out before it is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// [`RECORDING_VERSION`].
    pub windtunnel_recording: u32,
    /// What was recorded: the name of the scenario that was made of it.
    pub name: String,
    /// The requests to the provider, in their order.
    #[serde(default)]
    pub exchanges: Vec<Exchange>,
    /// What was said and called, in the order it was witnessed.
    #[serde(default)]
    pub events: Vec<Evidence>,
}

impl Recording {
    /// The witnessed tool calls, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.events.iter().filter_map(|event| match event {
            Evidence::ToolCall(call) => Some(call),
            Evidence::Turn { .. }
            | Evidence::Inference { .. }
            | Evidence::ClaimedCall { .. }
            | Evidence::Observation { .. }
            | Evidence::Warning { .. } => None,
        })
    }
}

/// One request to a provider, without its conversation, which is in the events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The HTTP method.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The wire that it was understood as; none where it was only passed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire: Option<Wire>,
    /// The headers of the request that are kept.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    /// The request without its messages; null where it was only passed on.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub request: Value,
    /// The status of the answer.
    pub status: u16,
    /// The headers of the answer that are kept.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub answer_headers: IndexMap<String, String>,
    /// Whether the answer came as a stream.
    #[serde(default)]
    pub streamed: bool,
    /// How long it took, in milliseconds.
    pub ms: f64,
    /// What could not be understood, or broke off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}
