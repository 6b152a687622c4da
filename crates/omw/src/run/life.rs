//! The life of an agent: what happens to it, and what is to be done then. Pure; the supervisor carries it out.

use std::time::Duration;

use crate::config::Tunables;
use crate::exchange::Event;
use crate::host::trace::RunOutcome;
use crate::host::{RunEnd, StopReason};

use super::backoff::Backoff;
use super::brain_thread::BrainEnd;
use super::control::Order;

/// An interrupted brain gets so many times its budget. The budget is that of a brain with a core of its own; among more brains than cores a
/// thread may not even have had its turn by then, and brains that do end do not pay for it.
const BUDGETS: u32 = 10;

/// How an agent is to live.
#[derive(Debug, Clone)]
pub(super) struct Policy {
    /// Whether it is started again when it ends.
    pub(super) repeat: bool,
    /// Whether an agent that has ended waits for its script to change.
    pub(super) watch: bool,
    /// The time to tidy up.
    pub(super) grace: Duration,
    /// The time to end once it is interrupted.
    pub(super) budget: Duration,
    /// The pauses after failures.
    pub(super) backoff: Backoff,
}

impl Policy {
    pub(super) fn new(tunables: &Tunables, watch: bool, repeat: bool) -> Self {
        let backoff = Backoff::new(
            Duration::from_millis(tunables.loop_backoff_start_ms),
            Duration::from_secs(tunables.loop_backoff_cap_secs),
        );
        Self {
            repeat,
            watch,
            grace: Duration::from_secs(tunables.reload_grace_secs),
            budget: Duration::from_millis(tunables.interrupt_budget_ms).saturating_mul(BUDGETS),
            backoff,
        }
    }
}

/// Something that happens to an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Happening {
    /// Somebody orders its end.
    Ordered(Order),
    /// Its script changed, and the new one is loaded.
    Edited,
    /// Its script changed, and the new one cannot be loaded.
    Rejected(String),
    /// The run of its brain is over.
    Ended(BrainEnd),
    /// The time of the last [`Step::Wait`] is up.
    TimeUp,
}

/// Something to be done.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// Run the brain that was loaded last.
    Start,
    /// Tell the brain, if it listens.
    Tell(Event),
    /// Ask the brain to end.
    Request(StopReason),
    /// Interrupt the brain.
    Interrupt(StopReason),
    /// Say when so much time is up; instead of what was waited for before.
    Wait(Duration),
    /// Leave the brain's thread to itself, and say that it ended [abandoned](BrainEnd::Abandoned).
    Abandon,
    /// Close what the run of the brain had open.
    Close(RunEnd),
    /// That was it.
    Conclude(RunOutcome),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The brain runs.
    Running,
    /// The brain was asked to end and has its grace.
    Asked(StopReason),
    /// The brain was interrupted and has its budget.
    Interrupted(StopReason),
    /// No brain runs until a pause is over.
    Pausing,
    /// No brain runs until the script changes.
    Resting,
    /// Nothing runs any more.
    Over,
}

/// The life of one agent.
#[derive(Debug)]
pub(super) struct Life {
    policy: Policy,
    phase: Phase,
    /// How the last run of a brain ended.
    last: RunOutcome,
}

impl Life {
    /// A life that is about to begin, unless an order came before. The steps start it.
    pub(super) fn begin(policy: Policy, order: Option<Order>) -> (Self, Vec<Step>) {
        let phase = if order.is_none() { Phase::Running } else { Phase::Over };
        let steps = match order {
            None => vec![Step::Start],
            Some(_) => vec![Step::Conclude(RunOutcome::Stopped)],
        };
        (Self { policy, phase, last: RunOutcome::Stopped }, steps)
    }

    /// How the last run of a brain ended.
    pub(super) fn last(&self) -> &RunOutcome {
        &self.last
    }

    /// Whether there may be another run of a brain.
    pub(super) fn is_going_on(&self) -> bool {
        self.phase != Phase::Over
    }

    /// What is to be done, in this order.
    ///
    /// | while it is | ordered to shut down | ordered to end at once | edited | rejected | ended | time up |
    /// |---|---|---|---|---|---|---|
    /// | running | asks | interrupts | asks | tells | rests, pauses, starts or concludes | – |
    /// | asked to reload | asks | interrupts | goes on | goes on | starts | interrupts |
    /// | interrupted to reload | no reload | no reload | goes on | goes on | starts | abandons |
    /// | asked to end | goes on | interrupts | goes on | goes on | concludes | interrupts |
    /// | interrupted to end | goes on | goes on | goes on | goes on | concludes | abandons |
    /// | pausing | concludes | concludes | starts | goes on | – | starts |
    /// | resting | concludes | concludes | starts | goes on | – | – |
    pub(super) fn on(&mut self, happening: Happening) -> Vec<Step> {
        match (self.phase, happening) {
            (Phase::Over, _) => Vec::new(),
            (Phase::Pausing | Phase::Resting, Happening::Ordered(_)) => {
                // Subscriptions were kept for a run that does not come.
                let mut steps = self.conclude();
                steps.insert(0, Step::Close(RunEnd::Stopped));
                steps
            }
            (_, Happening::Ordered(order)) => self.obey(order),
            (Phase::Running, Happening::Edited) => self.ask(StopReason::Reloading, Event::Reload),
            (Phase::Running, Happening::Rejected(error)) => vec![Step::Tell(Event::Error(error))],
            (Phase::Pausing | Phase::Resting, Happening::Edited) => {
                self.policy.backoff.reset();
                self.start()
            }
            (Phase::Pausing, Happening::TimeUp) => self.start(),
            (Phase::Asked(reason), Happening::TimeUp) => self.interrupt(reason),
            (Phase::Interrupted(_), Happening::TimeUp) => vec![Step::Abandon],
            (_, Happening::Ended(end)) => self.end(end),
            // A reload takes the newest script anyway, and an agent that ends needs none.
            (
                Phase::Asked(_) | Phase::Interrupted(_) | Phase::Pausing | Phase::Resting,
                Happening::Edited | Happening::Rejected(_),
            )
            // Of a wait that no longer counts.
            | (Phase::Running | Phase::Resting, Happening::TimeUp) => Vec::new(),
        }
    }

    fn obey(&mut self, order: Order) -> Vec<Step> {
        let reason = match order {
            Order::ShutDown | Order::Halt => StopReason::ShuttingDown,
            Order::Stop => StopReason::Stopped,
        };
        match (self.phase, order) {
            (Phase::Running | Phase::Asked(StopReason::Reloading), Order::ShutDown) => {
                self.ask(reason, Event::Shutdown)
            }
            (Phase::Running | Phase::Asked(_), Order::Halt | Order::Stop) => self.interrupt(reason),
            (Phase::Interrupted(_), _) => {
                self.phase = Phase::Interrupted(reason);
                Vec::new()
            }
            (Phase::Asked(_), Order::ShutDown) | (Phase::Pausing | Phase::Resting | Phase::Over, _) => {
                Vec::new()
            }
        }
    }

    fn ask(&mut self, reason: StopReason, event: Event) -> Vec<Step> {
        self.phase = Phase::Asked(reason);
        vec![Step::Tell(event), Step::Request(reason), Step::Wait(self.policy.grace)]
    }

    fn interrupt(&mut self, reason: StopReason) -> Vec<Step> {
        self.phase = Phase::Interrupted(reason);
        vec![Step::Interrupt(reason), Step::Wait(self.policy.budget)]
    }

    fn start(&mut self) -> Vec<Step> {
        self.phase = Phase::Running;
        vec![Step::Start]
    }

    fn conclude(&mut self) -> Vec<Step> {
        self.phase = Phase::Over;
        vec![Step::Conclude(self.last.clone())]
    }

    fn end(&mut self, end: BrainEnd) -> Vec<Step> {
        let (end, mut steps) = match self.phase {
            Phase::Asked(StopReason::Reloading) | Phase::Interrupted(StopReason::Reloading) => {
                self.last = outcome(end, self.phase);
                self.policy.backoff.reset();
                (RunEnd::Reloaded, self.start())
            }
            Phase::Asked(_) | Phase::Interrupted(_) => {
                self.last = outcome(end, self.phase);
                (RunEnd::Stopped, self.conclude())
            }
            Phase::Running | Phase::Pausing | Phase::Resting | Phase::Over => {
                self.last = outcome(end, self.phase);
                self.end_by_itself()
            }
        };
        steps.insert(0, Step::Close(end));
        steps
    }

    fn end_by_itself(&mut self) -> (RunEnd, Vec<Step>) {
        let is_failure = matches!(self.last, RunOutcome::Failed(_));
        if self.policy.repeat && is_failure {
            self.phase = Phase::Pausing;
            (RunEnd::Repeated, vec![Step::Wait(self.policy.backoff.failed())])
        } else if self.policy.repeat {
            self.policy.backoff.reset();
            (RunEnd::Repeated, self.start())
        } else if self.policy.watch {
            self.phase = Phase::Resting;
            (RunEnd::Repeated, Vec::new())
        } else {
            (RunEnd::Ended, self.conclude())
        }
    }
}

/// What the end of a brain's run comes to. A brain that does not catch the stop that it was asked for fails with its text; that is no failure.
fn outcome(end: BrainEnd, phase: Phase) -> RunOutcome {
    match (end, phase) {
        (BrainEnd::Returned(None), _) => RunOutcome::Completed,
        (BrainEnd::Returned(Some(value)), _) => RunOutcome::Exited(value),
        (BrainEnd::Stopped | BrainEnd::Failed(_), Phase::Interrupted(_)) | (BrainEnd::Stopped, _) => {
            RunOutcome::Stopped
        }
        (BrainEnd::Failed(text), Phase::Asked(_)) if says_stop(&text) => RunOutcome::Stopped,
        (BrainEnd::Failed(text) | BrainEnd::Abandoned(text), _) => RunOutcome::Failed(text),
    }
}

/// Whether the text of a failure is that of a stop. It may be an earlier one than the last: a shutdown outdoes a reload, but not in the brain.
fn says_stop(text: &str) -> bool {
    let reasons = [StopReason::Stopped, StopReason::ShuttingDown, StopReason::Reloading];
    reasons.iter().any(|reason| text.contains(&reason.to_string()))
}

#[cfg(test)]
mod tests;
