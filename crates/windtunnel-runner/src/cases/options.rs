//! How cases are scheduled.

use std::collections::HashMap;
use std::time::Duration;

/// How cases are scheduled. None of it changes what a case reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The most cases that run side by side; 0 counts as 1.
    pub jobs: usize,
    /// The longest that one case may take.
    pub case_timeout: Duration,
    /// How long a cancelled case may take to tear down before it is aborted.
    pub grace: Duration,
    /// Whether the first failure keeps further cases from starting.
    pub fail_fast: bool,
    /// The most cases of one resource that run side by side; resources that are not named are bounded by `jobs` alone.
    pub resources: HashMap<String, usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            jobs: 1,
            case_timeout: Duration::from_secs(300),
            grace: Duration::from_secs(8),
            fail_fast: false,
            resources: HashMap::new(),
        }
    }
}
