//! Brains: what decides what an agent does.
//!
//! A [`Runtime`] loads scripts of one language; what it loads is a [`Brain`], which runs against a [`Host`] on a
//! thread of its own.

use std::sync::Arc;

use camino::Utf8Path;

use crate::host::Host;

#[cfg(test)]
#[cfg(any(feature = "rhai", feature = "js"))]
mod fake;
#[cfg(feature = "js")]
pub mod js;
#[cfg(feature = "rhai")]
pub mod rhai;
#[cfg(any(feature = "rhai", feature = "js"))]
mod shape;
#[cfg(any(feature = "rhai", feature = "js"))]
mod source;

/// The stack of the thread that a brain runs on, in bytes. Engines end a script that recurses before it is used up; what no engine
/// counts are values nested in values, which take stack whenever they are copied, shown or dropped. Pages that nobody touches cost
/// nothing.
pub const STACK_BYTES: usize = 256 * 1024 * 1024;

/// Loads brains: one for each `[runtime.<name>]`.
pub trait Runtime: Send + Sync {
    /// The kind's name, as in `kind = "…"`.
    fn kind(&self) -> &str;

    /// Reads a script and checks it as far as that goes without running it.
    ///
    /// # Errors
    /// A script that is missing, too large or malformed; with its line and column where there are any.
    fn load(&self, script: &Utf8Path) -> Result<Arc<dyn Brain>, BrainError>;
}

/// Something that runs as an agent: a loaded script, or code of the embedder.
pub trait Brain: Send + Sync {
    /// Runs to its end, which may be never. The text of its value, if it has one, is what it exits with.
    ///
    /// It runs on a thread that may block. When [`Host::stop`] is interrupted it returns as soon as it can.
    ///
    /// # Errors
    /// What it did not catch, or [`BrainError::Stopped`] when it was interrupted.
    fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError>;
}

/// A brain that could not be loaded, or that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BrainError {
    /// The script cannot be read.
    #[error("cannot read script {path}: {error}")]
    Unreadable {
        /// The script.
        path: String,
        /// What the system said.
        error: String,
    },
    /// The script is malformed.
    #[error("{path}:{line}:{column}: {message}")]
    Malformed {
        /// The script.
        path: String,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// It failed while it ran; the text is in the language's own words.
    #[error("{0}")]
    Failed(String),
    /// It ended because it was told to.
    #[error("the brain was stopped")]
    Stopped,
}

/// A runtime whose only brain is code of the embedder, whatever the agent's `script` says.
///
/// ```
/// # use std::sync::Arc;
/// use omw::prelude::*;
///
/// struct Greeter;
///
/// impl Brain for Greeter {
///     fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
///         Ok(Some(format!("hello from {}", host.whoami())))
///     }
/// }
///
/// let runtime = Native::new("greeter", Arc::new(Greeter));
/// assert_eq!(runtime.kind(), "greeter");
/// ```
pub struct Native {
    kind: String,
    brain: Arc<dyn Brain>,
}

impl Native {
    /// The brain, under a kind's name.
    pub fn new(kind: impl Into<String>, brain: Arc<dyn Brain>) -> Self {
        Self { kind: kind.into(), brain }
    }
}

impl Runtime for Native {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn load(&self, _script: &Utf8Path) -> Result<Arc<dyn Brain>, BrainError> {
        Ok(Arc::clone(&self.brain))
    }
}
