//! The fields of a universe file, as data.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version that is written.
pub const UNIVERSE_VERSION: u32 = 1;

/// The contents of a universe file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Universe {
    /// [`UNIVERSE_VERSION`].
    pub windtunnel_universe: u32,
    /// The tools that are served.
    pub tools: Vec<UniverseTool>,
    /// The recorded calls, in the order they were witnessed.
    #[serde(default)]
    pub recordings: Vec<RecordedCall>,
    /// How calls find their recording.
    #[serde(default)]
    pub matching: Matching,
}

/// A tool of a universe.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UniverseTool {
    /// Its name.
    pub name: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for, as the model reads it.
    #[serde(default)]
    pub description: String,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
    /// The JSON Schema of its results; shapes the answer of the policy `empty`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_schema: Option<Value>,
    /// Its MCP annotations, as its server gave them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Value>,
}

/// A recorded call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedCall {
    /// The tool.
    pub tool_name: String,
    /// The arguments it was called with.
    #[serde(default)]
    pub args: Map<String, Value>,
    /// What it answered: an object, a text, a list of MCP content parts, or any other JSON value.
    pub result: Value,
    /// Whether that was an error, which the tool said itself or the protocol.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// How calls find their recording.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Matching {
    /// What answers a call without a recording.
    #[serde(default)]
    pub on_miss: MissPolicy,
    /// The arguments that decide where no recording has all of the call's, by tool; all of them without an entry.
    #[serde(default)]
    pub arg_keys: IndexMap<String, Vec<String>>,
    /// What answers a call without a recording, by tool.
    #[serde(default)]
    pub per_tool_on_miss: IndexMap<String, MissPolicy>,
    /// How recordings are taken, by tool.
    #[serde(default)]
    pub mode: IndexMap<String, MatchMode>,
}

/// What answers a call that was not recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissPolicy {
    /// A structured error: `{"error": "no_recorded_result", "tool", "args"}`.
    #[default]
    FailCall,
    /// An empty result in the shape of the tool's result schema.
    Empty,
    /// The recording with the most equal arguments, of several the first. Where no argument is equal: [`MissPolicy::FailCall`].
    Nearest,
    /// A function of the embedding program.
    Synthesize,
}

/// How the recordings of a tool are taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchMode {
    /// By their arguments, any number of times; of equal ones the first.
    #[default]
    Stateless,
    /// Each once: of those that match, the first that was not taken yet.
    Sequence,
}

impl MissPolicy {
    /// The name as it is written in files and in evidence.
    pub fn name(self) -> &'static str {
        match self {
            Self::FailCall => "fail_call",
            Self::Empty => "empty",
            Self::Nearest => "nearest",
            Self::Synthesize => "synthesize",
        }
    }
}

impl Matching {
    /// What answers a call of this tool that was not recorded.
    pub fn on_miss_of(&self, tool: &str) -> MissPolicy {
        self.per_tool_on_miss.get(tool).copied().unwrap_or(self.on_miss)
    }

    /// How the recordings of this tool are taken.
    pub fn mode_of(&self, tool: &str) -> MatchMode {
        self.mode.get(tool).copied().unwrap_or_default()
    }
}
