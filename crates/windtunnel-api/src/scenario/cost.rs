//! What a failure would cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a failure would cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FailureCost {
    /// How bad it is.
    pub severity: Severity,
    /// Whether a customer sees it.
    pub customer_visible: bool,
    /// Whether it can be undone.
    pub reversible: bool,
    /// Whether something happened outside the agent.
    pub side_effect_performed: bool,
}

impl Default for FailureCost {
    fn default() -> Self {
        Self {
            severity: Severity::Medium,
            customer_visible: false,
            reversible: true,
            side_effect_performed: false,
        }
    }
}

impl FailureCost {
    /// The weight that reports rank by: severity, plus 2 customer visible, 4 irreversible, 8 side effect.
    pub fn risk_weight(&self) -> u32 {
        let severity = match self.severity {
            Severity::Low => 1,
            Severity::Medium => 4,
            Severity::High => 16,
            Severity::Critical => 64,
        };
        severity
            + if self.customer_visible { 2 } else { 0 }
            + if self.reversible { 0 } else { 4 }
            + if self.side_effect_performed { 8 } else { 0 }
    }
}

/// How bad a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Weight 1.
    Low,
    /// Weight 4.
    Medium,
    /// Weight 16.
    High,
    /// Weight 64.
    Critical,
}
