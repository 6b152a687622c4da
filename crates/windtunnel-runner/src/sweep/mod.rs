//! The `run` suite: so many runs of each selected scenario, their aggregate, the ledger and the event log.

mod case;
mod detail;
mod host;
mod log;
mod suite;

pub use suite::{SweepCases, SweepOptions, SweepOutcome, sweep};
