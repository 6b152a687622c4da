//! How a sequence failed.

use std::error::Error;
use std::fmt;

use crate::explain::Mismatch;

/// The end of a match: `Ok` if every expectation was met.
pub type Verdict = Result<(), Box<Failure>>;

/// The expectation at which a sequence failed, and the candidate that says why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The index of the expectation in the list.
    pub index: usize,
    /// Its text, cut if it is long.
    pub expectation: String,
    /// The index of the first candidate behind the last consumed one.
    pub cursor: usize,
    /// How many candidates there were when it failed.
    pub seen: usize,
    /// What happened.
    pub reason: Reason,
}

/// What failed. Candidates are named by their index in the order they were pushed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The candidates ended before one matched.
    Missing {
        /// The candidate that matched most of the expectation; the earliest of equals. `None` if none was tried.
        closest: Option<Closest>,
    },
    /// A candidate matched a `$never`.
    Forbidden {
        /// The candidate.
        at: usize,
        /// Its text, long values cut.
        found: String,
    },
    /// The run of a `$times` ended below its `min`.
    TooFew {
        /// The length of the run.
        run: u64,
        /// The length it needed.
        min: u64,
        /// The candidate that ended the run. `None` if the candidates ended.
        ended_by: Option<Closest>,
    },
    /// The run of a `$times` went on beyond its `max`.
    TooMany {
        /// The length it was allowed.
        max: u64,
        /// The candidate that was one too many.
        at: usize,
        /// Its text, long values cut.
        found: String,
    },
}

/// A candidate that did not match, and where it stopped matching.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closest {
    /// The index of the candidate.
    pub index: usize,
    /// Where and how it stopped matching.
    pub mismatch: Mismatch,
}

impl fmt::Display for Closest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.index, self.mismatch)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, expectation, cursor, seen, reason } = self;
        let verdict = match reason {
            Reason::Forbidden { .. } => "was violated",
            Reason::Missing { .. } | Reason::TooFew { .. } | Reason::TooMany { .. } => "was not met",
        };
        writeln!(f, "expectation [{index}] {verdict}: {expectation}")?;
        writeln!(f, "  cursor: {cursor} ({seen} seen)")?;
        match reason {
            Reason::Missing { closest: Some(closest) } => write!(f, "  closest: {closest}"),
            Reason::Missing { closest: None } => write!(f, "  closest: none, nothing came after the cursor"),
            Reason::Forbidden { at, found } => write!(f, "  matched by: [{at}] {found}"),
            Reason::TooFew { run, min, ended_by } => {
                write!(f, "  run: {run} in a row, at least {min} expected, ")?;
                match ended_by {
                    Some(candidate) => write!(f, "ended by {candidate}"),
                    None => f.write_str("then nothing came"),
                }
            }
            Reason::TooMany { max, at, found } => {
                write!(f, "  run: at most {max} in a row expected, continued by [{at}] {found}")
            }
        }
    }
}

impl Error for Failure {}
