//! A suite of tests: found below a path, run side by side, reported, and run again when their files change.

mod affected;
mod case;
mod error;
mod options;
mod pass;
mod watch;

pub use affected::{Footprint, affected};
pub use error::SuiteError;
pub use options::{DumpTo, SuiteOptions, Summary, Tests};
pub use pass::run_suite;
pub use watch::watch;
