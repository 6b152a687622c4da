//! All agents of a test on trial. Takes one event, says what to do.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;
use windtunnel_pattern::Window;

use crate::host::trace::{RunOutcome, TraceEvent};
use crate::run::Whereabouts;

use super::flaw::Flaw;
use super::trial::Trial;
use super::{AgentReport, Assertions, Observed};

/// What to do after an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Order {
    /// Nothing.
    GoOn,
    /// Stop this agent: it has its verdict.
    Stop(Arc<str>),
    /// End the run: everything that is asserted has its verdict.
    Halt,
}

/// How many events are kept for the report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keep {
    /// The latest, as many as the message of a failure shows.
    #[default]
    Latest,
    /// All of them.
    Everything,
}

impl Keep {
    fn window(self) -> Window<Observed> {
        match self {
            Self::Latest => Window::new(),
            Self::Everything => Window::everything(),
        }
    }
}

/// The agents under `[assertions]`, and what counts of the others.
///
/// | agents | an agent that is not named fails | the run ends |
/// |---|---|---|
/// | at least one is `asserted` | a warning | when every named agent has its verdict |
/// | none is | fails the test | by itself |
///
/// Neither depends on who is faster: a verdict is taken while the deciding event is recorded, before the agent goes on.
pub(super) struct Judge {
    trials: IndexMap<String, Trial>,
    undecided: usize,
    stops_the_run: bool,
    /// Agents that are not named, and failed: with what.
    strangers: Vec<(String, String)>,
}

impl Judge {
    pub(super) fn new(assertions: &Assertions, keep: Keep) -> Self {
        let trial =
            |(agent, assertions)| (str::to_owned(agent), Trial::new(agent, assertions, keep.window()));
        let trials: IndexMap<_, _> = assertions.iter().map(trial).collect();
        Self {
            undecided: trials.values().filter(|trial| !trial.has_verdict()).count(),
            trials,
            stops_the_run: assertions.stop_the_run(),
            strangers: Vec::new(),
        }
    }

    /// What to do before the first event: lists of expectations can be settled from the start.
    pub(super) fn begin(&self) -> Vec<Order> {
        if self.is_over() {
            return vec![Order::Halt];
        }
        let settled = self.trials.values().filter(|trial| trial.has_verdict());
        settled.map(|trial| Order::Stop(Arc::clone(trial.agent()))).collect()
    }

    /// Takes the run's next event.
    pub(super) fn see(&mut self, event: TraceEvent) -> Order {
        let is_outcome = matches!(event, TraceEvent::Outcome { .. });
        let Some(trial) = self.trials.get_mut(event.agent()) else {
            self.see_stranger(event);
            return Order::GoOn;
        };
        if !trial.see(event) {
            return Order::GoOn;
        }
        let agent = Arc::clone(trial.agent());
        self.undecided -= 1;
        if self.is_over() {
            Order::Halt
        } else if is_outcome {
            Order::GoOn
        } else {
            Order::Stop(agent)
        }
    }

    /// The test's time is over. `whereabouts` are those of the agents that were still running.
    pub(super) fn time_out(&mut self, whereabouts: &BTreeMap<String, Whereabouts>) {
        for (agent, trial) in &mut self.trials {
            trial.time_out(whereabouts.get(agent).cloned());
        }
        self.undecided = 0;
    }

    /// Nothing more is coming that counts; `cut` is what that means for agents without a verdict.
    pub(super) fn close(&mut self, cut: &Flaw) -> Judgement {
        let trials = std::mem::take(&mut self.trials);
        Judgement {
            agents: trials.into_values().map(|trial| trial.close(cut.clone())).collect(),
            strangers: std::mem::take(&mut self.strangers),
            strangers_count: !self.stops_the_run,
        }
    }

    fn is_over(&self) -> bool {
        self.stops_the_run && self.undecided == 0
    }

    fn see_stranger(&mut self, event: TraceEvent) {
        if let TraceEvent::Outcome { agent, outcome: RunOutcome::Failed(error) } = event {
            self.strangers.push((agent.to_string(), error));
        }
    }
}

/// What came of all agents.
pub(super) struct Judgement {
    /// Those that are named, in the order of the file.
    pub(super) agents: Vec<AgentReport>,
    /// Others that failed, and with what.
    pub(super) strangers: Vec<(String, String)>,
    /// Whether such a failure fails the test.
    pub(super) strangers_count: bool,
}

#[cfg(test)]
mod tests;
