//! What came of a test.

use std::fmt;

use windtunnel_pattern::Window;

use crate::host::trace::RunOutcome;
use crate::run::Snapshots;

use super::{Expected, Flaw, Observed, leftover};

/// What came of a test. Its `Display` is everything that people need to see why it failed.
#[derive(Debug, Clone, Default)]
pub struct TestReport {
    /// The agents under `[assertions]`, in their order.
    pub agents: Vec<AgentReport>,
    /// What failed besides assertions: a run that could not start, an agent that is not named under `[assertions]`.
    pub error: Option<String>,
    /// What failed nothing and is still worth telling.
    pub warnings: Vec<String>,
    /// The last state of the mocks.
    pub snapshots: Snapshots,
    /// Whether it was cancelled before its end. Then there is no verdict.
    pub cancelled: bool,
}

/// What came of one agent.
#[derive(Debug, Clone)]
pub struct AgentReport {
    /// The agent.
    pub agent: String,
    /// How its run was expected to end.
    pub expected: Expected,
    /// How many events were expected.
    pub expectations: usize,
    /// The index of the first expectation that was not met; their number if all of them were.
    pub cursor: usize,
    /// How its run ended. None for one that had its verdict before.
    pub outcome: Option<RunOutcome>,
    /// What is wrong; nothing if it passed.
    pub flaws: Vec<Flaw>,
    /// What it did and saw until its verdict: the latest events, or all of them where they were asked for.
    pub observed: Window<Observed>,
}

impl TestReport {
    /// A test that could not be run.
    pub fn of_error(error: impl Into<String>) -> Self {
        Self { error: Some(error.into()), ..Self::default() }
    }

    /// Whether it came to its end, every assertion holds and nothing failed.
    pub fn passed(&self) -> bool {
        !self.cancelled && self.error.is_none() && self.agents.iter().all(AgentReport::passed)
    }
}

impl AgentReport {
    /// Whether its assertions hold.
    pub fn passed(&self) -> bool {
        self.flaws.is_empty()
    }

    /// Whether the test's time was over before its verdict.
    pub fn timed_out(&self) -> bool {
        self.flaws.iter().any(|flaw| matches!(flaw, Flaw::TimedOut { .. }))
    }

    /// What is wrong, without the trace; none if it passed.
    pub fn diff(&self) -> Option<String> {
        let flaws: Vec<_> = self.flaws.iter().map(Flaw::to_string).collect();
        (!flaws.is_empty()).then(|| flaws.join("\n"))
    }
}

impl fmt::Display for TestReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(error) = &self.error {
            writeln!(f, "{error}")?;
        }
        for agent in self.agents.iter().filter(|agent| !agent.passed()) {
            agent.fmt(f)?;
        }
        if !self.passed() {
            leftover::write(f, &self.snapshots)?;
        }
        self.warnings.iter().try_for_each(|warning| writeln!(f, "warning: {warning}"))
    }
}

impl fmt::Display for AgentReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(diff) = self.diff() else { return writeln!(f, "agent {:?} passed", self.agent) };
        writeln!(f, "agent {:?} failed:", self.agent)?;
        diff.lines().try_for_each(|line| writeln!(f, "  {line}"))?;
        if self.observed.iter().len() == 0 {
            return writeln!(f, "  its trace is empty: it saw and did nothing");
        }
        writeln!(f, "  its trace:")?;
        if self.observed.left_out() > 0 {
            writeln!(f, "    {} earlier left out", self.observed.left_out())?;
        }
        self.observed.iter().try_for_each(|(index, event)| writeln!(f, "    [{index}] {event}"))
    }
}
