//! File work off the async threads.

use std::panic::resume_unwind;

/// Runs file work where it may block. A panic in it goes on in the caller.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(value) => value,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // Blocking work is only cancelled when the runtime itself ends, and the caller with it.
            Err(_) => std::future::pending().await,
        },
    }
}
