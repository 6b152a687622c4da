//! Reading what this and other programs have written.

pub(crate) mod lines;
pub(crate) mod runs;
pub(crate) mod warning;

/// The ledger's name in the runs folder.
pub(crate) const LEDGER: &str = "ledger.ndjsonl";

/// The event log's name in the runs folder.
pub(crate) const EVENTS: &str = "events.ndjsonl";
