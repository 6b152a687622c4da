//! What both suites share: runtimes built once, one `pre_run` and one `post_run` each, and the cases in between.

mod conduct;
mod error;
mod lock;
mod reach;
mod session;
mod sessions;

pub(crate) use conduct::{Plan, Stage, SuiteWatch, Wants, conduct};
pub use error::SuiteError;
pub use reach::out_of_reach;
pub(crate) use session::Fault;
pub(crate) use sessions::{Place, Sessions};

use crate::runtimes::RuntimeChoice;

/// How a suite is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteOptions {
    /// The most cases that run side by side, where their runtime allows it.
    pub jobs: usize,
    /// Whether the first failure keeps further cases from starting.
    pub fail_fast: bool,
    /// Which runtime a scenario runs on.
    pub runtime: RuntimeChoice,
}

impl SuiteOptions {
    /// One case after the other to the last, on this runtime where packs name none.
    pub fn new(default_runtime: impl Into<String>) -> Self {
        let runtime = RuntimeChoice { asked: None, default: default_runtime.into() };
        Self { jobs: 1, fail_fast: false, runtime }
    }
}
