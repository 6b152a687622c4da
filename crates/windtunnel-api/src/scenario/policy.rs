//! The rules of the constraint layer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::outcome::ObservationCheck;
use crate::pack::EffectClass;

/// A rule of the constraint layer. Exactly one of its rules is given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Names the rule in reports.
    pub name: String,
    /// The effect class that the rule guards, for triage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect_class: Option<EffectClass>,
    /// No event matches this pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub never: Option<Value>,
    /// Before every event that matches `then`, one matched `first`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always_before: Option<AlwaysBefore>,
    /// No more than so many events match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<AtMost>,
    /// A value of the observed state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<ObservationCheck>,
    /// No tool call was answered by something else than a recording.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_divergence: bool,
}

/// `first` has to come before every `then`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlwaysBefore {
    /// The pattern that has to match earlier.
    pub first: Value,
    /// The pattern it has to precede.
    pub then: Value,
}

/// A bound on how often a pattern matches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AtMost {
    /// The greatest number of matching events.
    pub count: u64,
    /// The pattern that is counted.
    pub pattern: Value,
}
