//! Reference cases: one of them as a library call, and the `selftest` suite over all of them.

mod case;
mod detail;
mod drift;
mod reference_case;
mod suite;

pub use reference_case::{ReferenceOutcome, ReferenceRequest, run_reference_case};
pub use suite::{SelftestOptions, SelftestOutcome, selftest};
