//! Waiting with a limit whose name is told.

use std::time::Duration;

use tokio::time::timeout;

use super::error::ScenarioError;

/// Waits for setup work at most as long as the start limit allows.
pub(super) async fn within_start<T>(
    limit: Duration,
    what: &str,
    work: impl Future<Output = T>,
) -> Result<T, ScenarioError> {
    timeout(limit, work).await.map_err(|_| ScenarioError::Limit {
        what: what.to_owned(),
        limit: "start",
        after: limit,
    })
}
