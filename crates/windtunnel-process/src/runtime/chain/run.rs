//! Running the hooks of a chain.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt as _;
use tokio::time::timeout;

use super::messages::heard;
use super::tally::{Heard, Meaning, Tally};
use crate::event::ProcessEvent;
use crate::graph::BoundHook;
use crate::hook::{Effects, HookContext, Outcome};
use crate::runtime::ProcessError;

/// Runs the hooks in order until one decides. What could not be done is told at once.
pub(in crate::runtime) async fn run(
    hooks: &[BoundHook],
    mut context: HookContext<'_>,
    tell: impl Fn(ProcessEvent) -> Result<(), ProcessError>,
) -> Result<Heard, ProcessError> {
    let mut tally = Tally::default();
    let mut decided = None;
    for bound in hooks {
        let degraded = |error| ProcessEvent::HookDegraded {
            node: context.node.id.clone(),
            hook: bound.name.clone(),
            error,
        };
        context.declared = tally.declared().cloned();
        let end = end_of(bound, &mut context).await;
        for error in heard(std::mem::take(&mut context.effects.degraded)) {
            tell(degraded(error))?;
        }
        match tally.hear(&bound.name, bound.hook.effort(), end) {
            Meaning::On => {}
            Meaning::Degraded(error) => tell(degraded(error))?,
            Meaning::Decided(decision) => {
                decided = Some(decision);
                break;
            }
        }
    }
    let decision = decided.unwrap_or_else(|| tally.end());
    let Effects { selection, account, .. } = context.effects;
    Ok(Heard { decision, selection, account })
}

async fn end_of(bound: &BoundHook, context: &mut HookContext<'_>) -> Result<Outcome, String> {
    guarded(bound.hook.limit(), bound.hook.run(context)).await?.map_err(|error| error.to_string())
}

/// Work that is not ours, within a limit: neither its panic nor its patience becomes the runtime's, only a reason.
pub(in crate::runtime) async fn guarded<T>(
    limit: Duration,
    work: impl Future<Output = T>,
) -> Result<T, String> {
    match timeout(limit, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(panic)) => {
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Err(format!("it panicked: {}", text.unwrap_or("no message")))
        }
        Err(_) => Err(format!("it took longer than {} s", limit.as_secs_f64())),
    }
}
