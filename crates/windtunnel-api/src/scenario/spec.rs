//! The fields of a scenario file, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::cost::FailureCost;
use super::outcome::OutcomeScorer;
use super::permission::PermissionRule;
use super::perturbation::Perturbation;
use super::policy::Policy;
use super::reference::ReferenceCase;
use crate::artifact::score::Layer;

/// One test of an agent: what it is asked, and the gate that judges what it did.
///
/// Written as `*.scenario.{toml,yaml,json}` below a pack, or built in Rust. [`Scenario::validate`] checks the
/// rules that types cannot say.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Wind Tunnel scenario")]
pub struct Scenario {
    /// Unique among all scenarios of a run.
    pub name: String,
    /// The one user turn, when `user_turns` is empty.
    #[serde(default)]
    pub prompt: String,
    /// Several user turns under one session; the answer to the last one is scored.
    #[serde(default)]
    pub user_turns: Vec<String>,
    /// Facts the answer must hold: all of the outer list, any of each inner one. Case-insensitive substrings.
    #[serde(default)]
    pub target_facts: Vec<Vec<String>>,
    /// Numbers the answer must hold, on word boundaries.
    #[serde(default)]
    pub target_numbers: Vec<TargetNumber>,
    /// Facts the answer must not assert; a negated mention is fine.
    #[serde(default)]
    pub forbidden_facts: Vec<String>,
    /// Fails a run without any tool call, even if the facts are there.
    #[serde(default)]
    pub requires_tool_use: bool,
    /// A scorer that owns the outcome layer, after the structural checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeScorer>,
    /// Tools that must be called; an inner list means any one of them.
    #[serde(default)]
    pub must_call: Vec<CallRequirement>,
    /// Tools that must not be called.
    #[serde(default)]
    pub forbidden_calls: Vec<String>,
    /// `must_call` has to occur in the order given (as a subsequence).
    #[serde(default)]
    pub order_matters: bool,
    /// A pattern sequence over the evidence events.
    #[serde(default)]
    pub trajectory: Vec<Value>,
    /// Rules of the constraint layer.
    #[serde(default)]
    pub policies: Vec<Policy>,
    /// Answers to an agent that asks for permission, where the runtime lets it ask.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<PermissionRule>,
    /// Disturbances applied to the history or to the tools.
    #[serde(default)]
    pub perturbations: Vec<Perturbation>,
    /// Replaces the derived set of layers that gate a run, to make a layer diagnostic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate_layers: Option<Vec<Layer>>,
    /// What a failure would cost; ranks reports.
    #[serde(default)]
    pub failure_cost: FailureCost,
    /// Allows some runs to fail: see `min_pass_rate`.
    #[serde(default)]
    pub variance_allowed: bool,
    /// The least pass rate, from 0 to 1, that counts as PASS_WITH_VARIANCE. Default: anything above 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_pass_rate: Option<f64>,
    /// Free labels, selectable with `--tag`; `dim:<name>` names a dimension for triage.
    #[serde(default)]
    pub tags: Vec<String>,
    /// What must hold before the agent is asked anything.
    #[serde(default)]
    pub preconditions: Vec<Precondition>,
    /// Files, relative to the workspace, that must be there: short for `preconditions = [{ file = … }]`.
    #[serde(default)]
    pub requires_files: Vec<String>,
    /// Tools that must be served: short for `preconditions = [{ tool = … }]`.
    #[serde(default)]
    pub requires_tools: Vec<String>,
    /// Sampler settings handed to the runtime as they are.
    #[serde(default)]
    pub sampler: Map<String, Value>,
    /// The golden and poison cases that prove this scenario's gate.
    #[serde(default)]
    pub reference_cases: Vec<ReferenceCase>,
    /// Changes to a golden script that the gate may let through, each with a reason.
    #[serde(default)]
    pub allowed_mutants: Vec<AllowedMutant>,
    /// Arguments, as `tool.argument`, whose text is the model's to choose.
    #[serde(default)]
    pub free_arguments: Vec<String>,
}

impl Scenario {
    /// A scenario with one user turn and no checks yet.
    pub fn new(name: impl Into<String>, prompt: impl Into<String>) -> Self {
        Self { name: name.into(), prompt: prompt.into(), ..Self::default() }
    }

    /// The user turns in order: `user_turns` if there are any, else the prompt alone.
    pub fn turns(&self) -> Vec<&str> {
        if self.user_turns.is_empty() {
            vec![self.prompt.as_str()]
        } else {
            self.user_turns.iter().map(String::as_str).collect()
        }
    }

    /// Whether any field of the outcome layer is declared.
    pub fn declares_outcome(&self) -> bool {
        !self.target_facts.is_empty()
            || !self.target_numbers.is_empty()
            || !self.forbidden_facts.is_empty()
            || self.requires_tool_use
            || self.outcome.is_some()
    }

    /// Whether any field of the trajectory layer is declared.
    pub fn declares_trajectory(&self) -> bool {
        !self.must_call.is_empty()
            || !self.forbidden_calls.is_empty()
            || self.order_matters
            || !self.trajectory.is_empty()
    }

    /// Whether any policy is declared.
    pub fn declares_constraint(&self) -> bool {
        !self.policies.is_empty()
    }

    /// Whether any field of this layer is declared. Integrity has none.
    pub fn declares(&self, layer: Layer) -> bool {
        match layer {
            Layer::Outcome => self.declares_outcome(),
            Layer::Trajectory => self.declares_trajectory(),
            Layer::Constraint => self.declares_constraint(),
            Layer::Integrity => false,
        }
    }

    /// The layers whose failure fails a run: outcome and each other layer with a declared field, or `gate_layers`.
    ///
    /// Integrity is not among them; it is never optional and makes a run INVALID.
    pub fn gate(&self) -> Vec<Layer> {
        self.gate_beside(&[])
    }

    /// [`Scenario::gate`] where closures beside the scenario check these layers too.
    pub fn gate_beside(&self, closures: &[Layer]) -> Vec<Layer> {
        if let Some(layers) = &self.gate_layers {
            return layers.clone();
        }
        let others = [Layer::Trajectory, Layer::Constraint];
        let judged = others.into_iter().filter(|layer| self.declares(*layer) || closures.contains(layer));
        std::iter::once(Layer::Outcome).chain(judged).collect()
    }

    /// The declared preconditions with `requires_files` and `requires_tools` spelled out.
    pub fn all_preconditions(&self) -> Vec<Precondition> {
        let files = self.requires_files.iter().cloned().map(Precondition::File);
        let tools = self.requires_tools.iter().cloned().map(Precondition::Tool);
        self.preconditions.iter().cloned().chain(files).chain(tools).collect()
    }
}

/// A number the answer must hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetNumber {
    /// The number, compared on word boundaries.
    pub value: serde_json::Number,
    /// A word that must stand within 30 characters of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// An entry of `must_call`: one tool, or any one of several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CallRequirement {
    /// This tool.
    Tool(String),
    /// Any one of these tools.
    AnyOf(Vec<String>),
}

impl CallRequirement {
    /// The tools of which one has to be called.
    pub fn names(&self) -> &[String] {
        match self {
            Self::Tool(name) => std::slice::from_ref(name),
            Self::AnyOf(names) => names,
        }
    }
}

impl From<&str> for CallRequirement {
    fn from(tool: &str) -> Self {
        Self::Tool(tool.to_owned())
    }
}

/// What must hold before the agent is asked anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Precondition {
    /// Whether a state probe was handed to this case.
    StateProbe(bool),
    /// A tool of this name is served.
    Tool(String),
    /// A file, relative to the workspace, is there.
    File(String),
}

/// A change to a golden script that the gate may let through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllowedMutant {
    /// The operator that makes the change.
    pub operator: String,
    /// A pattern of what changed; every change of the operator without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Value>,
    /// Why this is no defect.
    pub reason: String,
}
