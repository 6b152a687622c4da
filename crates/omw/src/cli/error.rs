//! What a command can fail with, and how that is drawn.

use std::io::{self, IsTerminal as _, Write as _};

use miette::Diagnostic;
use thiserror::Error;
use windtunnel_api::exit::Exit;
use windtunnel_doc::Diagnostics;
use windtunnel_report::{Colour, ReportError};

use super::options::ColorWhen;
use crate::run::RunError;

/// A command that could not be carried out.
#[derive(Debug, Error, Diagnostic)]
pub(super) enum CliError {
    /// Files that are malformed.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Documents(#[from] windtunnel_doc::Report),
    /// A run that could not start.
    #[error("{0}")]
    NotStarted(RunError),
    /// Agents that failed.
    #[error("{0}")]
    Agents(RunError),
    /// A report that cannot be written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A file or a stream that cannot be read or written.
    #[error("{what}: {error}")]
    Io {
        /// What was being done.
        what: String,
        /// What the system said.
        error: io::Error,
    },
    /// Anything else that is wrong with the request.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        #[help]
        help: Option<String>,
    },
}

impl CliError {
    /// A wrong request, with what to do about it.
    pub(super) fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: Some(help.into()) }
    }

    /// How the command ends.
    pub(super) fn exit(&self) -> Exit {
        match self {
            Self::Agents(_) => Exit::Failure,
            Self::Documents(_)
            | Self::NotStarted(_)
            | Self::Report(_)
            | Self::Io { .. }
            | Self::Usage { .. } => Exit::Usage,
        }
    }
}

impl From<Diagnostics> for CliError {
    fn from(problems: Diagnostics) -> Self {
        Self::Documents(problems.into_report())
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Config(problems) => problems.into(),
            RunError::Agents(_) => Self::Agents(error),
            error => Self::NotStarted(error),
        }
    }
}

/// Draws an error on standard error, with the place in the file where there is one.
pub(super) fn render(error: &CliError, color: ColorWhen) {
    let styled = Colour::from(color).resolve(io::stderr().is_terminal(), |name| std::env::var(name).ok());
    let text = windtunnel_report::diagnostic_without_context(error, styled);
    // Nobody is left to tell if standard error itself is gone.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
