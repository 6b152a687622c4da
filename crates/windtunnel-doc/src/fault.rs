//! What is wrong with a document, said by someone who has only its values.

use crate::Path;

/// A fault in the content of a document, found by code that knows values but no files.
///
/// [`Document::diagnose`](crate::Document::diagnose) finds the line and column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The value at fault. A path that leads nowhere stands for the last value on it that is there.
    pub path: Path,
    /// What is wrong and what was expected, as one sentence without a full stop.
    pub message: String,
    /// What to do about it, if there is more to say.
    pub help: Option<String>,
    /// Which part of the entry to point at.
    pub at: At,
}

/// The part of an entry that a [`Fault`] points at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum At {
    /// The key: the entry should have another name, or not be there, or lacks something.
    Key,
    /// The value.
    #[default]
    Value,
}

impl Fault {
    /// A fault of the value at `path`.
    pub fn new(path: Path, message: impl Into<String>) -> Self {
        Self { path, message: message.into(), help: None, at: At::Value }
    }

    /// The same fault, pointing at the key.
    #[must_use]
    pub fn at_key(mut self) -> Self {
        self.at = At::Key;
        self
    }

    /// The same fault with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
