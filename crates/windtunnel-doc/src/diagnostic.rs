//! One fault in one file, with its place.

use std::{fmt, ops::Range, sync::Arc};

use miette::{LabeledSpan, SourceCode};

use crate::{Path, Position, source::Source};

/// One fault in one file.
///
/// Displayed it is the path and the message: a code frame or [`Diagnostics`](crate::Diagnostics)
/// says file and position. Without a position the file's name is in front.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    source: Arc<Source>,
    place: Option<Place>,
    path: Path,
    message: String,
    help: Option<String>,
}

#[derive(Clone, Debug)]
struct Place {
    span: Range<usize>,
    position: Position,
}

impl Diagnostic {
    /// A fault of a whole file, such as one that cannot be read.
    pub fn of_file(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self::of_source(Arc::new(Source::new(file.into(), String::new())), message)
    }

    pub(crate) fn of_source(source: Arc<Source>, message: impl Into<String>) -> Self {
        Self { source, place: None, path: Path::root(), message: message.into(), help: None }
    }

    #[must_use]
    pub(crate) fn with_span(mut self, span: Range<usize>) -> Self {
        let position = self.source.position(span.start);
        self.place = Some(Place { span, position });
        self
    }

    #[must_use]
    pub(crate) fn with_path(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    /// The same fault with advice.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        self.with_optional_help(Some(help.into()))
    }

    #[must_use]
    pub(crate) fn with_optional_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// The name of the file, as it was given.
    pub fn file(&self) -> &str {
        self.source.name()
    }

    /// Line and column; `None` where the fault is the file's as a whole.
    pub fn position(&self) -> Option<Position> {
        self.place.as_ref().map(|place| place.position)
    }

    /// Byte range in the text of the file; `None` where the fault is the file's as a whole.
    pub fn span(&self) -> Option<Range<usize>> {
        self.place.as_ref().map(|place| place.span.clone())
    }

    /// Which field it is about; the root for the whole document or its syntax.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong and what was expected.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// `{"file", "line", "column", "path", "message", "help"}`; what is not known is null.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "file": self.file(),
            "line": self.position().map(|position| position.line),
            "column": self.position().map(|position| position.column),
            "path": self.path.to_string(),
            "message": self.message,
            "help": self.help,
        })
    }

    /// The fault as one line: `file:line:column: path: message; help`.
    pub(crate) fn write_line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { line, column }) = self.position() {
            write!(f, "{}:{line}:{column}: ", self.file())?;
        }
        write!(f, "{self}")?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_none() {
            write!(f, "{}: ", self.file())?;
        }
        if !self.path.is_root() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

impl miette::Diagnostic for Diagnostic {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.is_some().then_some(self.source.as_ref() as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let place = self.place.as_ref()?;
        let line = self.source.first_line(&place.span);
        Some(Box::new(std::iter::once(LabeledSpan::underline(line))))
    }
}
