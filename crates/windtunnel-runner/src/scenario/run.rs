//! The whole of one case, and its end on every path.

use std::panic::{AssertUnwindSafe, resume_unwind};

use futures::FutureExt;
use windtunnel_spi::HookPoint;

use super::error::ScenarioError;
use super::hooks::observe;
use super::order::Order;
use super::outcome::{RunObserver, ScenarioOutcome};
use super::request::ScenarioRequest;
use super::started::Started;
use crate::bench::Bench;
use crate::blocking::blocking;

/// Runs a scenario, live or as a reference case, and ends everything that it started: on success, on every error, when the
/// world of the request is cancelled, and when a hook or a check panics (the panic goes on afterwards).
pub async fn run_scenario(
    bench: &Bench,
    request: ScenarioRequest<'_>,
    observer: &mut dyn RunObserver,
) -> ScenarioOutcome {
    let mut started = Started::default();
    let (mut runs, mut kept) = (Vec::new(), Vec::new());
    let order =
        Order { bench, request: &request, started: &mut started, runs: &mut runs, kept: &mut kept, observer };
    let work = request.site.world.cancel.run_until_cancelled(order.follow());
    let followed = AssertUnwindSafe(work).catch_unwind().await;

    let output = started.end().await;
    let error = match followed {
        Ok(Some(followed)) => followed.err(),
        Ok(None) => Some(ScenarioError::Cancelled),
        Err(panic) => resume_unwind(panic),
    };
    let scenario = request.gate.scenario();
    kept.extend(observe(&bench.hooks, HookPoint::ScenarioEnd { scenario }));
    let now = bench.seam.clock.now();
    for kept in kept {
        kept.in_runs_folder(now, Some(&scenario.name), &bench.store, &bench.redactor);
    }
    let workspace = request.site.workspace.kept().map(ToOwned::to_owned);
    // An agent may have left a lot in its workspace, and removing it takes as long as it takes.
    let site = request.site;
    blocking(move || drop(site)).await;
    ScenarioOutcome { runs, error, output, workspace }
}
