//! What can go wrong with a request.

use std::time::Duration;

use crate::backend::BackendError;

/// Why there is no answer, or no more of it. No text holds the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Failure {
    #[error("the provider answered {status}: {message}")]
    Status { status: u16, message: String },
    #[error("the provider broke its answer off with an error: {message}")]
    Reported { message: String },
    #[error("{url} cannot be reached: {reason}")]
    Unreachable { url: String, reason: String },
    #[error("{url} sent nothing for {} s", limit.as_secs_f64())]
    Silent { url: String, limit: Duration },
    #[error("the answer of {url} broke off: {reason}")]
    BrokeOff { url: String, reason: String },
    #[error("the answer of {url} is too large: {what} of more than {} MiB", limit / (1024 * 1024))]
    TooLarge { url: String, what: &'static str, limit: usize },
    #[error("the answer of {url} cannot be understood: {reason}")]
    Malformed { url: String, reason: String },
    #[error("no request can be made: {0}")]
    Unasked(String),
}

impl From<Failure> for BackendError {
    fn from(failure: Failure) -> Self {
        Self::new(failure)
    }
}
