//! What a command can fail with. All of it is a wrong request, exit code 2, unless it says otherwise.

use std::io::IsTerminal as _;

use miette::Diagnostic;
use thiserror::Error;
use windtunnel_api::exit::Exit;
use windtunnel_discovery::SelectionError;
use windtunnel_doc::Diagnostics;
use windtunnel_report::{Colour, ReportError};
use windtunnel_runner::SuiteError;
use windtunnel_spi::RuntimeError;

use crate::args::ColorWhen;
use crate::log;

/// A command that could not be carried out.
#[derive(Debug, Error, Diagnostic)]
pub(crate) enum CliError {
    /// Files that are malformed.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Documents(#[from] windtunnel_doc::Report),
    /// Nothing, or not what was meant, is selected.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A runtime that is not there or not configured.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// A suite that was refused before anything ran.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A report that cannot be written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A file or a stream that cannot be read or written.
    #[error("{what}: {error}")]
    Io {
        /// What was being done.
        what: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// An agent that failed, so that what was asked for cannot be had. Exit code 1.
    #[error("{message}")]
    Agent {
        /// How it failed.
        message: String,
        /// What may have been the reason.
        #[help]
        help: Option<String>,
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
    pub(crate) fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: Some(help.into()) }
    }

    /// A failed read or write.
    pub(crate) fn io(what: impl Into<String>, error: std::io::Error) -> Self {
        Self::Io { what: what.into(), error }
    }

    /// The same where an agent failed before, and is to blame for it.
    pub(crate) fn after_a_failure(self, failed: &str) -> Self {
        let (message, help) = match self {
            Self::Usage { message, help } => (message, help),
            other => (other.to_string(), None),
        };
        Self::Agent { message: format!("{failed}, and {message}"), help }
    }

    /// How the command ends.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Documents(_)
            | Self::Selection(_)
            | Self::Runtime(_)
            | Self::Suite(_)
            | Self::Report(_)
            | Self::Io { .. }
            | Self::Usage { .. } => Exit::Usage,
            Self::Agent { .. } => Exit::Failure,
        }
    }
}

impl From<Diagnostics> for CliError {
    fn from(problems: Diagnostics) -> Self {
        Self::Documents(problems.into_report())
    }
}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        Self::io("cannot write", error)
    }
}

/// Draws an error on standard error, with the place in the file where there is one.
pub(crate) fn render(error: &CliError, color: ColorWhen) {
    let styled =
        Colour::from(color).resolve(std::io::stderr().is_terminal(), |name| std::env::var(name).ok());
    log::line(windtunnel_report::diagnostic(error, styled));
}
