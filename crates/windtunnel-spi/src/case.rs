//! A test case, as the case runner sees it.

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use windtunnel_api::event::{CaseId, CaseReport};

/// One test that the case runner schedules, whatever its front door.
#[async_trait]
pub trait TestCase: Send + Sync {
    /// Which case it is.
    fn id(&self) -> CaseId;

    /// Names what may only run so many at a time; cases of different resources do not wait for each other.
    fn resource(&self) -> &str;

    /// Runs it. When the context is cancelled it tears down what it started and returns soon.
    async fn run(&self, context: CaseContext) -> CaseReport;

    /// The report of a case that passed its time limit or panicked, in the words of its front door.
    fn failed_to_run(&self, reason: &str) -> CaseReport;
}

/// What the case runner hands to a case.
#[derive(Debug, Clone)]
pub struct CaseContext {
    /// Cancelled when the case has to end: an interrupt, or its time limit.
    pub cancel: CancellationToken,
}
