//! What can be wrong with a selection.

use thiserror::Error;

/// A selection that cannot be made, or that selects nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectionError {
    /// A glob that cannot be read.
    #[error("--scenario {glob:?} is not a glob: {reason}")]
    Glob {
        /// What was given.
        glob: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A selector that matches none of the scenarios that were found.
    #[error("{flag} {given:?} matches nothing{hint}", hint = hint(nearest.as_deref(), known))]
    NoMatch {
        /// The flag.
        flag: &'static str,
        /// What was given.
        given: String,
        /// What may have been meant.
        nearest: Option<String>,
        /// What would have matched.
        known: Vec<String>,
    },
    /// Selectors that each match something, but nothing together.
    #[error("no scenario matches all of the given selectors together; leave one out, or see `wt list`")]
    Disjoint,
    /// No scenario at all.
    #[error(
        "no scenario was found; scenario files are named *.scenario.toml, .yaml or .json and lie below a pack.toml, process \
         scenarios are folders with a scenario.yaml; `wt new <dir>` makes a pack, and with --process scenarios of a process"
    )]
    NothingFound,
}

/// How many names an error lists.
const LISTED: usize = 8;

fn hint(nearest: Option<&str>, known: &[String]) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    if let Some(nearest) = nearest {
        let _ = write!(text, "; did you mean {nearest:?}?");
    } else {
        text.push(';');
    }
    if known.is_empty() {
        text.push_str(" none is known");
    } else {
        let shown: Vec<&str> = known.iter().take(LISTED).map(String::as_str).collect();
        let _ = write!(text, " known are {}", shown.join(", "));
        if known.len() > LISTED {
            let _ = write!(text, " and {} more", known.len() - LISTED);
        }
    }
    text
}
