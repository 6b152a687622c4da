//! When a failed request is tried again.

use std::time::Duration;

use async_trait::async_trait;

use super::{ChatRequest, Model, ModelError};
use crate::chat::ChatReply;

/// How often and after how long a request is tried again: as the official clients do it, without their jitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Tries after the first.
    pub retries: u32,
    /// The wait before the first of them; each further wait is twice as long.
    pub first_wait: Duration,
    /// No wait of our own choice is longer.
    pub longest_wait: Duration,
    /// An endpoint that asks for a longer wait is not tried again.
    pub longest_asked: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            retries: 2,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(8),
            longest_asked: Duration::from_secs(120),
        }
    }
}

impl RetryPolicy {
    /// How long to wait before trying again after the failure of try `tried` (from 0); none to give up.
    ///
    /// ```text
    /// tries left | failure                     | x-should-retry | wait
    /// no         | -                           | -              | give up
    /// yes        | 408, 409, 429, 5xx          | absent or true | what is asked for, else our own
    /// yes        | other status                | true           | what is asked for, else our own
    /// yes        | other status                | absent         | give up
    /// yes        | any status                  | false          | give up
    /// yes        | connection broke            | -              | our own
    /// yes        | timeout, malformed, client  | -              | give up
    /// ```
    pub fn wait(&self, tried: u32, error: &ModelError) -> Option<Duration> {
        if tried >= self.retries {
            return None;
        }
        let doubled = 2_u32.saturating_pow(tried);
        let own = self.first_wait.saturating_mul(doubled).min(self.longest_wait);
        match error {
            ModelError::Status { status, retry_after, should_retry, .. } => {
                let worth_it = matches!(status, 408 | 409 | 429 | 500..);
                let asked = retry_after.unwrap_or(own);
                (should_retry.unwrap_or(worth_it) && asked <= self.longest_asked).then_some(asked)
            }
            ModelError::Connection { .. } => Some(own),
            ModelError::Timeout { .. } | ModelError::Malformed { .. } | ModelError::Client { .. } => None,
        }
    }
}

/// A model that is asked again when asking failed in a way that passes.
#[derive(Debug, Clone, Default)]
pub struct Retrying<M> {
    model: M,
    policy: RetryPolicy,
}

impl<M> Retrying<M> {
    /// The model under the default policy.
    pub fn new(model: M) -> Self {
        Self { model, policy: RetryPolicy::default() }
    }

    /// The same under another policy.
    #[must_use]
    pub fn with_policy(mut self, policy: RetryPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// The model itself.
    pub fn inner(&self) -> &M {
        &self.model
    }
}

#[async_trait]
impl<M: Model> Model for Retrying<M> {
    async fn complete(&self, request: ChatRequest<'_>) -> Result<ChatReply, ModelError> {
        let mut tried = 0;
        loop {
            match self.model.complete(request).await {
                Ok(reply) => return Ok(reply),
                Err(error) => {
                    let Some(wait) = self.policy.wait(tried, &error) else { return Err(error) };
                    tokio::time::sleep(wait).await;
                    tried += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(status: u16, retry_after: Option<u64>, should_retry: Option<bool>) -> ModelError {
        let retry_after = retry_after.map(Duration::from_secs);
        ModelError::Status { status, message: String::new(), retry_after, should_retry }
    }

    #[test]
    fn every_row_of_the_table_holds() {
        let policy = RetryPolicy::default();
        let ms = |ms| Some(Duration::from_millis(ms));
        let connection = ModelError::Connection { url: String::new(), reason: String::new() };
        let timeout = ModelError::Timeout { url: String::new(), limit: Duration::ZERO };
        for (tried, error, wait) in [
            (2, status(429, None, None), None),
            (0, status(429, None, None), ms(500)),
            (1, status(429, None, None), ms(1000)),
            (0, status(503, Some(9), None), ms(9000)),
            (0, status(503, Some(121), None), None),
            (0, status(408, None, None), ms(500)),
            (0, status(409, None, Some(true)), ms(500)),
            (0, status(400, None, None), None),
            (0, status(400, None, Some(true)), ms(500)),
            (0, status(404, Some(1), None), None),
            (0, status(503, Some(1), Some(false)), None),
            (0, connection, ms(500)),
            (0, timeout, None),
            (0, ModelError::Malformed { reason: String::new() }, None),
            (0, ModelError::Client { reason: String::new() }, None),
        ] {
            assert_eq!(policy.wait(tried, &error), wait, "try {tried}, {error}");
        }
    }

    #[test]
    fn our_own_wait_has_an_upper_bound() {
        let patient = RetryPolicy { retries: 40, ..RetryPolicy::default() };
        assert_eq!(patient.wait(39, &status(500, None, None)), Some(Duration::from_secs(8)));
    }
}
