//! The rules of a scenario beside its pack.

use serde_json::Value;
use windtunnel_doc::{Fault, Path, nearest};

use super::at;
use crate::pack::PackManifest;
use crate::scenario::{ObservationCheck, OutcomeScorer, PerturbationFamily, Scenario};

/// Sources that no probe is: the answer of a judge, and what an agent asked permission for.
const OWN_SOURCES: [&str; 2] = ["llm_judge", "permission"];

impl Scenario {
    /// Checks what the scenario wants of its pack: probes that it observes, tools that it makes fail.
    ///
    /// A pack without any probe may get its state from a runtime, so what is observed there is not checked.
    ///
    /// ```
    /// use windtunnel_api::{PackManifest, Scenario};
    ///
    /// let manifest: PackManifest = serde_json::from_value(serde_json::json!({
    ///     "name": "desk", "probe": {"books": {"workspace": {}}},
    /// }))?;
    /// let scenario: Scenario = serde_json::from_value(serde_json::json!({
    ///     "name": "refund", "prompt": "Refund it.",
    ///     "outcome": {"observation": {"source": "book", "exists": true}},
    /// }))?;
    /// let faults = scenario.validate_beside_pack(&manifest);
    /// assert_eq!(faults[0].path.to_string(), "outcome.observation.source");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn validate_beside_pack(&self, manifest: &PackManifest) -> Vec<Fault> {
        let mut faults = Vec::new();
        if !manifest.probe.is_empty() {
            faults.extend(self.observed().into_iter().filter_map(|(path, source)| {
                let is_known = manifest.probe.contains_key(source);
                (!is_known).then(|| unknown_source(path, source, manifest))
            }));
        }
        for (index, perturbation) in self.perturbations.iter().enumerate() {
            if manifest.tools.is_empty() && perturbation.kind.family() == PerturbationFamily::Environment {
                let what = perturbation.kind.name();
                let message =
                    format!("{what} makes a tool fail, and the pack {} has no tool server", manifest.name);
                faults.push(Fault::new(at("perturbations").then(index), message).with_help(
                    "tools fail at the recorder in front of a server: add [tools.<server>] to pack.toml",
                ));
            }
        }
        faults
    }

    /// The probes whose observations are looked at, with where that is said.
    pub fn observed(&self) -> Vec<(Path, &str)> {
        let mut observed = Observed(Vec::new());
        if let Some(outcome) = &self.outcome {
            observed.outcome(outcome, at("outcome"));
        }
        observed.patterns(&self.trajectory, &at("trajectory"));
        for (index, policy) in self.policies.iter().enumerate() {
            let path = at("policies").then(index);
            if let Some(check) = &policy.observation {
                observed.check(check, path.clone().then("observation"));
            }
            if let Some(rule) = &policy.always_before {
                let path = path.clone().then("always_before");
                observed.pattern(&rule.first, path.clone().then("first"));
                observed.pattern(&rule.then, path.then("then"));
            }
            if let Some(rule) = &policy.at_most {
                observed.pattern(&rule.pattern, path.clone().then("at_most").then("pattern"));
            }
            if let Some(pattern) = &policy.never {
                observed.pattern(pattern, path.then("never"));
            }
        }
        observed.0.retain(|(_, source)| !OWN_SOURCES.contains(source));
        observed.0
    }
}

struct Observed<'a>(Vec<(Path, &'a str)>);

impl<'a> Observed<'a> {
    fn outcome(&mut self, scorer: &'a OutcomeScorer, path: Path) {
        match scorer {
            OutcomeScorer::Observation(check) => self.check(check, path.then("observation")),
            OutcomeScorer::AllOf(scorers) => self.outcomes(scorers, &path.then("all_of")),
            OutcomeScorer::AnyOf(scorers) => self.outcomes(scorers, &path.then("any_of")),
            OutcomeScorer::Pattern(elements) => self.patterns(elements, &path.then("pattern")),
            OutcomeScorer::SubstantiatedByTools(_) | OutcomeScorer::LlmJudge(_) => {}
        }
    }

    fn outcomes(&mut self, scorers: &'a [OutcomeScorer], path: &Path) {
        for (index, scorer) in scorers.iter().enumerate() {
            self.outcome(scorer, path.clone().then(index));
        }
    }

    fn check(&mut self, check: &'a ObservationCheck, path: Path) {
        self.0.push((path.then("source"), &check.source));
    }

    fn patterns(&mut self, patterns: &'a [Value], path: &Path) {
        for (index, pattern) in patterns.iter().enumerate() {
            self.pattern(pattern, path.clone().then(index));
        }
    }

    /// An event of an observation, wherever operators hold it. A source that is a text is compared whole.
    fn pattern(&mut self, pattern: &'a Value, path: Path) {
        match pattern {
            Value::Object(fields) => {
                let is_observation = fields.get("kind").and_then(Value::as_str) == Some("observation");
                if let Some(source) = fields.get("source").and_then(Value::as_str).filter(|_| is_observation)
                {
                    self.0.push((path.then("source"), source));
                    return;
                }
                for (name, field) in fields.iter().filter(|(name, _)| name.starts_with('$')) {
                    self.pattern(field, path.clone().then(name.as_str()));
                }
            }
            Value::Array(items) => self.patterns(items, &path),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

fn unknown_source(path: Path, source: &str, manifest: &PackManifest) -> Fault {
    let probes = || manifest.probe.keys().map(String::as_str);
    let help = match nearest(source, probes()) {
        Some(near) => format!("did you mean {near:?}?"),
        None => format!(
            "its probes are {}; or add [probe.{source}] to pack.toml",
            probes().collect::<Vec<_>>().join(", ")
        ),
    };
    Fault::new(path, format!("the pack {} has no probe {source:?}", manifest.name)).with_help(help)
}
