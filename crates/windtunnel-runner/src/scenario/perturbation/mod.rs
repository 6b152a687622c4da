//! Perturbations: what disturbs every run of a scenario.
//!
//! [`Plan::of`] works out, from the scenario and the served tools alone, what is done: which tools fail
//! ([`environment`]), and which messages stand before which user turn ([`history`]). The runner applies it: failures at the
//! recorders before the runs, messages with the turn that they belong to. What was applied leaves a marker in the run's
//! evidence, without which its integrity layer fails. Messages that are handed to an agent are applied when its model is shown
//! them ([`handed`]).

mod environment;
mod handed;
mod history;
mod made_up;
mod target;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use windtunnel_api::Scenario;
use windtunnel_api::artifact::marker::PERTURBATION_APPLIED;
use windtunnel_api::scenario::{Perturbation, PerturbationFamily};
use windtunnel_spi::{AgentRuntime, ToolHandle};

use self::environment::Failure;
pub(super) use self::handed::{Handed, told};
pub(super) use self::history::Earlier;
use super::error::ScenarioError;
use super::served::Served;

/// What is done in every run of a case.
#[derive(Debug, Default)]
pub(super) struct Plan {
    failures: Vec<Failure>,
    /// By the user turn, from 0, that it is done before.
    earlier: BTreeMap<usize, Earlier>,
}

impl Plan {
    /// Works out what a scenario's perturbations do to a case that is served these tools.
    ///
    /// # Errors
    /// Every perturbation that cannot be done here.
    pub(super) fn of(scenario: &Scenario, served: &Served) -> Result<Self, ScenarioError> {
        let mut plan = Self::default();
        let mut impossible = Vec::new();
        for (index, perturbation) in scenario.perturbations.iter().enumerate() {
            let planned = match perturbation.kind.family() {
                PerturbationFamily::Environment => plan.fail(perturbation, scenario, served),
                PerturbationFamily::History => plan.precede(index, perturbation, scenario, served),
            };
            if let Err(why) = planned {
                impossible.push(format!("perturbations[{index}]: {}: {why}", perturbation.kind.name()));
            }
        }
        if impossible.is_empty() { Ok(plan) } else { Err(ScenarioError::Perturbations(impossible)) }
    }

    fn fail(
        &mut self,
        perturbation: &Perturbation,
        scenario: &Scenario,
        served: &Served,
    ) -> Result<(), String> {
        let failure = environment::failure(perturbation, scenario, served)?;
        if let Some(other) = self.failures.iter().find(|other| other.tool == failure.tool) {
            return Err(format!(
                "{} is made to fail by {} already; a tool fails in one way",
                failure.tool,
                other.how.name()
            ));
        }
        self.failures.push(failure);
        Ok(())
    }

    fn precede(
        &mut self,
        index: usize,
        perturbation: &Perturbation,
        scenario: &Scenario,
        served: &Served,
    ) -> Result<(), String> {
        let last = scenario.turns().len().saturating_sub(1);
        let turn = perturbation.turn_idx.unwrap_or(last);
        let target = target::of_history(perturbation, scenario, served)?;
        self.earlier.entry(turn).or_default().add(index, turn, perturbation, &target);
        Ok(())
    }

    /// Makes the tools fail. They do so from now on, over every refresh.
    pub(super) fn inject(&self, handles: &[Arc<dyn ToolHandle>]) {
        for failure in &self.failures {
            for handle in handles.iter().filter(|handle| failure.servers.iter().any(|s| s == handle.server()))
            {
                handle.inject_failure(&failure.tool, failure.how);
            }
        }
    }

    /// The markers of the tools that fail.
    pub(super) fn failing(&self) -> impl Iterator<Item = &str> {
        self.failures.iter().map(|failure| failure.marker.as_str())
    }

    /// What stands before a user turn.
    pub(super) fn before(&self, turn: usize) -> Option<&Earlier> {
        self.earlier.get(&turn)
    }
}

/// Whether the perturbations of a scenario can be applied to agents that are served these tools.
///
/// # Errors
/// Every perturbation that cannot be applied.
pub async fn check_perturbations(
    scenario: &Scenario,
    runtime: &dyn AgentRuntime,
    handles: &[Arc<dyn ToolHandle>],
    limit: Duration,
) -> Result<(), ScenarioError> {
    let mut impossible = match Plan::of(scenario, &Served::by(handles, limit).await) {
        Err(ScenarioError::Perturbations(impossible)) => impossible,
        planned => planned.map(|_| Vec::new())?,
    };
    if !runtime.takes_history() {
        let is_history = |(_, one): &(usize, &Perturbation)| one.kind.family() == PerturbationFamily::History;
        let refused = scenario.perturbations.iter().enumerate().filter(is_history).map(|(index, one)| {
            let kind = one.kind.name();
            format!("perturbations[{index}]: {kind}: agents of this runtime cannot be given earlier messages")
        });
        impossible.extend(refused);
    }
    if impossible.is_empty() { Ok(()) } else { Err(ScenarioError::Perturbations(impossible)) }
}

/// The marker of a perturbation that was applied.
fn marker(perturbation: &Perturbation, key: &str, value: impl std::fmt::Display) -> String {
    format!("{PERTURBATION_APPLIED}{}", named(perturbation, key, value))
}

/// A perturbation as markers name it.
fn named(perturbation: &Perturbation, key: &str, value: impl std::fmt::Display) -> String {
    format!("{} {key}={value}", perturbation.kind.name())
}

#[cfg(test)]
mod tests;
