//! What a native function has at hand: the host of the run, and errors that a script understands.

use std::fmt::Display;
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, NativeCallContext};

use crate::host::{Host, HostError, HostResult};

/// What a native function gives.
pub(super) type Native<T> = Result<T, Box<EvalAltResult>>;

/// The host, as the engine carries it along for native functions.
#[derive(Clone)]
pub(super) struct HostTag(pub(super) Arc<dyn Host>);

/// An error of a native function. A script can catch it; what it catches is the text.
#[expect(clippy::unnecessary_box_returns, reason = "the errors of the engine are boxed")]
pub(super) fn error(context: &NativeCallContext, text: impl Display) -> Box<EvalAltResult> {
    // The engine itself leaves the place out for functions of modules.
    Box::new(EvalAltResult::ErrorRuntime(text.to_string().into(), context.call_position()))
}

/// The host of the run that a native function is called in.
pub(super) fn host(context: &NativeCallContext) -> Native<Arc<dyn Host>> {
    context
        .tag()
        .and_then(|tag| tag.read_lock::<HostTag>().map(|tag| Arc::clone(&tag.0)))
        .ok_or_else(|| error(context, "there is no host outside of a run"))
}

/// A call of the host. What it fails with can be caught, unless the brain is to end at once.
pub(super) fn ask<T>(
    context: &NativeCallContext,
    call: impl FnOnce(&dyn Host) -> HostResult<T>,
) -> Native<T> {
    let host = host(context)?;
    call(&*host).map_err(|failure| match failure {
        HostError::Stopped(_) if host.stop().is_interrupted() => {
            Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, context.call_position()))
        }
        failure => error(context, failure),
    })
}

/// An integer that counts something.
pub(super) fn count(context: &NativeCallContext, number: i64) -> Native<u64> {
    u64::try_from(number).map_err(|_| error(context, "expected a non-negative integer"))
}
