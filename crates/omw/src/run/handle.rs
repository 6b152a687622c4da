//! A run that has started.

use tokio::task::JoinHandle;

use super::{Control, RunReport};

/// A run that has started. Dropping it halts the agents; then nothing of the run stays behind but threads that do not end.
#[derive(Debug)]
pub struct RunHandle {
    control: Control,
    supervision: JoinHandle<RunReport>,
    is_over: bool,
}

impl RunHandle {
    pub(super) fn new(control: Control, supervision: JoinHandle<RunReport>) -> Self {
        Self { control, supervision, is_over: false }
    }

    /// What stops agents, or the run.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Waits until every agent has ended and the back ends are closed. Dropping the future halts the run.
    pub async fn finish(mut self) -> RunReport {
        match (&mut self.supervision).await {
            Ok(report) => {
                self.is_over = true;
                report
            }
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // Only the end of the async runtime cancels it, and that ends the caller too.
                Err(_) => std::future::pending().await,
            },
        }
    }
}

impl Drop for RunHandle {
    fn drop(&mut self) {
        if !self.is_over {
            self.control.halt();
        }
    }
}
