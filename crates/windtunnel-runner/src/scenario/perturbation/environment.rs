//! Tools that misbehave: the recorder answers in their place.

use std::time::Duration;

use windtunnel_api::Scenario;
use windtunnel_api::scenario::{Perturbation, PerturbationKind};
use windtunnel_spi::{InjectedFailure, ServedTool};

use super::{marker, target};
use crate::scenario::served::Served;

/// How long a tool keeps an agent waiting, where the scenario does not say: longer than any real answer in a test takes, and
/// short enough to be waited for in every run.
const HOLD: Duration = Duration::from_secs(2);

/// A tool that is made to fail.
#[derive(Debug, PartialEq)]
pub(super) struct Failure {
    /// The servers that serve it.
    pub(super) servers: Vec<String>,
    pub(super) tool: String,
    pub(super) how: InjectedFailure,
    pub(super) marker: String,
}

/// What a perturbation makes fail, and how: the tool it names, else the first of `must_call` that is served.
pub(super) fn failure(
    perturbation: &Perturbation,
    scenario: &Scenario,
    served: &Served,
) -> Result<Failure, String> {
    let tool = target::of_environment(perturbation, scenario, served)?;
    let has_it = |tools: &[ServedTool]| tools.iter().any(|served| served.name == tool);
    let servers = served.by_server.iter().filter(|(_, tools)| has_it(tools));
    let how = match perturbation.kind {
        PerturbationKind::MalformedJson => InjectedFailure::MalformedJson,
        PerturbationKind::Timeout => {
            let hold = perturbation.hold_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            InjectedFailure::Timeout(hold.unwrap_or(HOLD))
        }
        PerturbationKind::EmptyUnexpected => InjectedFailure::EmptyUnexpected,
        PerturbationKind::SchemaError => InjectedFailure::SchemaError,
        _ => return Err("it makes no tool fail".to_owned()),
    };
    Ok(Failure {
        servers: servers.map(|(server, _)| server.clone()).collect(),
        marker: marker(perturbation, "tool", &tool),
        tool,
        how,
    })
}
