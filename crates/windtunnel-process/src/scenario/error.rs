//! How a scenario fails.

use std::{fmt, io};

use camino::Utf8PathBuf;
use thiserror::Error;
use windtunnel_doc::Diagnostics;

use super::trace::Trace;
use crate::runtime::{Envelope, ProcessError};
use crate::state::Status;

/// How a scenario fails. Each kind is a finding of its own, and its text begins with the kind's name.
#[derive(Debug, Error)]
pub enum ScenarioError {
    /// The folder is no scenario, or not a sound one: every fault of it.
    #[error("ScenarioFormatError: {}", told(.0))]
    Format(Diagnostics),
    /// Something was not as expected: the first such thing.
    #[error("ScenarioAssertionError: {0}")]
    Assertion(Box<Divergence>),
    /// An operation was asked for that no control plane has, whatever became of the hook that asked.
    #[error(
        "HermeticityError: {operation:?} is no operation of the control plane\n  asked for during {asked}\n  \
         a hook may ask for add-comment, set-labels, get-labels, list-comments and post-message"
    )]
    Hermeticity {
        /// The operation.
        operation: String,
        /// The step in which it was asked for.
        asked: Box<Asked>,
    },
    /// The runtime could not carry out a step. That is no divergence: nothing can be said of the expectations.
    #[error("ScenarioRuntimeError: {source}\n  during {asked}")]
    Runtime {
        /// The step.
        asked: Box<Asked>,
        /// What the runtime says.
        source: Box<ProcessError>,
    },
    /// The world of the scenario could not be made, or not be read.
    #[error("ScenarioIoError: {what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
}

impl ScenarioError {
    /// For what is tried while a world is made or read.
    pub(super) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}

impl From<Diagnostics> for ScenarioError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Format(diagnostics)
    }
}

/// One fault stands beside the name of the error, several below it.
fn told(diagnostics: &Diagnostics) -> String {
    match diagnostics.len() {
        1 => diagnostics.to_string(),
        faults => format!("{faults} faults\n{diagnostics}"),
    }
}

/// The part of a manifest that asked for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The manifest.
    pub file: Utf8PathBuf,
    /// Its line, counted from 1.
    pub line: usize,
    /// Its column, counted from 1.
    pub column: usize,
    /// The step, counted from 0; none for the start, and for what is expected at the end.
    pub step: Option<usize>,
    /// The step's kind; `start` or `expect` where there is none.
    pub kind: &'static str,
}

/// As in `steps[3] (complete) at scenarios/a/scenario.yaml:12:7`.
impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, step, kind } = self;
        match step {
            Some(step) => write!(f, "steps[{step}] ({kind})")?,
            None => f.write_str(kind)?,
        }
        write!(f, " at {file}:{line}:{column}")
    }
}

impl Asked {
    /// In its own manifest, as in `steps[3] complete (scenario.yaml:12)`.
    pub(super) fn brief(&self) -> String {
        let step = self.step.map(|step| format!("steps[{step}] ")).unwrap_or_default();
        let file = self.file.file_name().unwrap_or_default();
        format!("{step}{} ({file}:{})", self.kind, self.line)
    }
}

/// What a verb answered, and the step that called it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The step.
    pub asked: Asked,
    /// The answer.
    pub envelope: Envelope,
}

/// As in `steps[3] comment (scenario.yaml:12) was answered: wait: @stranger is not authorized`.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Envelope { status, outcome, moved, current_node, messages, .. } = &self.envelope;
        write!(f, "{} was answered: {}", self.asked.brief(), status.name())?;
        if let Some(outcome) = outcome.as_deref().filter(|outcome| *outcome != status.name()) {
            write!(f, " on {outcome}")?;
        }
        if *moved {
            write!(f, ", now at {current_node}")?;
        }
        if !messages.is_empty() {
            write!(f, ": {}", messages.join("; "))?;
        }
        Ok(())
    }
}

/// The first thing that was not as expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Divergence {
    /// The field that says what is expected, as in `expect.nodes[2]` or `steps[3].complete.status`.
    pub field: String,
    /// The index in its list, for a field that is one.
    pub index: Option<usize>,
    /// What was expected.
    pub expected: String,
    /// What stood in its place.
    pub found: String,
    /// What whoever expected it may not know.
    pub hint: Option<&'static str>,
    /// Who asked.
    pub asked: Asked,
    /// What the last verb before it answered; none where a step itself came to something else.
    pub answered: Option<Answer>,
    /// The node that the item stood at, and how, if that could be read.
    pub stands: Option<(String, Status)>,
    /// What had been observed by then.
    pub trace: Trace,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, expected, found, hint, asked, answered, stands, trace, .. } = self;
        writeln!(f, "{field}: expected {expected}, found {found}")?;
        if let Some(hint) = hint {
            writeln!(f, "  {hint}")?;
        }
        writeln!(f, "  asked for by {asked}")?;
        if let Some(answered) = answered {
            writeln!(f, "  before it, {answered}")?;
        }
        f.write_str("observed:")?;
        if let Some((node, status)) = stands {
            let parked = if *status == Status::Waiting { " (parked)" } else { "" };
            write!(f, "\n  current node: {node}, status: {}{parked}", status.name())?;
        }
        trace.to_string().lines().try_for_each(|line| write!(f, "\n  {line}"))
    }
}
