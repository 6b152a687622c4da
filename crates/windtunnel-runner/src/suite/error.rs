//! Why a suite is refused before anything runs.

use thiserror::Error;
use windtunnel_spi::{RuntimeError, with_causes};

/// A request that is wrong. Nothing was started; the command exits with 2.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// No runtime has this name.
    #[error("{}", unknown(.name, .nearest.as_deref(), .known))]
    UnknownRuntime {
        /// The name that was asked for.
        name: String,
        /// The known name that was probably meant.
        nearest: Option<String>,
        /// All known names.
        known: Vec<String>,
    },
    /// A runtime cannot work with its settings.
    #[error("runtime {name}: {}", with_causes(.source))]
    Config {
        /// The runtime's name.
        name: String,
        /// What is wrong.
        source: RuntimeError,
    },
    /// No scenario was selected.
    #[error("no scenario is selected; `wt list` shows what there is")]
    NothingSelected,
    /// No selected scenario has a reference case.
    #[error(
        "no selected scenario has a reference case ({scenarios} selected), so there is nothing to self-test; \
         add [[reference_cases]] with a golden and a poison"
    )]
    NoReferenceCases {
        /// How many were selected.
        scenarios: usize,
    },
}

fn unknown(name: &str, nearest: Option<&str>, known: &[String]) -> String {
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    match nearest {
        Some(nearest) => format!("unknown runtime {name:?}; did you mean {nearest}? known are {known}"),
        None => format!("unknown runtime {name:?}; known are {known}; add [runtimes.{name}] to wt.toml"),
    }
}
