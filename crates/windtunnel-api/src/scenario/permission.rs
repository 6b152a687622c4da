//! Answers to an agent that asks before it acts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How requests for permission that match a pattern are answered. The first rule that matches counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PermissionRule {
    /// A pattern over the request: `{tool, args, title, kind}`.
    pub pattern: Value,
    /// The answer.
    pub answer: PermissionAnswer,
}

/// An answer to a request for permission.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PermissionAnswer {
    /// Yes, this once.
    Allow,
    /// No, this once.
    #[default]
    Reject,
    /// The user walks away: the turn is cancelled.
    Cancel,
}
