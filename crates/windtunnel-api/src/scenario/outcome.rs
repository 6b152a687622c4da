//! The scorers of the outcome layer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A scorer of the outcome layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeScorer {
    /// A value of the observed state.
    Observation(ObservationCheck),
    /// What the answer states occurs in a tool result.
    SubstantiatedByTools(SubstantiatedByTools),
    /// Every one of these passes.
    AllOf(Vec<OutcomeScorer>),
    /// At least one of these passes.
    AnyOf(Vec<OutcomeScorer>),
    /// A pattern sequence over the evidence events.
    Pattern(Vec<Value>),
    /// A model judges the answer; asked once before scoring, its answer frozen into the observations.
    LlmJudge(LlmJudge),
}

/// A check of one observed value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservationCheck {
    /// The probe's name in `pack.toml`.
    pub source: String,
    /// A JSON Pointer into what the probe captured (RFC 6901); empty for the whole of it.
    #[serde(default)]
    pub path: String,
    /// The value has to equal this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<Value>,
    /// The value has to match this pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches: Option<Value>,
    /// The value has to be there (true), or be absent or null (false).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exists: Option<bool>,
}

/// Every integer of the answer, or every given fact that the answer states, occurs in a tool result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubstantiatedByTools {
    /// The facts to look for instead of the answer's integers.
    #[serde(default)]
    pub facts: Vec<String>,
}

/// A judgement by a model: strictly PASS or FAIL, anything else fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LlmJudge {
    /// What the answer is judged by.
    pub rubric: String,
    /// The runtime in `wt.toml` whose model judges; default: the environment's OpenAI settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
}
