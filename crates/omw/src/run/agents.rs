//! Whole runs in one call.

use std::convert::Infallible;
use std::future;
use std::sync::{Arc, Mutex, PoisonError};

use crate::config::Config;
use crate::host::trace::{TraceEvent, TraceSender};
use crate::registry::Registries;

use super::{Run, RunBuilder, RunError, RunReport};

/// Runs every agent of a config once, to its end. With `watch`, changed scripts replace running brains, and the run does not end by itself.
///
/// Dropping the future halts the agents.
///
/// # Errors
/// What kept the run from starting, or [`RunError::Agents`].
pub async fn run_agents(
    config: Arc<Config>,
    watch: bool,
    registries: &Registries,
) -> Result<RunReport, RunError> {
    once(Run::builder(config, registries).watch(watch)).await
}

/// As [`run_agents`], recorded: every event goes to `trace` as it happens, and all of them are returned in their order, one outcome for each
/// agent among them.
///
/// # Errors
/// As [`run_agents`]; what was recorded until then has gone to `trace`.
pub async fn run_agents_traced(
    config: Arc<Config>,
    watch: bool,
    registries: &Registries,
    trace: TraceSender,
) -> Result<Vec<TraceEvent>, RunError> {
    let events = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&events);
    let sender = TraceSender::new(move |event: TraceEvent| {
        list.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
        trace.send(event);
    });
    once(Run::builder(config, registries).watch(watch).trace(sender)).await?;
    let events = std::mem::take(&mut *events.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(events)
}

/// Runs every agent of a config again and again: at once after a success, after a growing pause when it failed.
///
/// It ends when the future is dropped, which halts the agents; by itself it only ends with an error. A config without agents has nothing to
/// run, and is waited on like any other.
///
/// # Errors
/// What kept the run from starting.
pub async fn loop_agents(
    config: Arc<Config>,
    watch: bool,
    registries: &Registries,
) -> Result<Infallible, RunError> {
    for_ever(Run::builder(config, registries).watch(watch)).await
}

/// As [`loop_agents`], recorded: every event goes to `trace` as it happens. Nothing is kept of them, however long it runs.
///
/// # Errors
/// As [`loop_agents`].
pub async fn loop_agents_traced(
    config: Arc<Config>,
    watch: bool,
    registries: &Registries,
    trace: TraceSender,
) -> Result<Infallible, RunError> {
    for_ever(Run::builder(config, registries).watch(watch).trace(trace)).await
}

async fn once(run: RunBuilder) -> Result<RunReport, RunError> {
    run.start().await?.finish().await.into_result()
}

async fn for_ever(run: RunBuilder) -> Result<Infallible, RunError> {
    let run = run.repeat(true).start().await?;
    // Nobody else has its control, so it only gets beyond this without agents.
    run.finish().await;
    future::pending().await
}
