//! The rules of a scenario that its types cannot say. Every fault is reported, each with its field's path.

mod beside;
mod perturbations;
mod references;
mod scorers;

use std::collections::HashSet;

use windtunnel_doc::{Fault, Path};

pub use references::validate_script;

use super::spec::Scenario;
use crate::artifact::score::Layer;
use crate::rules;

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
        check.perturbations(self);
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
        rules::printable(&scenario.name, at("name"), &mut self.faults);
        for (index, tag) in scenario.tags.iter().enumerate() {
            rules::printable(tag, at("tags").then(index), &mut self.faults);
        }
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
}
