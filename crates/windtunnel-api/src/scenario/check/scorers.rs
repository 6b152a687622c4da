//! The rules of outcome scorers and policies.

use windtunnel_doc::Path;

use super::Check;
use crate::scenario::{ObservationCheck, OutcomeScorer, Policy};

impl Check<'_> {
    pub(super) fn outcome(&mut self, scorer: &OutcomeScorer, path: &Path) {
        match scorer {
            OutcomeScorer::Observation(check) => self.observation(check, &path.clone().then("observation")),
            OutcomeScorer::SubstantiatedByTools(check) => {
                self.no_blanks(&check.facts, &path.clone().then("substantiated_by_tools").then("facts"));
            }
            OutcomeScorer::AllOf(scorers) => self.outcomes(scorers, &path.clone().then("all_of")),
            OutcomeScorer::AnyOf(scorers) => self.outcomes(scorers, &path.clone().then("any_of")),
            OutcomeScorer::Pattern(elements) => {
                if elements.is_empty() {
                    self.fault(
                        path.clone().then("pattern"),
                        "the pattern list is empty, so every run would pass",
                        "write at least one pattern",
                    );
                }
            }
            OutcomeScorer::LlmJudge(judge) => {
                if judge.rubric.trim().is_empty() {
                    self.fault(
                        path.clone().then("llm_judge").then("rubric"),
                        "the rubric is empty",
                        "say what a good answer holds",
                    );
                }
            }
        }
    }

    fn outcomes(&mut self, scorers: &[OutcomeScorer], path: &Path) {
        if scorers.is_empty() {
            self.fault(path.clone(), "the list of scorers is empty", "write at least one scorer");
        }
        for (index, scorer) in scorers.iter().enumerate() {
            self.outcome(scorer, &path.clone().then(index));
        }
    }

    fn observation(&mut self, check: &ObservationCheck, path: &Path) {
        if !check.path.is_empty() && !check.path.starts_with('/') {
            self.fault(
                path.clone().then("path"),
                format!("expected a JSON Pointer, found {:?}", check.path),
                pointer_help(&check.path),
            );
        }
        let given = [
            ("equals", check.equals.is_some()),
            ("matches", check.matches.is_some()),
            ("exists", check.exists.is_some()),
        ];
        self.exactly_one(
            path,
            "of equals, matches and exists",
            given,
            "say what the observed value has to be",
            "keep one; another check is another policy, or another entry of all_of",
        );
    }

    /// Exactly one of these fields is there.
    fn exactly_one<const N: usize>(
        &mut self,
        path: &Path,
        what: &str,
        fields: [(&str, bool); N],
        if_none: &str,
        if_several: &str,
    ) {
        let given: Vec<&str> = fields.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect();
        let (found, help) = match given.as_slice() {
            [_] => return,
            [] => ("none".to_owned(), if_none),
            several => (several.join(" and "), if_several),
        };
        self.fault(path.clone(), format!("expected exactly one {what}, found {found}"), help);
    }

    pub(super) fn policy(&mut self, policy: &Policy, path: &Path) {
        if policy.name.trim().is_empty() {
            self.fault(
                path.clone().then("name"),
                "the policy's name is empty",
                "name it; reports show the name",
            );
        }
        let given = [
            ("never", policy.never.is_some()),
            ("always_before", policy.always_before.is_some()),
            ("at_most", policy.at_most.is_some()),
            ("observation", policy.observation.is_some()),
            ("no_divergence", policy.no_divergence),
        ];
        self.exactly_one(
            path,
            "rule of never, always_before, at_most, observation and no_divergence",
            given,
            "say what must hold, such as never = { kind = \"tool_call\", tool = \"…\" }",
            "split it into one policy per rule",
        );
        if let Some(check) = &policy.observation {
            self.observation(check, &path.clone().then("observation"));
        }
    }
}

/// What to write in place of a path that is no JSON Pointer. Dots are steps only in a path that has no slash.
fn pointer_help(path: &str) -> String {
    let steps = if path.contains('/') { path.to_owned() } else { path.replace('.', "/") };
    format!("start it with a slash: \"/{steps}\"")
}

#[cfg(test)]
mod tests {
    use super::pointer_help;

    #[test]
    fn a_path_with_slashes_keeps_its_dots() {
        for (path, help) in [
            ("files/orders.json/text", "start it with a slash: \"/files/orders.json/text\""),
            ("rows.0.id", "start it with a slash: \"/rows/0/id\""),
        ] {
            assert_eq!(pointer_help(path), help);
        }
    }
}
