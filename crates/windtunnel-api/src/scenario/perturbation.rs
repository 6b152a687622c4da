//! Disturbances of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A disturbance applied to a run, to see whether the agent copes.
///
/// Which fields a kind takes is checked by [`Scenario::validate`](super::Scenario::validate):
///
/// ```text
/// kind                          tool  turn_idx  key       value  hold_s
/// the history-shaping ones      yes   yes       -         -      -
/// inject_stale_memory           -     yes       required  yes    -
/// the environment-shaping ones  yes   -         -         -      -
/// timeout                       yes   -         -         -      yes
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Perturbation {
    /// What is done.
    pub kind: PerturbationKind,
    /// The tool it is done to; without it the first of `must_call`. For `inject_wrong_prior_tool_call` the wrong tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The user turn, from 0, that it is done before; without it the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_idx: Option<usize>,
    /// The memory key that is made stale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What the stale memory says; made up from the key without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// How long a `timeout` keeps the agent waiting before the call fails, in seconds; 2 without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_s: Option<f64>,
}

impl Perturbation {
    /// A perturbation of this kind, done where it is done without any field.
    pub fn new(kind: PerturbationKind) -> Self {
        Self { kind, tool: None, turn_idx: None, key: None, value: None, hold_s: None }
    }
}

/// How a perturbation disturbs a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PerturbationFamily {
    /// By messages that stand before a user turn.
    History,
    /// By a tool that misbehaves.
    Environment,
}

/// The kinds of perturbation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PerturbationKind {
    /// An empty assistant turn in the history.
    BlankAssistantContent,
    /// A raw rendering of a tool call as an assistant turn.
    FallbackRenderLeak,
    /// An earlier call with misnamed arguments.
    MalformedToolCall,
    /// An earlier call of a wrong tool.
    InjectWrongPriorToolCall,
    /// An earlier call that its schema rejected.
    InjectSchemaRejectedCall,
    /// An earlier result that was cut short.
    InjectPaginationTruncation,
    /// A stale line of memory.
    InjectStaleMemory,
    /// A tool result that is not JSON.
    MalformedJson,
    /// A tool that does not answer.
    Timeout,
    /// A tool result that is empty.
    EmptyUnexpected,
    /// A tool that rejects the arguments.
    SchemaError,
}

impl PerturbationKind {
    /// How it disturbs a run.
    pub fn family(self) -> PerturbationFamily {
        match self {
            Self::BlankAssistantContent
            | Self::FallbackRenderLeak
            | Self::MalformedToolCall
            | Self::InjectWrongPriorToolCall
            | Self::InjectSchemaRejectedCall
            | Self::InjectPaginationTruncation
            | Self::InjectStaleMemory => PerturbationFamily::History,
            Self::MalformedJson | Self::Timeout | Self::EmptyUnexpected | Self::SchemaError => {
                PerturbationFamily::Environment
            }
        }
    }

    /// The name as it is written in files and in markers.
    pub fn name(self) -> &'static str {
        match self {
            Self::BlankAssistantContent => "blank_assistant_content",
            Self::FallbackRenderLeak => "fallback_render_leak",
            Self::MalformedToolCall => "malformed_tool_call",
            Self::InjectWrongPriorToolCall => "inject_wrong_prior_tool_call",
            Self::InjectSchemaRejectedCall => "inject_schema_rejected_call",
            Self::InjectPaginationTruncation => "inject_pagination_truncation",
            Self::InjectStaleMemory => "inject_stale_memory",
            Self::MalformedJson => "malformed_json",
            Self::Timeout => "timeout",
            Self::EmptyUnexpected => "empty_unexpected",
            Self::SchemaError => "schema_error",
        }
    }
}
