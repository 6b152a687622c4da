//! What can go wrong on the platform's side.

use thiserror::Error;

/// An agent that could not be built, provisioned, asked or reset.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct RuntimeError {
    kind: RuntimeErrorKind,
    message: String,
    #[source]
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What kind of failure a [`RuntimeError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuntimeErrorKind {
    /// The runtime's settings are wrong; the request should be refused before anything runs.
    Config,
    /// The agent could not be started.
    Start,
    /// The agent failed in a turn.
    Turn,
    /// The agent cannot be given earlier messages; the turn was not sent.
    History,
    /// A time limit passed; the message says which.
    Timeout,
    /// The agent could not be brought back to its first state.
    Reset,
    /// The case was cancelled.
    Cancelled,
}

impl RuntimeError {
    /// An error of this kind.
    pub fn new(kind: RuntimeErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    /// The same with what caused it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> RuntimeErrorKind {
        self.kind
    }
}

/// A tool server that could not be started, reached or refreshed.
#[derive(Debug, Error)]
#[error("tool server {server}: {message}")]
pub struct ToolError {
    server: String,
    message: String,
}

impl ToolError {
    /// An error of the named server.
    pub fn new(server: impl Into<String>, message: impl Into<String>) -> Self {
        Self { server: server.into(), message: message.into() }
    }

    /// The server's name.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// What happened, without the name.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// A message with its causes, the outermost first. A cause that was said already is not said again.
///
/// ```
/// use windtunnel_spi::{RuntimeError, RuntimeErrorKind, ToolError, with_causes};
///
/// let cause = || ToolError::new("crm", "it does not start");
/// let error = RuntimeError::new(RuntimeErrorKind::Start, "no agent").with_source(cause());
/// assert_eq!(with_causes(&error), "no agent: tool server crm: it does not start");
/// let error = RuntimeError::new(RuntimeErrorKind::Start, cause().to_string()).with_source(cause());
/// assert_eq!(with_causes(&error), "tool server crm: it does not start");
/// ```
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = error.source();
    }
    text
}

/// A state probe that did not answer, or not with an observation.
#[derive(Debug, Error)]
#[error("probe {probe}: {message}")]
pub struct ProbeError {
    probe: String,
    message: String,
}

impl ProbeError {
    /// An error of the named probe.
    pub fn new(probe: impl Into<String>, message: impl Into<String>) -> Self {
        Self { probe: probe.into(), message: message.into() }
    }

    /// The probe's name.
    pub fn probe(&self) -> &str {
        &self.probe
    }
}

/// Evidence that cannot be read. It is said to be unavailable, never guessed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("evidence of {source_name} is unavailable: {reason}")]
pub struct EvidenceUnavailable {
    source_name: String,
    reason: String,
}

impl EvidenceUnavailable {
    /// Says whose evidence is missing, and why.
    pub fn new(source_name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { source_name: source_name.into(), reason: reason.into() }
    }
}
