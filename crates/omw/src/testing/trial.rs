//! One agent on trial: its events go in, its verdict comes out.

use std::sync::Arc;

use windtunnel_pattern::{Matcher, Step, Window};

use crate::host::trace::{RunOutcome, TraceEvent};
use crate::run::Whereabouts;

use super::flaw::{Flaw, at_end, of_events};
use super::{AgentAssertions, AgentReport, Expected, Observed};

/// The state of one agent under `[assertions]`. Once it has its verdict, nothing changes it.
pub(super) struct Trial {
    agent: Arc<str>,
    expected: Expected,
    matcher: Matcher,
    observed: Window<Observed>,
    outcome: Option<RunOutcome>,
    /// Empty for an agent that passed; none while there is no verdict.
    verdict: Option<Vec<Flaw>>,
}

impl Trial {
    pub(super) fn new(agent: &str, assertions: &AgentAssertions, observed: Window<Observed>) -> Self {
        let mut trial = Self {
            agent: agent.into(),
            expected: assertions.outcome.clone(),
            matcher: assertions.events.matcher(),
            observed,
            outcome: None,
            verdict: None,
        };
        trial.decide_by_events();
        trial
    }

    pub(super) fn agent(&self) -> &Arc<str> {
        &self.agent
    }

    pub(super) fn has_verdict(&self) -> bool {
        self.verdict.is_some()
    }

    /// Takes the agent's next event. Says whether it brought the verdict.
    pub(super) fn see(&mut self, event: TraceEvent) -> bool {
        if self.has_verdict() {
            return false;
        }
        match event {
            TraceEvent::Outcome { outcome, .. } => {
                self.verdict = Some(at_end(&self.expected, self.matcher.finish(), &outcome));
                self.outcome = Some(outcome);
            }
            event => {
                let observed = Observed::from(event);
                self.matcher.push(observed.candidate());
                self.observed.push(observed);
                self.decide_by_events();
            }
        }
        self.has_verdict()
    }

    /// The test's time is over.
    pub(super) fn time_out(&mut self, whereabouts: Option<Whereabouts>) {
        self.cut(Flaw::TimedOut { whereabouts });
    }

    /// Nothing more is coming.
    pub(super) fn close(mut self, cut: Flaw) -> AgentReport {
        self.cut(cut);
        AgentReport {
            agent: self.agent.to_string(),
            expectations: self.matcher.sequence().len(),
            cursor: self.matcher.awaited().unwrap_or(self.matcher.sequence().len()),
            expected: self.expected,
            outcome: self.outcome,
            flaws: self.verdict.unwrap_or_default(),
            observed: self.observed,
        }
    }

    /// An agent that is stopped by its verdict has one as soon as no later event can change it.
    fn decide_by_events(&mut self) {
        if self.expected.stops() && self.matcher.step() != Step::Pending {
            self.verdict = Some(of_events(self.matcher.finish()).into_iter().collect());
        }
    }

    fn cut(&mut self, flaw: Flaw) {
        if self.verdict.is_none() {
            let flaws = [flaw].into_iter().chain(of_events(self.matcher.finish()));
            self.verdict = Some(flaws.collect());
        }
    }
}
