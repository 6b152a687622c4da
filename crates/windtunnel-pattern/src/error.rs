//! Faults of a pattern.

use std::error::Error;
use std::fmt;

use crate::keyword::{Operator, Sentinel, TIMES_KEYS};
use crate::limits::{MAX_DEPTH, MAX_REGEX_LEN, MAX_REGEX_SIZE, MAX_VALUES};
use crate::path::Path;
use crate::text::clip;

/// Characters of a regular expression in a message.
const REGEX_SHOWN: usize = 200;

/// Every fault of a pattern or list, in document order. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternErrors(Vec<PatternFault>);

impl PatternErrors {
    pub(crate) fn new(faults: Vec<PatternFault>) -> Self {
        Self(faults)
    }

    /// The faults.
    pub fn faults(&self) -> &[PatternFault] {
        &self.0
    }
}

impl IntoIterator for PatternErrors {
    type Item = PatternFault;
    type IntoIter = std::vec::IntoIter<PatternFault>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// One fault per line.
impl fmt::Display for PatternErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if index == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl Error for PatternErrors {}

/// One fault of a pattern.
///
/// `Display` gives path, message and help in one line; a caller with a source text points at [`path`](Self::path) and
/// shows [`message`](Self::message) and [`help`](Self::help) there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternFault {
    path: Path,
    kind: FaultKind,
}

impl PatternFault {
    pub(crate) fn new(path: Path, kind: FaultKind) -> Self {
        Self { path, kind }
    }

    /// Where in the pattern. For a list it begins with the index of the element.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong, as a value.
    pub fn kind(&self) -> &FaultKind {
        &self.kind
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }

    /// What to write instead.
    pub fn help(&self) -> Option<String> {
        self.kind.help()
    }
}

impl fmt::Display for PatternFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_root() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "{}", self.kind)?;
        self.help().map_or(Ok(()), |help| write!(f, " ({help})"))
    }
}

impl Error for PatternFault {}

/// What can be wrong with a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// A list of expectations is something else.
    #[error("expected a list of expectations, found {found}")]
    NotAList {
        /// The kind of value.
        found: &'static str,
    },
    /// A key begins with `$` and is no operator or sentinel.
    #[error("unknown key `{key}`; keys that begin with `$` are reserved")]
    UnknownKey {
        /// The key.
        key: String,
        /// The known key that is most like it.
        nearest: Option<&'static str>,
    },
    /// A sentinel is not an element of a sequence.
    #[error("`{sentinel}` has a meaning only as an element of a list")]
    Misplaced {
        /// The sentinel.
        sentinel: &'static str,
    },
    /// An object has `$` keys and plain keys.
    #[error("the plain key `{plain}` stands beside `{reserved}`")]
    Mixed {
        /// The first plain key.
        plain: String,
        /// The first `$` key.
        reserved: String,
    },
    /// A sentinel has other keys beside it.
    #[error("`{sentinel}` stands alone, but `{other}` stands beside it")]
    NotAlone {
        /// The sentinel.
        sentinel: &'static str,
        /// The first other key.
        other: String,
    },
    /// The operand of a `$` key is of the wrong kind.
    #[error("`{key}` takes {expected}, found {found}")]
    Operand {
        /// The key.
        key: &'static str,
        /// What it takes.
        expected: &'static str,
        /// The kind of value that is there.
        found: &'static str,
    },
    /// `$any` or `$all` has nothing to choose from.
    #[error("`{key}` takes at least one pattern")]
    NoPatterns {
        /// The key.
        key: &'static str,
    },
    /// `$times` does not say what it counts.
    #[error("`$times` lacks `of`, the pattern that it counts")]
    TimesWithoutOf,
    /// `$times` has a key of its own that means nothing.
    #[error("`$times` has no key `{key}`")]
    UnknownTimesKey {
        /// The key.
        key: String,
        /// The known key that is most like it.
        nearest: Option<&'static str>,
    },
    /// `min` or `max` is not a count.
    #[error("`{bound}` is a whole number from 0 up, found {found}")]
    TimesBound {
        /// `min` or `max`.
        bound: &'static str,
        /// The value that is there.
        found: String,
    },
    /// No run could have both.
    #[error("`min` is {min} and `max` is {max}: no run can be both")]
    TimesRange {
        /// The lower bound.
        min: u64,
        /// The upper bound.
        max: u64,
    },
    /// A regular expression does not parse.
    #[error("invalid regular expression /{}/: {reason}", clip(REGEX_SHOWN, regex))]
    Regex {
        /// The expression.
        regex: String,
        /// What the parser says.
        reason: String,
    },
    /// A regular expression is too long to compile.
    #[error("a regular expression of {length} bytes, the limit is {MAX_REGEX_LEN}")]
    RegexTooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// A regular expression takes too much memory.
    #[error(
        "regular expression /{}/ takes more than {MAX_REGEX_SIZE} bytes compiled",
        clip(REGEX_SHOWN, regex)
    )]
    RegexTooLarge {
        /// The expression.
        regex: String,
    },
    /// The pattern is nested too deeply.
    #[error("nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// The pattern is too large.
    #[error("more than {MAX_VALUES} values in one pattern")]
    TooLarge,
}

impl FaultKind {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::UnknownKey { nearest: Some(nearest), .. }
            | Self::UnknownTimesKey { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::UnknownKey { nearest: None, .. } => format!(
                "operators are {}; in a list also {}",
                code_list(Operator::ALL.map(Operator::name)),
                code_list(Sentinel::ALL.map(Sentinel::name)),
            ),
            Self::Misplaced { sentinel } => format!("write it inside an array: [{{\"{sentinel}\": …}}]"),
            Self::Mixed { .. } => "join them with `$all`: {\"$all\": [{…}, {\"$…\": …}]}".to_owned(),
            Self::NotAlone { .. } => "write them as two elements".to_owned(),
            Self::UnknownTimesKey { nearest: None, .. } => format!("it has {}", code_list(TIMES_KEYS)),
            Self::TimesWithoutOf => "write {\"$times\": {\"of\": …, \"min\": 1, \"max\": 2}}".to_owned(),
            Self::Regex { .. } => {
                "write \\ before a character that means itself, or {\"$eq\": …} for plain text".to_owned()
            }
            Self::RegexTooLarge { .. } => "lower its repetition counts".to_owned(),
            _ => return None,
        })
    }
}

fn code_list(names: impl IntoIterator<Item = &'static str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
