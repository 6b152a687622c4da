//! What providers, tooling and endpoints have in common: their parameters, their failures, and who drives them.

use std::fmt;

/// A back end that cannot be made, or a call of one that failed. Brains see the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BackendError(String);

impl BackendError {
    /// A failure with its text.
    pub fn new(text: impl fmt::Display) -> Self {
        Self(text.to_string())
    }
}

/// Who drives what a back end does in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// The async runtime: answers arrive when they arrive.
    #[default]
    Free,
    /// The agents' own steps: whatever is ready is delivered between two calls of the host, in the order it was asked for, so that
    /// a run is the same every time. For back ends that answer from a script.
    Stepped,
}
