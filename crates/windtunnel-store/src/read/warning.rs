//! What readers pass over, and why.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use windtunnel_api::artifact::event::{EVENT_VERSION, EventRow};
use windtunnel_api::artifact::ledger::{LEDGER_VERSION, LedgerRow};
use windtunnel_api::artifact::score::{SCORE_VERSION, ScoreSidecar};
use windtunnel_api::artifact::trace::{TRACE_VERSION, Trace};

/// A file or line that was passed over.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", self.place())]
pub struct Warning {
    /// The file or folder.
    pub path: Utf8PathBuf,
    /// The line, from 1, where the file is one of lines.
    pub line: Option<u64>,
    /// Why.
    #[source]
    pub reason: Reason,
}

impl Warning {
    pub(crate) fn file(path: &Utf8Path, reason: Reason) -> Self {
        Self { path: path.to_owned(), line: None, reason }
    }

    fn place(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.path),
            None => self.path.to_string(),
        }
    }
}

/// Why a file or line was passed over.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The file system said no.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    /// A name that is not UTF-8.
    #[error("a name that is not UTF-8; rename it")]
    NotUtf8,
    /// It ends too early or is not JSON at all: a writer was killed, or the file is something else.
    #[error("torn, or not JSON: {0}")]
    Torn(serde_json::Error),
    /// JSON of another shape.
    #[error("not {what}: {error}")]
    Foreign {
        /// What it should be: `a trace`, `a score`, …
        what: &'static str,
        /// What does not fit.
        error: serde_json::Error,
    },
    /// Written by a later program.
    #[error(
        "{key} {found} is a version this program does not know (it knows {}); use a later one",
        list(known)
    )]
    UnknownVersion {
        /// The key that holds the version.
        key: &'static str,
        /// What it holds.
        found: Value,
        /// The versions that are known.
        known: &'static [u32],
    },
    /// More than a reader takes.
    #[error("has more than the {limit} bytes that are read")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
}

impl Reason {
    /// Why JSON could not be decoded that should be `what`: `a trace`, `a score`, …
    pub fn undecoded(what: &'static str, error: serde_json::Error) -> Self {
        if error.is_data() { Self::Foreign { what, error } } else { Self::Torn(error) }
    }
}

/// An artifact that carries its version.
pub(crate) trait Artifact: DeserializeOwned {
    /// What it is called in messages.
    const WHAT: &'static str;
    /// The key of its version.
    const KEY: &'static str;
    /// The versions that are known.
    const KNOWN: &'static [u32];

    /// The version it has.
    fn version(&self) -> u32;
}

macro_rules! artifact {
    ($type:ty, $what:literal, $key:ident, $known:expr) => {
        impl Artifact for $type {
            const WHAT: &'static str = $what;
            const KEY: &'static str = stringify!($key);
            const KNOWN: &'static [u32] = &$known;

            fn version(&self) -> u32 {
                self.$key
            }
        }
    };
}

artifact!(Trace, "a trace", windtunnel_trace, [0, TRACE_VERSION]);
artifact!(ScoreSidecar, "a score", windtunnel_score, [SCORE_VERSION]);
artifact!(LedgerRow, "a ledger row", windtunnel_ledger, [LEDGER_VERSION]);
artifact!(EventRow, "an event", windtunnel_event, [EVENT_VERSION]);

/// Decodes an artifact, and says what it is if it is not one.
pub(crate) fn decode<T: Artifact>(bytes: &[u8]) -> Result<T, Reason> {
    let decoded = serde_json::from_slice::<T>(bytes);
    let found = match &decoded {
        Ok(artifact) => Some(Value::from(artifact.version())),
        // It may have another shape because it is of another version.
        Err(error) if error.is_data() => {
            serde_json::from_slice::<Map<String, Value>>(bytes).ok().and_then(|mut map| map.remove(T::KEY))
        }
        Err(_) => None,
    };
    if let Some(found) = found
        && !T::KNOWN.iter().any(|known| found == *known)
    {
        return Err(Reason::UnknownVersion { key: T::KEY, found, known: T::KNOWN });
    }
    decoded.map_err(|error| Reason::undecoded(T::WHAT, error))
}

fn list(versions: &[u32]) -> String {
    versions.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
