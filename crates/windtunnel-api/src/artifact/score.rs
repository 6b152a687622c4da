//! The score of one run: four layers and the verdict they make.

use std::fmt;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scenario::reference::ReferenceKind;
use crate::scenario::{CallRequirement, FailureCost, Scenario, Severity};
use crate::selftest::SelftestVerdict;

/// The version that is written.
pub const SCORE_VERSION: u32 = 2;

/// A layer of the score. Outcome, trajectory and constraint judge the agent; integrity judges the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// What the agent answered, and what state it left.
    Outcome,
    /// Which tools it called, and in which order.
    Trajectory,
    /// The rules it had to keep.
    Constraint,
    /// Whether the run itself can be trusted.
    Integrity,
}

impl Layer {
    /// All layers, in the order they are written.
    pub const ALL: [Self; 4] = [Self::Outcome, Self::Trajectory, Self::Constraint, Self::Integrity];

    /// The name as it is written in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::Trajectory => "trajectory",
            Self::Constraint => "constraint",
            Self::Integrity => "integrity",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What one layer says of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayerScore {
    /// Whether every check of the layer passed.
    pub passed: bool,
    /// What was checked, and for a failure what was expected, what was found and where.
    pub detail: String,
    /// Named bools, numbers and strings; they never change a verdict.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub metrics: IndexMap<String, Value>,
}

impl LayerScore {
    /// A layer that passed.
    pub fn pass(detail: impl Into<String>) -> Self {
        Self { passed: true, detail: detail.into(), metrics: IndexMap::new() }
    }

    /// A layer that failed.
    pub fn fail(detail: impl Into<String>) -> Self {
        Self { passed: false, detail: detail.into(), metrics: IndexMap::new() }
    }
}

/// The verdict of one run, or of several runs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    /// Every layer of the gate passed, in every run.
    Pass,
    /// Enough runs passed, of a scenario that allows variance.
    PassWithVariance,
    /// A layer of the gate failed.
    Fail,
    /// The experiment cannot be trusted: integrity failed, or there was no run.
    Invalid,
}

impl Verdict {
    /// The word as it is written in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::PassWithVariance => "PASS_WITH_VARIANCE",
            Self::Fail => "FAIL",
            Self::Invalid => "INVALID",
        }
    }

    /// Whether the scenario counts as passed.
    pub fn is_pass(self) -> bool {
        match self {
            Self::Pass | Self::PassWithVariance => true,
            Self::Fail | Self::Invalid => false,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The score of one run: the `score` key of the sidecar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// What the agent answered.
    pub outcome: LayerScore,
    /// Which tools it called.
    pub trajectory: LayerScore,
    /// The rules it had to keep.
    pub constraint: LayerScore,
    /// Whether the run can be trusted.
    pub integrity: LayerScore,
    /// What a failure would cost.
    pub failure_cost: WeighedCost,
    /// PASS, FAIL or INVALID.
    pub verdict: Verdict,
}

impl Score {
    /// One layer's score.
    pub fn layer(&self, layer: Layer) -> &LayerScore {
        match layer {
            Layer::Outcome => &self.outcome,
            Layer::Trajectory => &self.trajectory,
            Layer::Constraint => &self.constraint,
            Layer::Integrity => &self.integrity,
        }
    }
}

/// A failure cost with the weight it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeighedCost {
    /// How bad it is.
    pub severity: Severity,
    /// Whether a customer sees it.
    pub customer_visible: bool,
    /// Whether it can be undone.
    pub reversible: bool,
    /// Whether something happened outside the agent.
    pub side_effect_performed: bool,
    /// The weight that reports rank by.
    pub risk_weight: u32,
}

impl From<FailureCost> for WeighedCost {
    fn from(cost: FailureCost) -> Self {
        Self {
            severity: cost.severity,
            customer_visible: cost.customer_visible,
            reversible: cost.reversible,
            side_effect_performed: cost.side_effect_performed,
            risk_weight: cost.risk_weight(),
        }
    }
}

/// The score file beside a trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreSidecar {
    /// [`SCORE_VERSION`].
    pub windtunnel_score: u32,
    /// The six keys of the score.
    #[serde(flatten)]
    pub layers: Score,
    /// The layers that gate the run.
    pub gate_layers: Vec<Layer>,
    /// The risk weight of a FAIL; 0 otherwise.
    pub failure_risk: u32,
    /// The six keys again, on their own.
    pub score: Score,
    /// The scenario as it was when the run was scored.
    pub scenario: ScenarioSummary,
    /// Where a self-test's score comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

impl ScoreSidecar {
    /// The sidecar of a scored run. `gate` is the gate that was judged by: closures can add layers to the scenario's own.
    pub fn new(scenario: &Scenario, gate: &[Layer], score: Score, origin: Option<Origin>) -> Self {
        let failure_risk = match score.verdict {
            Verdict::Fail => score.failure_cost.risk_weight,
            Verdict::Pass | Verdict::PassWithVariance | Verdict::Invalid => 0,
        };
        Self {
            windtunnel_score: SCORE_VERSION,
            layers: score.clone(),
            gate_layers: gate.to_vec(),
            failure_risk,
            score,
            scenario: ScenarioSummary::new(scenario, gate),
            origin,
        }
    }
}

/// The parts of a scenario that a score file keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the scenario")]
pub struct ScenarioSummary {
    pub name: String,
    pub prompt: String,
    pub user_turns: Vec<String>,
    pub target_facts: Vec<Vec<String>>,
    pub requires_tool_use: bool,
    pub tags: Vec<String>,
    pub must_call: Vec<CallRequirement>,
    pub forbidden_calls: Vec<String>,
    pub gate_layers: Vec<Layer>,
    pub has_perturbations: bool,
}

impl ScenarioSummary {
    /// The summary of a scenario that was judged by this gate.
    pub fn new(scenario: &Scenario, gate: &[Layer]) -> Self {
        Self {
            name: scenario.name.clone(),
            prompt: scenario.prompt.clone(),
            user_turns: scenario.user_turns.clone(),
            target_facts: scenario.target_facts.clone(),
            requires_tool_use: scenario.requires_tool_use,
            tags: scenario.tags.clone(),
            must_call: scenario.must_call.clone(),
            forbidden_calls: scenario.forbidden_calls.clone(),
            gate_layers: gate.to_vec(),
            has_perturbations: !scenario.perturbations.is_empty(),
        }
    }
}

/// Where a self-test's score comes from. Ordinary aggregates leave out scores that have one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Always `selftest`.
    pub kind: String,
    /// The reference case's name.
    pub reference_case: String,
    /// Golden or poison.
    pub reference_kind: ReferenceKind,
    /// What the self-test made of the score.
    pub selftest_verdict: SelftestVerdict,
}

impl Origin {
    /// The origin of a reference case's score.
    pub fn selftest(case: impl Into<String>, kind: ReferenceKind, verdict: SelftestVerdict) -> Self {
        Self {
            kind: "selftest".to_owned(),
            reference_case: case.into(),
            reference_kind: kind,
            selftest_verdict: verdict,
        }
    }
}
