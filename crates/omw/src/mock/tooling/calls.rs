//! The scripted answers, and the calls that they went to.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use windtunnel_doc::Path;

use super::params::ScriptedAnswer;
use crate::backend::BackendError;
use crate::mock::build::{Compiler, Cue};
use crate::mock::log::Log;
use crate::mock::text::quoted;
use crate::tooling::CallMode;

/// The script of the calls and how far it is.
pub(super) struct Calls {
    pub(super) entries: Vec<Entry>,
    called: Mutex<Log<Called>>,
}

/// An answer that waits for its call.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) answer: Answer,
    pub(super) cue: Cue,
}

/// What a call comes to.
pub(super) enum Answer {
    /// The scripted text; what is made of it, content blocks as JSON text; and a structured result, as JSON text.
    Result { text: String, content: String, structured_content: Option<String>, is_error: bool },
    /// The call fails.
    Error(BackendError),
    /// There is no answer.
    Pending,
}

/// A call that was made.
pub(super) struct Called {
    pub(super) name: String,
    pub(super) arguments: Value,
    /// The index of the entry whose result it was given, once it was.
    pub(super) result_of: Option<usize>,
}

/// A call and its entry.
pub(super) struct Taken<'c> {
    pub(super) entry: &'c Entry,
    number: usize,
}

impl Calls {
    pub(super) fn compile(
        answers: Vec<ScriptedAnswer>,
        at: &Path,
        compiler: &mut Compiler<'_>,
        keep_everything: bool,
    ) -> Self {
        let entries = answers.into_iter().enumerate().map(|(index, scripted)| Entry {
            cue: compiler.cue(scripted.after.as_ref(), &at.clone().then(index)),
            name: scripted.name.clone(),
            answer: Answer::of(scripted),
        });
        Self { entries: entries.collect(), called: Mutex::new(Log::new(keep_everything)) }
    }

    /// Notes a call, whose arguments are so many bytes, and uses up its entry.
    ///
    /// | script | mode | entry's tool | |
    /// |---|---|---|---|
    /// | empty | blocking | | no scripted result |
    /// | empty | queued | | exhausted |
    /// | used up | | | exhausted |
    /// | goes on | | another | wrong tool |
    /// | goes on | | the called one | the entry |
    pub(super) fn take(
        &self,
        tool: &str,
        arguments: Value,
        bytes: usize,
        mode: CallMode,
    ) -> Result<Taken<'_>, BackendError> {
        let called = Called { name: tool.to_owned(), arguments, result_of: None };
        let number = self.called().push(size_of::<Called>() + bytes, called);
        match (self.entries.get(number), mode) {
            (None, CallMode::Blocking) if self.entries.is_empty() => {
                Err(BackendError::new(format_args!("mock has no scripted result for tool \"{tool}\"")))
            }
            (None, _) => Err(BackendError::new(format_args!("mock tool calls exhausted at \"{tool}\""))),
            (Some(entry), _) if entry.name != tool => {
                Err(BackendError::new(format_args!("mock expected tool \"{}\", got \"{tool}\"", entry.name)))
            }
            (Some(entry), _) => Ok(Taken { entry, number }),
        }
    }

    /// Notes that a call was given its result.
    pub(super) fn answered(&self, call: &Taken<'_>) {
        // The n-th call has the n-th entry.
        if let Some(called) = self.called().get_mut(call.number) {
            called.result_of = Some(call.number);
        }
    }

    pub(super) fn called(&self) -> MutexGuard<'_, Log<Called>> {
        self.called.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answer {
    fn of(scripted: ScriptedAnswer) -> Self {
        match scripted.error {
            _ if scripted.pending => Self::Pending,
            Some(error) => Self::Error(BackendError::new(error)),
            None => Self::Result {
                content: json!([{ "type": "text", "text": scripted.result }]).to_string(),
                text: scripted.result,
                structured_content: scripted.structured_content.as_ref().map(Value::to_string),
                is_error: scripted.is_error,
            },
        }
    }
}

impl Entry {
    /// What it does, in a few words.
    pub(super) fn summary(&self) -> String {
        let answer = match &self.answer {
            Answer::Result { text, .. } => quoted(text),
            Answer::Error(error) => format!("fails with {}", quoted(&error.to_string())),
            Answer::Pending => "never answers".to_owned(),
        };
        self.cue.mark(format!("{}: {answer}", self.name))
    }
}
