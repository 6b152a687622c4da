//! The rules of a scenario that its types cannot say. Every fault is reported, each with its field's path.

use std::collections::HashSet;

use windtunnel_doc::{Fault, Path};

use super::reference::{ReferenceCase, ReferenceDecision};
use super::spec::{ObservationCheck, OutcomeScorer, Policy, Scenario};
use crate::artifact::score::Layer;

impl Scenario {
    /// Checks every rule that the types cannot say, the ones of reference cases among them.
    ///
    /// Patterns are compiled by the gate crate, which reports their faults with the same kind of path.
    pub fn validate(&self) -> Vec<Fault> {
        self.validate_beside(&[])
    }

    /// [`Scenario::validate`] where closures beside the scenario check these layers too.
    pub fn validate_beside(&self, closures: &[Layer]) -> Vec<Fault> {
        let mut check = Check { closures, faults: Vec::new() };
        check.prompt(self);
        check.gate(self);
        check.numbers(self);
        if let Some(outcome) = &self.outcome {
            check.outcome(outcome, &at("outcome"));
        }
        for (index, policy) in self.policies.iter().enumerate() {
            check.policy(policy, &at("policies").then(index));
        }
        check.lists(self);
        check.references(self);
        check.faults
    }
}

fn at(field: &str) -> Path {
    Path::root().then(field)
}

struct Check<'c> {
    /// Layers that closures check.
    closures: &'c [Layer],
    faults: Vec<Fault>,
}

impl Check<'_> {
    fn fault(&mut self, path: Path, message: impl Into<String>, help: impl Into<String>) {
        self.faults.push(Fault::new(path, message).with_help(help));
    }

    fn prompt(&mut self, scenario: &Scenario) {
        if scenario.name.trim().is_empty() {
            self.fault(
                at("name"),
                "the name is empty",
                "give the scenario a name; it is how `--scenario` selects it",
            );
        }
        if scenario.user_turns.is_empty() && scenario.prompt.trim().is_empty() {
            self.fault(
                at("prompt"),
                "there is nothing to ask: `prompt` and `user_turns` are both empty",
                "add `prompt = \"…\"`",
            );
        }
        for (index, turn) in scenario.user_turns.iter().enumerate() {
            if turn.trim().is_empty() {
                self.fault(
                    at("user_turns").then(index),
                    "the user turn is empty",
                    "write what the user says, or remove it",
                );
            }
        }
    }

    fn gate(&mut self, scenario: &Scenario) {
        let Some(layers) = &scenario.gate_layers else { return };
        if layers.is_empty() {
            self.fault(
                at("gate_layers"),
                "the gate has no layer, so every run would pass",
                "name at least one of outcome, trajectory, constraint",
            );
        }
        let mut seen = HashSet::new();
        for (index, layer) in layers.iter().enumerate() {
            let path = at("gate_layers").then(index);
            if *layer == Layer::Integrity {
                self.fault(
                    path,
                    "integrity is never optional and cannot be named here",
                    "name outcome, trajectory or constraint",
                );
            } else if !seen.insert(*layer) {
                self.fault(path, format!("{layer} is named twice"), "remove one");
            } else if *layer == Layer::Trajectory && !self.judges(scenario, *layer) {
                self.fault(
                    path,
                    "trajectory gates the run, but no field of it is declared",
                    "add must_call, forbidden_calls or trajectory",
                );
            } else if *layer == Layer::Constraint && !self.judges(scenario, *layer) {
                self.fault(path, "constraint gates the run, but there is no policy", "add [[policies]]");
            }
        }
    }

    /// Whether a field or a closure checks the layer.
    fn judges(&self, scenario: &Scenario, layer: Layer) -> bool {
        scenario.declares(layer) || self.closures.contains(&layer)
    }

    fn numbers(&mut self, scenario: &Scenario) {
        if let Some(rate) = scenario.min_pass_rate {
            if !(0.0..=1.0).contains(&rate) {
                self.fault(
                    at("min_pass_rate"),
                    format!("expected a rate from 0 to 1, found {rate}"),
                    "write 0.8 for 80 %",
                );
            } else if !scenario.variance_allowed {
                self.fault(
                    at("min_pass_rate"),
                    "min_pass_rate has no effect without variance_allowed = true",
                    "add variance_allowed = true, or remove it",
                );
            }
        }
    }

    fn lists(&mut self, scenario: &Scenario) {
        for (index, group) in scenario.target_facts.iter().enumerate() {
            let path = at("target_facts").then(index);
            if group.is_empty() {
                self.fault(
                    path,
                    "the list of alternatives is empty, so nothing could meet it",
                    "write at least one fact",
                );
            } else {
                self.no_blanks(group, &path);
            }
        }
        self.no_blanks(&scenario.forbidden_facts, &at("forbidden_facts"));
        self.no_blanks(&scenario.forbidden_calls, &at("forbidden_calls"));
        self.no_blanks(&scenario.requires_tools, &at("requires_tools"));
        for (index, requirement) in scenario.must_call.iter().enumerate() {
            let path = at("must_call").then(index);
            if requirement.names().is_empty() {
                self.fault(
                    path,
                    "the list of alternatives is empty, so nothing could meet it",
                    "name at least one tool",
                );
            } else {
                self.no_blanks(requirement.names(), &path);
            }
        }
        if scenario.order_matters && scenario.must_call.is_empty() {
            self.fault(
                at("order_matters"),
                "order_matters has no effect without must_call",
                "add must_call, or remove it",
            );
        }
        for (index, mutant) in scenario.allowed_mutants.iter().enumerate() {
            if mutant.reason.trim().is_empty() {
                self.fault(
                    at("allowed_mutants").then(index).then("reason"),
                    "the reason is empty",
                    "say why this change is no defect",
                );
            }
        }
    }

    fn no_blanks(&mut self, texts: &[String], path: &Path) {
        for (index, text) in texts.iter().enumerate() {
            if text.trim().is_empty() {
                self.fault(path.clone().then(index), "the text is empty", "write something, or remove it");
            }
        }
    }

    fn outcome(&mut self, scorer: &OutcomeScorer, path: &Path) {
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
                format!("start it with a slash: \"/{}\"", check.path.replace('.', "/")),
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

    fn policy(&mut self, policy: &Policy, path: &Path) {
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

    fn references(&mut self, scenario: &Scenario) {
        if !scenario.reference_cases.is_empty()
            && !Layer::ALL.into_iter().any(|layer| self.judges(scenario, layer))
        {
            self.fault(
                at("reference_cases"),
                "the scenario declares no check, so there is no gate to prove",
                "add target_facts, must_call, policies or another check",
            );
        }
        let mut names = HashSet::new();
        for (index, case) in scenario.reference_cases.iter().enumerate() {
            let path = at("reference_cases").then(index);
            if case.name.trim().is_empty() {
                self.fault(
                    path.clone().then("name"),
                    "the case's name is empty",
                    "name what it shows, such as \"unsafe-write\"",
                );
            } else if !names.insert(case.name.as_str()) {
                self.fault(
                    path.clone().then("name"),
                    format!("the name {:?} is used by an earlier case", case.name),
                    "names are unique within a scenario",
                );
            }
            self.caught_by(scenario, case, &path);
            self.script(scenario, case, &path);
        }
    }

    fn caught_by(&mut self, scenario: &Scenario, case: &ReferenceCase, path: &Path) {
        use super::reference::ReferenceKind::{Golden, Poison};
        let Some(layer) = case.caught_by else { return };
        let path = path.clone().then("caught_by");
        match case.kind {
            Golden => self.fault(
                path,
                "a golden case is caught by nothing",
                "remove caught_by, or make it a poison",
            ),
            Poison if layer == Layer::Integrity => {
                self.fault(
                    path,
                    "integrity judges the experiment and never catches a poison",
                    "name a layer of the gate",
                );
            }
            Poison if !scenario.gate_beside(self.closures).contains(&layer) => {
                let gate: Vec<_> =
                    scenario.gate_beside(self.closures).iter().map(|layer| layer.name()).collect();
                self.fault(
                    path,
                    format!("{layer} is not in the gate of this scenario"),
                    format!("the gate is {}", gate.join(", ")),
                );
            }
            Poison => {}
        }
    }

    fn script(&mut self, scenario: &Scenario, case: &ReferenceCase, path: &Path) {
        let user_turns = scenario.turns().len();
        match (case.decisions.is_empty(), case.turns.is_empty()) {
            (true, true) => self.fault(
                path.clone(),
                "the case has no decisions",
                "script what the model decides, the final answer last",
            ),
            (false, false) => self.fault(
                path.clone().then("turns"),
                "expected either decisions or turns, found both",
                "keep one of them",
            ),
            (false, true) => {
                if user_turns > 1 {
                    self.fault(
                        path.clone().then("decisions"),
                        format!("the scenario has {user_turns} user turns, but decisions script only one"),
                        format!("write turns = [[…], …] with {user_turns} lists"),
                    );
                }
                self.turn(&case.decisions, &path.clone().then("decisions"));
            }
            (true, false) => {
                if case.turns.len() != user_turns {
                    self.fault(
                        path.clone().then("turns"),
                        format!(
                            "expected {user_turns} lists of decisions, one per user turn, found {}",
                            case.turns.len()
                        ),
                        "give every user turn its decisions",
                    );
                }
                for (index, turn) in case.turns.iter().enumerate() {
                    self.turn(turn, &path.clone().then("turns").then(index));
                }
            }
        }
    }

    fn turn(&mut self, decisions: &[ReferenceDecision], path: &Path) {
        let Some(last) = decisions.len().checked_sub(1) else {
            self.fault(path.clone(), "the turn has no decisions", "script at least the final answer");
            return;
        };
        for (index, decision) in decisions.iter().enumerate() {
            let path = path.clone().then(index);
            let says_something = decision.content.as_deref().is_some_and(|text| !text.trim().is_empty());
            if index < last && decision.tool_calls.is_empty() {
                self.fault(
                    path.clone(),
                    "a decision that is not the last needs at least one tool call",
                    "only the last decision of a turn answers the user",
                );
            }
            if index == last && !decision.tool_calls.is_empty() {
                self.fault(
                    path.clone().then("tool_calls"),
                    "the last decision makes tool calls, so the turn has no answer",
                    "add a last decision with content",
                );
            } else if index == last && !says_something {
                self.fault(
                    path.clone(),
                    "the last decision needs non-empty content",
                    "write what the agent answers",
                );
            }
            self.decision(decision, &path);
        }
    }

    fn decision(&mut self, decision: &ReferenceDecision, path: &Path) {
        for (index, call) in decision.tool_calls.iter().enumerate() {
            if call.name.trim().is_empty() {
                self.fault(
                    path.clone().then("tool_calls").then(index).then("name"),
                    "the tool's name is empty",
                    "name a tool that the agent has",
                );
            }
        }
        for (index, fault) in decision.faults.iter().enumerate() {
            let path = path.clone().then("faults").then(index);
            if !(400..=599).contains(&fault.status) {
                self.fault(
                    path.clone().then("status"),
                    format!("expected an HTTP error status from 400 to 599, found {}", fault.status),
                    "429 and 503 are the usual ones",
                );
            }
            if let Some(seconds) = fault.retry_after.filter(|seconds| !(0.0..=600.0).contains(seconds)) {
                self.fault(
                    path.then("retry_after"),
                    format!("expected seconds from 0 to 600, found {seconds}"),
                    "write a small number: a patient agent really waits for so long",
                );
            }
        }
    }
}
