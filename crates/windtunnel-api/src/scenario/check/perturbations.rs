//! The rules of perturbations. Whether their tools are served is only known once the servers run.

use std::collections::HashMap;

use windtunnel_doc::Path;

use super::{Check, at};
use crate::rules;
use crate::scenario::{Perturbation, PerturbationFamily, PerturbationKind, Scenario};

impl Check<'_> {
    pub(super) fn perturbations(&mut self, scenario: &Scenario) {
        let mut seen: Vec<&Perturbation> = Vec::new();
        let mut failing: HashMap<Option<&str>, usize> = HashMap::new();
        for (index, perturbation) in scenario.perturbations.iter().enumerate() {
            let path = at("perturbations").then(index);
            self.used_fields(perturbation, &path);
            self.place(perturbation, scenario, &path);
            self.texts(perturbation, &path);
            if seen.contains(&perturbation) {
                self.fault(path, "this perturbation is declared twice", "remove one");
            } else if perturbation.kind.family() == PerturbationFamily::Environment
                && let Some(first) = failing.insert(perturbation.tool.as_deref(), index)
            {
                self.fault(
                    path,
                    format!("perturbations[{first}] makes the same tool fail in another way"),
                    "a tool fails in one way; name another `tool`, or write a scenario for each",
                );
            }
            seen.push(perturbation);
        }
    }

    /// A field that has no effect is a mistake about what the kind does.
    fn used_fields(&mut self, perturbation: &Perturbation, path: &Path) {
        let takes = fields(perturbation.kind);
        let given = [
            ("tool", perturbation.tool.is_some()),
            ("turn_idx", perturbation.turn_idx.is_some()),
            ("key", perturbation.key.is_some()),
            ("value", perturbation.value.is_some()),
            ("hold_s", perturbation.hold_s.is_some()),
        ];
        for (field, is_given) in given {
            if is_given && !takes.contains(&field) {
                self.fault(
                    path.clone().then(field),
                    format!("{} has no `{field}`", perturbation.kind.name()),
                    format!("it takes {}", takes.join(" and ")),
                );
            }
        }
    }

    fn place(&mut self, perturbation: &Perturbation, scenario: &Scenario, path: &Path) {
        let turns = scenario.turns().len();
        if let Some(turn) = perturbation.turn_idx
            && turn >= turns
        {
            let last = turns - 1;
            self.fault(
                path.clone().then("turn_idx"),
                format!("there is no user turn {turn}: the last one is {last}"),
                format!("user turns count from 0; without turn_idx it is done before the last, {last}"),
            );
        }
        let is_environment = perturbation.kind.family() == PerturbationFamily::Environment;
        if is_environment && perturbation.tool.is_none() && scenario.must_call.is_empty() {
            self.fault(
                path.clone(),
                format!("{} does not say which tool fails", perturbation.kind.name()),
                "add tool = \"…\"; without it, it is the first tool of must_call",
            );
        }
    }

    fn texts(&mut self, perturbation: &Perturbation, path: &Path) {
        let texts =
            [("tool", &perturbation.tool), ("key", &perturbation.key), ("value", &perturbation.value)];
        for (field, text) in texts {
            let Some(text) = text else { continue };
            let path = path.clone().then(field);
            rules::not_blank(text, path.clone(), "write something, or remove it", &mut self.faults);
            rules::printable(text, path, &mut self.faults);
        }
        if perturbation.kind == PerturbationKind::InjectStaleMemory && perturbation.key.is_none() {
            self.fault(
                path.clone(),
                "inject_stale_memory does not say which memory is stale",
                "add key = \"…\", such as \"delivery address\", and with value = \"…\" what it says",
            );
        }
        if let Some(seconds) = perturbation.hold_s {
            rules::seconds(seconds, path.clone().then("hold_s"), &mut self.faults);
        }
    }
}

/// The fields of a kind.
fn fields(kind: PerturbationKind) -> &'static [&'static str] {
    match (kind.family(), kind) {
        (_, PerturbationKind::InjectStaleMemory) => &["key", "value", "turn_idx"],
        (_, PerturbationKind::Timeout) => &["tool", "hold_s"],
        (PerturbationFamily::History, _) => &["tool", "turn_idx"],
        (PerturbationFamily::Environment, _) => &["tool"],
    }
}
