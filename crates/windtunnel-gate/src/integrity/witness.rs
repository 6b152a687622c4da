//! Whether somebody saw the calls that a gate judges.

use serde_json::Value;
use windtunnel_api::artifact::trace::Trace;
use windtunnel_api::scenario::{OutcomeScorer, Policy, Scenario};

use super::marker;
use crate::checks::Checks;
use crate::findings::Findings;

/// Kinds of events that nobody has where nobody saw the calls.
const OF_CALLS: [&str; 2] = ["tool_call", "inference"];

/// | seen of calls | what is judged | the run |
/// |---|---|---|
/// | all | any | can be trusted |
/// | none | no call | can be trusted |
/// | none | calls | cannot |
/// | those of served tools | only what served tools do | can be trusted |
/// | those of served tools | that another tool is not called | cannot |
pub(super) fn check(trace: &Trace, scenario: &Scenario, checks: &Checks, findings: &mut Findings) {
    let unseen = |reason: &str| Err(format!("calls have no witness: {reason}"));
    if let Some(reason) = marker::unwitnessed_calls(&trace.worker_warnings)
        && (judges_calls(scenario) || !checks.layers().is_empty())
    {
        findings.add(unseen(reason));
    }
    if let Some(reason) = marker::unwitnessed_own_calls(&trace.worker_warnings)
        && let Some(tool) = forbidden(scenario).find(|tool| !is_served(trace, tool))
    {
        findings
            .add(unseen(&format!("no tool server has {tool:?}, which is not to be called, and {reason}")));
    }
}

/// Whether anything of the gate depends on calls.
fn judges_calls(scenario: &Scenario) -> bool {
    scenario.declares_trajectory()
        || scenario.requires_tool_use
        || scenario.policies.iter().any(|policy| policy.no_divergence || rules(policy).any(is_of_calls))
        || scenario.outcome.as_ref().is_some_and(depends_on_calls)
}

fn depends_on_calls(outcome: &OutcomeScorer) -> bool {
    match outcome {
        OutcomeScorer::SubstantiatedByTools(_) => true,
        OutcomeScorer::AllOf(parts) | OutcomeScorer::AnyOf(parts) => parts.iter().any(depends_on_calls),
        OutcomeScorer::Pattern(steps) => steps.iter().any(is_of_calls),
        OutcomeScorer::Observation(_) | OutcomeScorer::LlmJudge(_) => false,
    }
}

/// The patterns of a policy.
fn rules(policy: &Policy) -> impl Iterator<Item = &Value> {
    let before = policy.always_before.iter().flat_map(|rule| [&rule.first, &rule.then]);
    policy.never.iter().chain(policy.at_most.iter().map(|rule| &rule.pattern)).chain(before)
}

/// Whether a pattern can mean calls: it names their kind, or no kind at all.
fn is_of_calls(pattern: &Value) -> bool {
    let kinds = texts(pattern, "kind");
    kinds.is_empty() || kinds.iter().any(|kind| OF_CALLS.contains(kind))
}

/// The tools that are not to be called, as far as they have names.
fn forbidden(scenario: &Scenario) -> impl Iterator<Item = &str> {
    scenario.forbidden_calls.iter().map(String::as_str).chain(scenario.policies.iter().flat_map(bounded))
}

/// The tools that a policy bounds.
fn bounded(policy: &Policy) -> impl Iterator<Item = &str> {
    let rules = policy.never.iter().chain(policy.at_most.iter().map(|rule| &rule.pattern));
    rules.flat_map(|rule| texts(rule, "tool"))
}

/// Whether a tool server has it. A pattern means every tool that has its text in its name.
fn is_served(trace: &Trace, tool: &str) -> bool {
    trace.served_tools.values().flatten().any(|served| served.contains(tool))
}

/// The texts that fields of this name have, wherever they stand in a pattern.
fn texts<'v>(pattern: &'v Value, name: &str) -> Vec<&'v str> {
    match pattern {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| match value.as_str().filter(|_| key == name) {
                Some(text) => vec![text],
                None => texts(value, name),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(|item| texts(item, name)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fixture;

    /// The lines that fail a run with this marker and this gate.
    fn failed(marker: &str, gate: &Value) -> Vec<String> {
        let mut fields = json!({"name": "s", "prompt": "p"});
        for (key, value) in gate.as_object().unwrap() {
            fields[key] = value.clone();
        }
        let mut trace = fixture::trace();
        trace.worker_warnings = vec![format!("{marker}: why")];
        trace.served_tools.insert("crm".to_owned(), vec!["lookup".to_owned()]);
        let score = crate::integrity::score(&trace, &serde_json::from_value(fields).unwrap(), &Checks::new());
        if score.passed { Vec::new() } else { score.detail.lines().map(str::to_owned).collect() }
    }

    #[test]
    fn a_gate_over_calls_that_nobody_saw_cannot_be_trusted_and_another_can() {
        let never = |pattern: Value| json!({"policies": [{"name": "n", "never": pattern}]});
        for gate in [
            json!({"forbidden_calls": ["drop"]}),
            json!({"must_call": ["drop"]}),
            json!({"requires_tool_use": true}),
            never(json!({"kind": "tool_call", "tool": "drop"})),
            never(json!({"args": {"path": "/etc"}})),
            never(json!({"kind": "inference"})),
            json!({"policies": [{"name": "n", "at_most": {"count": 0, "pattern": {"kind": "tool_call"}}}]}),
            json!({"policies": [{"name": "n", "always_before": {"first": {"kind": "turn"}, "then": {"kind": "tool_call"}}}]}),
            json!({"policies": [{"name": "n", "no_divergence": true}]}),
            json!({"outcome": {"substantiated_by_tools": {}}}),
            json!({"outcome": {"all_of": [{"pattern": [{"$never": {"kind": "tool_call"}}]}]}}),
        ] {
            assert_eq!(failed("unwitnessed_calls", &gate), ["calls have no witness: why"], "{gate}");
        }
        for gate in [
            json!({"target_facts": [["x"]]}),
            never(json!({"kind": "turn", "role": "assistant", "content": "x"})),
            json!({"outcome": {"observation": {"source": "workspace", "equals": 1}}}),
        ] {
            assert_eq!(failed("unwitnessed_calls", &gate), Vec::<String>::new(), "{gate}");
        }
    }

    #[test]
    fn where_only_served_tools_are_seen_no_other_can_be_forbidden() {
        let never =
            |tool: &str| json!({"policies": [{"name": "n", "never": {"kind": "tool_call", "tool": tool}}]});
        let expected =
            ["calls have no witness: no tool server has \"drop\", which is not to be called, and why"];
        for gate in [json!({"forbidden_calls": ["lookup", "drop"]}), never("drop")] {
            assert_eq!(failed("unwitnessed_own_calls", &gate), expected, "{gate}");
        }
        for gate in [json!({"forbidden_calls": ["lookup"]}), never("look"), json!({"must_call": ["drop"]})] {
            assert_eq!(failed("unwitnessed_own_calls", &gate), Vec::<String>::new(), "{gate}");
        }
    }
}
