//! What scenarios want that nothing here can give them.

use std::sync::Arc;

use windtunnel_api::{Pack, Scenario};
use windtunnel_runner::check_perturbations;
use windtunnel_spi::{AgentRuntime, CaseWorld, ToolHandle};

/// What a scenario observes where its pack has no probe. Where it has some, the names were checked when it was read.
pub(super) fn unobserved(scenario: &Scenario, pack: &Pack) -> Option<String> {
    let (path, source) = scenario.observed().into_iter().next().filter(|_| pack.manifest.probe.is_empty())?;
    Some(format!(
        "{path}: {source:?} is observed, and the pack has no probe: add [probe.{source}] to pack.toml"
    ))
}

/// The perturbations that cannot be applied to agents of this runtime with these tools.
pub(super) async fn unperturbed(
    scenario: &Scenario,
    runtime: &dyn AgentRuntime,
    handles: &[Arc<dyn ToolHandle>],
    world: &CaseWorld,
) -> Option<String> {
    if scenario.perturbations.is_empty() {
        return None;
    }
    let checked = check_perturbations(scenario, runtime, handles, world.limits.start).await;
    checked.err().map(|error| error.to_string())
}
