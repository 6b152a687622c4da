//! Reference cases: scripted model decisions that a gate must accept (golden) or reject (poison).

use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::artifact::score::Layer;

/// A script of model decisions with a known verdict.
///
/// The script replaces inference only; the agent's loop, its tools and the scoring stay live.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceCase {
    /// Unique within its scenario.
    pub name: String,
    /// Whether the gate must accept it or reject it.
    pub kind: ReferenceKind,
    /// The layer that has to reject a poison; any layer of the gate without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caught_by: Option<Layer>,
    /// Successive model decisions inside one agent turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<ReferenceDecision>,
    /// One list of decisions per user turn, for scenarios with several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Vec<ReferenceDecision>>,
    /// Stands in for the model of an `llm_judge`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeVerdict>,
    /// The recording that the case was made of, a file of the pack: a self-test tells where tools answer otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub recorded: Option<Utf8PathBuf>,
}

impl ReferenceCase {
    /// A case for a scenario with one user turn.
    pub fn new(
        name: impl Into<String>,
        kind: ReferenceKind,
        decisions: impl IntoIterator<Item = ReferenceDecision>,
    ) -> Self {
        Self {
            name: name.into(),
            kind,
            caught_by: None,
            decisions: decisions.into_iter().collect(),
            turns: Vec::new(),
            judge: None,
            recorded: None,
        }
    }

    /// Known-correct decisions for a scenario with one user turn.
    pub fn golden(name: impl Into<String>, decisions: impl IntoIterator<Item = ReferenceDecision>) -> Self {
        Self::new(name, ReferenceKind::Golden, decisions)
    }

    /// A known-bad path for a scenario with one user turn, caught by any layer of the gate.
    pub fn poison(name: impl Into<String>, decisions: impl IntoIterator<Item = ReferenceDecision>) -> Self {
        Self::new(name, ReferenceKind::Poison, decisions)
    }

    /// The same poison, which this layer has to catch.
    #[must_use]
    pub fn caught_by(mut self, layer: Layer) -> Self {
        self.caught_by = Some(layer);
        self
    }

    /// All decisions in the order they are served.
    pub fn all_decisions(&self) -> impl Iterator<Item = &ReferenceDecision> {
        self.decisions.iter().chain(self.turns.iter().flatten())
    }
}

/// Which verdict of the gate a reference case expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceKind {
    /// Known-correct decisions: the gate must pass them.
    Golden,
    /// A named known-bad path: the gate must fail it.
    Poison,
}

impl ReferenceKind {
    /// The name as it is written in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Golden => "golden",
            Self::Poison => "poison",
        }
    }
}

/// One model response: tool calls to make, or the final answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceDecision {
    /// Text; required and non-empty in the last decision of a turn, optional beside tool calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// What the model thinks before it answers, on wires that show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Whether the content is a refusal: it is sent as the provider sends one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refusal: bool,
    /// Tool calls; at least one in every decision but the last of a turn, none in that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ReferenceToolCall>,
    /// Errors served before the decision itself, to exercise the agent's retries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<InferenceFault>,
}

impl ReferenceDecision {
    /// A final answer.
    pub fn says(content: impl Into<String>) -> Self {
        Self { content: Some(content.into()), ..Self::default() }
    }

    /// Tool calls, made in parallel if there are several.
    pub fn calls(tool_calls: impl IntoIterator<Item = ReferenceToolCall>) -> Self {
        Self { tool_calls: tool_calls.into_iter().collect(), ..Self::default() }
    }
}

/// A tool call that the scripted model asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceToolCall {
    /// The bare tool name; it is sent as the agent offers it.
    pub name: String,
    /// The arguments, a JSON object.
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

impl ReferenceToolCall {
    /// A call with the given arguments.
    pub fn new<K: Into<String>>(
        name: impl Into<String>,
        arguments: impl IntoIterator<Item = (K, Value)>,
    ) -> Self {
        Self {
            name: name.into(),
            arguments: arguments.into_iter().map(|(key, value)| (key.into(), value)).collect(),
        }
    }
}

/// What goes wrong at the model endpoint before it gives the decision: one request is answered so, the next one gets the next
/// fault or the decision.
///
/// `{ status = 429, retry_after = 1 }` is an HTTP error in the words of the wire's provider; `{ kind = "cut" }` and the like go
/// wrong in other ways.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InferenceFault {
    /// What goes wrong.
    #[serde(default)]
    pub kind: FaultKind,
    /// The HTTP status, 400 to 599, of `kind = "status"`; 529 is an overloaded provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Seconds for the `retry-after` header of a status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<f64>,
    /// The message of the error; a default by status without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl InferenceFault {
    /// An HTTP error.
    pub fn status(status: u16) -> Self {
        Self { kind: FaultKind::Status, status: Some(status), retry_after: None, message: None }
    }

    /// Another thing that goes wrong.
    pub fn of(kind: FaultKind) -> Self {
        Self { kind, status: None, retry_after: None, message: None }
    }

    /// The same with seconds to wait.
    #[must_use]
    pub fn retry_after(mut self, seconds: f64) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

/// The ways in which a model endpoint can fail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// An HTTP error status.
    #[default]
    Status,
    /// The connection is closed before anything is answered.
    Disconnect,
    /// The answer begins, and the connection breaks off in its middle.
    Cut,
    /// The answer begins, and then comes the provider's error in the middle of it; with an answer that is not streamed, in its place.
    StreamError,
    /// What comes is not what the wire's provider would send: a piece of the answer is no JSON.
    Malformed,
    /// The answer begins, and nothing more comes until the client gives up.
    Stall,
    /// The answer ends early because its length is used up, as the provider says it.
    Truncated,
}

impl FaultKind {
    /// The name as it is written in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Disconnect => "disconnect",
            Self::Cut => "cut",
            Self::StreamError => "stream_error",
            Self::Malformed => "malformed",
            Self::Stall => "stall",
            Self::Truncated => "truncated",
        }
    }
}

/// What a judging model would have said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum JudgeVerdict {
    /// The answer meets the rubric.
    Pass,
    /// The answer does not.
    Fail,
}

impl JudgeVerdict {
    /// The word a judge answers with.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
        }
    }
}
