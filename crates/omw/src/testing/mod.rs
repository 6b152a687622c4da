//! Deterministic tests of agents: an `omw.test.toml` is run against mocks, and what every agent saw and did is held against its
//! `[assertions]`.
//!
//! Below it are the run, which it traces and stops, and [`windtunnel_pattern`], which matches; above it is the command line of
//! `omw-test`, which is a thin user of this.
//!
//! - [`Assertions`]: the section, compiled; [`check()`] holds it against a trace that was recorded before.
//! - [`Test`]: one test with its config, from a file or a text ([`parse`]).
//! - [`Harness`]: runs a test and gives its [`TestReport`].
//! - [`run_suite`], [`watch`]: everything that `omw-test` does with the tests below a path.
//! - [`dump()`]: everything that reports kept, for another program.

mod assertions;
mod check;
mod dump;
mod expected;
mod flaw;
mod harness;
mod judge;
mod leftover;
mod observed;
mod report;
mod suite;
mod test;
mod trial;

#[cfg(feature = "scaffold")]
pub use crate::scaffold;
pub use assertions::{AgentAssertions, Assertions};
pub use check::check;
pub use dump::{DumpError, DumpFormat, dump};
pub use expected::Expected;
pub use flaw::Flaw;
pub use harness::Harness;
pub use judge::Keep;
pub use observed::Observed;
pub use report::{AgentReport, TestReport};
pub use suite::{DumpTo, Footprint, SuiteError, SuiteOptions, Summary, Tests, affected, run_suite, watch};
pub use test::{Test, parse};
