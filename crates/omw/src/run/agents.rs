//! Whole runs in one call.

use std::sync::{Arc, Mutex, PoisonError};

use crate::config::Config;
use crate::host::trace::{TraceEvent, TraceSender};
use crate::registry::Registries;

use super::{Run, RunBuilder, RunError, RunReport};

/// Runs every agent of a config once, to its end. With `watch`, changed scripts replace running brains, and the run does not end by itself.
///
/// # Errors
/// What kept the run from starting, or [`RunError::Agents`].
pub async fn run_agents(
    config: Arc<Config>,
    watch: bool,
    registries: &Registries,
) -> Result<RunReport, RunError> {
    untraced(Run::builder(config, registries).watch(watch)).await
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
    traced(Run::builder(config, registries).watch(watch), trace).await
}

/// Runs every agent of a config again and again, until the future is dropped: at once after a success, after a growing pause when it failed.
///
/// # Errors
/// As [`run_agents`].
pub async fn loop_agents(
    config: Arc<Config>,
    watch: bool,
    registries: &Registries,
) -> Result<RunReport, RunError> {
    untraced(Run::builder(config, registries).watch(watch).repeat(true)).await
}

/// As [`loop_agents`], recorded as by [`run_agents_traced`]; an agent's outcome is that of its last run.
///
/// # Errors
/// As [`run_agents_traced`].
pub async fn loop_agents_traced(
    config: Arc<Config>,
    watch: bool,
    registries: &Registries,
    trace: TraceSender,
) -> Result<Vec<TraceEvent>, RunError> {
    traced(Run::builder(config, registries).watch(watch).repeat(true), trace).await
}

async fn untraced(run: RunBuilder) -> Result<RunReport, RunError> {
    run.start().await?.finish().await.into_result()
}

async fn traced(run: RunBuilder, trace: TraceSender) -> Result<Vec<TraceEvent>, RunError> {
    let events = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&events);
    let sender = TraceSender::new(move |event: TraceEvent| {
        list.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
        trace.send(event);
    });
    untraced(run.trace(sender)).await?;
    let events = std::mem::take(&mut *events.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(events)
}
