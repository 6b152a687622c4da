//! Everything that a suite saw, for another program.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

use crate::host::trace::RunOutcome;
use crate::run::Snapshots;

use super::{AgentReport, Observed, TestReport};

/// The format of a dump.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DumpFormat {
    /// JSON, indented by two.
    #[default]
    Json,
    /// YAML.
    Yaml,
    /// TOML, which has no null: members without a value are left out.
    Toml,
}

/// A dump that cannot be put into its format.
#[derive(Debug, thiserror::Error)]
#[error("the dump cannot be written as {format}: {error}")]
pub struct DumpError {
    format: &'static str,
    error: String,
}

/// Puts tests, each with its label, into one document:
/// `{tests: [{test, passed, error?, agents: {<agent>: {passed, asserted, outcome?, diff?, cursor, assertions, timed_out, observed}},
/// snapshots}]}`. `observed` holds the events that the reports kept, as `{kind, data}`.
///
/// # Errors
/// A value that the format cannot hold.
pub fn dump<'a>(
    tests: impl IntoIterator<Item = (&'a str, &'a TestReport)>,
    format: DumpFormat,
) -> Result<String, DumpError> {
    let tests = tests.into_iter().map(|(label, report)| DumpedTest::new(label, report)).collect();
    let dump = Dump { tests };
    match format {
        DumpFormat::Json => {
            serde_json::to_string_pretty(&dump).map(|text| text + "\n").map_err(failed("JSON"))
        }
        DumpFormat::Yaml => serde_saphyr::to_string(&dump).map_err(failed("YAML")),
        DumpFormat::Toml => {
            let value = serde_json::to_value(&dump).map_err(failed("TOML"))?;
            toml::to_string_pretty(&without_nulls(value)).map_err(failed("TOML"))
        }
    }
}

fn failed<E: ToString>(format: &'static str) -> impl FnOnce(E) -> DumpError {
    move |error| DumpError { format, error: error.to_string() }
}

#[derive(Serialize)]
struct Dump<'a> {
    tests: Vec<DumpedTest<'a>>,
}

#[derive(Serialize)]
struct DumpedTest<'a> {
    test: &'a str,
    passed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    agents: IndexMap<&'a str, DumpedAgent<'a>>,
    snapshots: &'a Snapshots,
}

#[derive(Serialize)]
struct DumpedAgent<'a> {
    passed: bool,
    /// Whether it is stopped by its verdict.
    asserted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a RunOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    cursor: usize,
    assertions: usize,
    timed_out: bool,
    observed: Vec<&'a Observed>,
}

impl<'a> DumpedTest<'a> {
    fn new(test: &'a str, report: &'a TestReport) -> Self {
        Self {
            test,
            passed: report.passed(),
            error: report.error.as_deref(),
            agents: report.agents.iter().map(|agent| (agent.agent.as_str(), agent.into())).collect(),
            snapshots: &report.snapshots,
        }
    }
}

impl<'a> From<&'a AgentReport> for DumpedAgent<'a> {
    fn from(agent: &'a AgentReport) -> Self {
        Self {
            passed: agent.passed(),
            asserted: agent.expected.stops(),
            outcome: agent.outcome.as_ref(),
            diff: agent.diff(),
            cursor: agent.cursor,
            assertions: agent.expectations,
            timed_out: agent.timed_out(),
            observed: agent.observed.iter().map(|(_, event)| event).collect(),
        }
    }
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key, without_nulls(value)))
            .collect(),
        Value::Array(items) => items.into_iter().filter(|item| !item.is_null()).map(without_nulls).collect(),
        plain => plain,
    }
}
