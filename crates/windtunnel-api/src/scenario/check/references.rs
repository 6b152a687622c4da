//! The rules of reference cases.

use std::collections::HashSet;

use windtunnel_doc::{Fault, Path};

use super::{Check, at};
use crate::artifact::score::Layer;
use crate::rules;
use crate::scenario::Scenario;
use crate::scenario::reference::{FaultKind, ReferenceCase, ReferenceDecision};

/// Checks a script that belongs to no scenario: `turns` as those of a reference case, and every one of `decisions` for itself, since
/// nobody says where their turns end.
pub fn validate_script(decisions: &[ReferenceDecision], turns: &[Vec<ReferenceDecision>]) -> Vec<Fault> {
    let mut check = Check { closures: &[], faults: Vec::new() };
    match (decisions.is_empty(), turns.is_empty()) {
        (true, true) => check.fault(
            Path::root(),
            "the script has no decisions",
            "write decisions = [{ content = \"…\" }], or turns with a list per user turn",
        ),
        (false, false) => check.both(at("turns")),
        (false, true) => check.untimed(decisions, &at("decisions")),
        (true, false) => check.turns(turns, &at("turns")),
    }
    check.faults
}

impl Check<'_> {
    pub(super) fn references(&mut self, scenario: &Scenario) {
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
            rules::printable(&case.name, path.clone().then("name"), &mut self.faults);
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
            if let Some(recorded) = &case.recorded {
                rules::contained(recorded, "file", path.clone().then("recorded"), &mut self.faults);
            }
            self.caught_by(scenario, case, &path);
            self.script(scenario, case, &path);
        }
    }

    fn caught_by(&mut self, scenario: &Scenario, case: &ReferenceCase, path: &Path) {
        use crate::scenario::reference::ReferenceKind::{Golden, Poison};
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
            (false, false) => self.both(path.clone().then("turns")),
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
                self.turns(&case.turns, &path.clone().then("turns"));
            }
        }
    }

    fn both(&mut self, turns: Path) {
        self.fault(turns, "expected either decisions or turns, found both", "keep one of them");
    }

    fn turns(&mut self, turns: &[Vec<ReferenceDecision>], path: &Path) {
        for (index, turn) in turns.iter().enumerate() {
            self.turn(turn, &path.clone().then(index));
        }
    }

    /// Decisions of any number of turns.
    fn untimed(&mut self, decisions: &[ReferenceDecision], path: &Path) {
        for (index, decision) in decisions.iter().enumerate() {
            let path = path.clone().then(index);
            if decision.tool_calls.is_empty() && !says_something(decision) && !decision.refusal {
                self.fault(
                    path.clone(),
                    "the decision neither says nor calls anything",
                    "write content, or tool_calls",
                );
            }
            self.decision(decision, &path);
        }
    }

    fn turn(&mut self, decisions: &[ReferenceDecision], path: &Path) {
        let Some(last) = decisions.len().checked_sub(1) else {
            self.fault(path.clone(), "the turn has no decisions", "script at least the final answer");
            return;
        };
        for (index, decision) in decisions.iter().enumerate() {
            let path = path.clone().then(index);
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
            } else if index == last && !says_something(decision) && !decision.refusal {
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
        if decision.refusal && !decision.tool_calls.is_empty() {
            self.fault(
                path.clone().then("refusal"),
                "a refusal makes no tool calls",
                "remove refusal or tool_calls, or make two decisions of it",
            );
        } else if decision.refusal && !says_something(decision) {
            self.fault(
                path.clone().then("refusal"),
                "a refusal needs non-empty content",
                "write as content what the model says when it refuses",
            );
        }
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
            match (fault.kind, fault.status) {
                (FaultKind::Status, None) => self.fault(
                    path.clone(),
                    "a fault needs an HTTP status",
                    "write { status = 429 }, or another kind, such as { kind = \"cut\" }",
                ),
                (FaultKind::Status, Some(400..=599)) | (_, None) => {}
                (FaultKind::Status, Some(status)) => self.fault(
                    path.clone().then("status"),
                    format!("expected an HTTP error status from 400 to 599, found {status}"),
                    "429 and 503 are the usual ones",
                ),
                (kind, Some(_)) => self.fault(
                    path.clone().then("status"),
                    format!("a fault of kind {} has no status", kind.name()),
                    "keep one of them",
                ),
            }
            match fault.retry_after {
                Some(_) if fault.kind != FaultKind::Status => self.fault(
                    path.then("retry_after"),
                    format!("a fault of kind {} has no retry_after", fault.kind.name()),
                    "it is a header of an HTTP status; keep one of them",
                ),
                Some(seconds) if !(0.0..=600.0).contains(&seconds) => self.fault(
                    path.then("retry_after"),
                    format!("expected seconds from 0 to 600, found {seconds}"),
                    "write a small number: a patient agent really waits for so long",
                ),
                Some(_) | None => {}
            }
        }
    }
}

fn says_something(decision: &ReferenceDecision) -> bool {
    decision.content.as_deref().is_some_and(|text| !text.trim().is_empty())
}
