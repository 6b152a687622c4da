//! The thread that a brain runs on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use tokio::sync::oneshot;

use crate::brain::{Brain, BrainError, STACK_BYTES};
use crate::host::Host;

/// How a run of a brain ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BrainEnd {
    /// By itself, with the text of its value.
    Returned(Option<String>),
    /// It failed or panicked.
    Failed(String),
    /// It says that it was interrupted.
    Stopped,
    /// It did not end, and its thread is left to itself; the text says where it was.
    Abandoned(String),
}

/// Runs a brain on a thread of its own, named after the agent. The receiver may be dropped; the thread goes on then.
pub(super) fn spawn(agent: &str, brain: Arc<dyn Brain>, host: Arc<dyn Host>) -> oneshot::Receiver<BrainEnd> {
    let (sender, receiver) = oneshot::channel();
    // A name with a NUL would be a panic.
    let name = format!("omw:{agent}").replace('\0', "?");
    let work = move || {
        // What a brain leaves half changed is its own: all that it shares with others is behind the host.
        let end = match catch_unwind(AssertUnwindSafe(|| brain.run(&host))) {
            Ok(Ok(value)) => BrainEnd::Returned(value),
            Ok(Err(BrainError::Stopped)) => BrainEnd::Stopped,
            Ok(Err(error)) => BrainEnd::Failed(error.to_string()),
            Err(panic) => BrainEnd::Failed(format!("the brain panicked: {}", text_of(&*panic))),
        };
        // Before the end is told: whoever hears of it may count on the brain being gone.
        drop((brain, host));
        let _ = sender.send(end);
    };
    match thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(work) {
        Ok(_) => receiver,
        Err(error) => {
            let (sender, receiver) = oneshot::channel();
            let _ = sender.send(BrainEnd::Failed(format!("the system gives it no thread: {error}")));
            receiver
        }
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it does not say why")
}
