//! All that is wrong with one or more files.

use std::{fmt, sync::Arc};

use miette::{LabeledSpan, SourceCode};

use crate::source::Source;
use crate::{Diagnostic, Fault, document};

/// Everything that is wrong with one or more files: at least one [`Diagnostic`].
///
/// Displayed it is one line per fault. [`Diagnostics::into_report`] makes code frames of it,
/// [`Diagnostics::to_json`] machine output.
#[derive(Clone, Debug)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// The faults of a value that was built in code and stands in no file; `name` is what a person knows it by.
    pub fn of_value(name: impl Into<String>, faults: Vec<Fault>) -> Self {
        let source = Arc::new(Source::new(name.into(), String::new()));
        let diagnostic = |fault: Fault| {
            Diagnostic::of_source(Arc::clone(&source), fault.message)
                .with_path(fault.path)
                .with_optional_help(fault.help)
        };
        document::listed(&source, faults.into_iter().map(diagnostic).collect())
    }

    /// Adds the faults of other files.
    pub fn extend(&mut self, other: Diagnostics) {
        self.0.extend(other.0);
    }

    /// All faults of several files; `None` if there are none.
    pub fn merge(parts: impl IntoIterator<Item = Diagnostics>) -> Option<Self> {
        Self::from_list(parts.into_iter().flat_map(|part| part.0).collect())
    }

    pub(crate) fn from_list(list: Vec<Diagnostic>) -> Option<Self> {
        (!list.is_empty()).then_some(Self(list))
    }

    /// The faults, file by file and within each from top to bottom.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// How many faults there are: one or more.
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The faults as a JSON array, see [`Diagnostic::to_json`].
    pub fn to_json(&self) -> serde_json::Value {
        self.iter().map(Diagnostic::to_json).collect()
    }

    /// The faults in the form that [`miette`] draws code frames from.
    pub fn into_report(self) -> Report {
        Report(self)
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, diagnostic) in self.iter().enumerate() {
            if position > 0 {
                f.write_str("\n")?;
            }
            diagnostic.write_line(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

/// [`Diagnostics`] for [`miette`]: a heading and a code frame per fault, or the frame alone if
/// there is just one fault.
///
/// This is not [`Diagnostics`] itself, because miette prints what an error displays above the
/// frames and so every fault would be told twice.
#[derive(Clone, Debug)]
pub struct Report(Diagnostics);

impl Report {
    fn single(&self) -> Option<&Diagnostic> {
        match self.0.0.as_slice() {
            [diagnostic] => Some(diagnostic),
            _ => None,
        }
    }

    fn files(&self) -> usize {
        let mut files: Vec<&str> = self.0.iter().map(Diagnostic::file).collect();
        files.sort_unstable();
        files.dedup();
        files.len()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.0.as_slice(), self.files()) {
            ([diagnostic], _) => diagnostic.fmt(f),
            ([first, ..], 1) => write!(f, "{} faults in {}", self.0.len(), first.file()),
            (_, files) => write!(f, "{} faults in {files} files", self.0.len()),
        }
    }
}

impl std::error::Error for Report {}

impl miette::Diagnostic for Report {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        miette::Diagnostic::help(self.single()?)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.single()?.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.single()?.labels()
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        match self.single() {
            Some(_) => None,
            None => Some(Box::new(self.0.iter().map(|diagnostic| diagnostic as &dyn miette::Diagnostic))),
        }
    }
}
