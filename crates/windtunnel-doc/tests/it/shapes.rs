//! Types like those of scenario and pack files.

use indexmap::IndexMap;
use serde::{Deserialize, de::DeserializeOwned};
use windtunnel_doc::{Document, Format, Limits};

pub(crate) fn document(format: Format, text: &str) -> Document {
    Document::parse("file", text, format, &Limits::default()).unwrap()
}

pub(crate) fn decode<T: DeserializeOwned>(format: Format, text: &str) -> T {
    document(format, text).decode().unwrap_or_else(|faults| panic!("{faults}"))
}

pub(crate) fn faults<T: DeserializeOwned + std::fmt::Debug>(format: Format, text: &str) -> String {
    document(format, text).decode::<T>().unwrap_err().to_string()
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) prompt: String,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    #[serde(default)]
    pub(crate) requires_tool_use: bool,
    #[serde(default)]
    pub(crate) retries: Option<u8>,
    #[serde(default)]
    pub(crate) min_pass_rate: Option<f64>,
    #[serde(default)]
    pub(crate) reference_cases: Vec<ReferenceCase>,
    #[serde(default)]
    pub(crate) tools: IndexMap<String, Tool>,
    #[serde(default)]
    pub(crate) outcome: Option<Outcome>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReferenceCase {
    pub(crate) name: String,
    pub(crate) kind: CaseKind,
    pub(crate) decisions: Vec<Decision>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CaseKind {
    Golden,
    Poison,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decision {
    #[serde(default)]
    pub(crate) content: Option<String>,
    #[serde(default)]
    pub(crate) tool_calls: Vec<ToolCall>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolCall {
    pub(crate) name: String,
    pub(crate) arguments: serde_json::Map<String, serde_json::Value>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Tool {
    Stdio { command: Vec<String> },
    Http(Http),
    Workspace,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Http {
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) port: u16,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Observation(Observation),
    AllOf(Vec<Outcome>),
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Observation {
    pub(crate) source: String,
    pub(crate) equals: serde_json::Value,
}
