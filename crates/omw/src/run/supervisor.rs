//! Carries out the life of an agent.

use std::sync::Arc;

use futures::FutureExt as _;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use crate::brain::Brain;
use crate::host::trace::{RunOutcome, TraceEvent};
use crate::host::{Agent, StopSignal, World};

use super::brain_thread::{self, BrainEnd};
use super::control::{AgentOrders, Control};
use super::life::{Happening, Life, Policy, Step};
use super::report::AgentEnd;
use super::scripts::Edit;
use super::whereabouts::Whereabouts;

/// Starts, stops, restarts and replaces the brain of one agent.
pub(super) struct Supervisor {
    name: String,
    world: Arc<World>,
    agent: Arc<Agent>,
    control: Control,
    orders: AgentOrders,
    /// The brain that was loaded last.
    brain: Arc<dyn Brain>,
    /// None where scripts are not watched.
    edits: Option<mpsc::UnboundedReceiver<Edit>>,
    running: Option<Running>,
    time_up: Option<Instant>,
    abandoned: bool,
    /// Where the last run of a brain ended.
    last: Whereabouts,
}

/// A brain that runs.
struct Running {
    stop: StopSignal,
    end: oneshot::Receiver<BrainEnd>,
}

impl Supervisor {
    pub(super) fn new(
        name: String,
        world: &Arc<World>,
        control: &Control,
        brain: Arc<dyn Brain>,
        edits: Option<mpsc::UnboundedReceiver<Edit>>,
    ) -> Self {
        Self {
            world: Arc::clone(world),
            agent: world.agent(&name),
            control: control.clone(),
            orders: control.orders(&name),
            brain,
            edits,
            running: None,
            time_up: None,
            abandoned: false,
            last: Whereabouts::default(),
            name,
        }
    }

    /// Lives until the agent runs no more.
    pub(super) async fn run(mut self, policy: Policy) -> AgentEnd {
        let (mut life, mut steps) = Life::begin(policy, self.orders.next().now_or_never());
        loop {
            for step in steps {
                if let Step::Conclude(outcome) = step {
                    return self.conclude(outcome);
                }
                self.carry_out(step);
            }
            let happening = self.next().await;
            let is_end = matches!(happening, Happening::Ended(_));
            steps = life.on(happening);
            if is_end
                && life.is_going_on()
                && let RunOutcome::Failed(error) = life.last()
            {
                tracing::warn!(agent = self.name, "the brain failed: {error}");
            }
        }
    }

    fn carry_out(&mut self, step: Step) {
        match step {
            Step::Start => self.start(),
            Step::Tell(event) => self.agent.tell(event),
            Step::Request(reason) => self.signal(|stop| stop.request(reason)),
            Step::Interrupt(reason) => self.signal(|stop| stop.interrupt(reason)),
            // A pause that the clock cannot hold never ends by itself.
            Step::Wait(pause) => self.time_up = Instant::now().checked_add(pause),
            Step::Abandon => self.abandon(),
            Step::Close(end) => {
                self.running = None;
                self.time_up = None;
                self.control.leave(&self.name);
                // What it has not taken is dropped with a last run.
                self.last = self.agent.whereabouts();
                self.agent.end_run(end);
            }
            Step::Conclude(_) => {}
        }
    }

    fn start(&mut self) {
        let stop = StopSignal::new();
        let agent = Arc::clone(&self.agent);
        self.control.enter(&self.name, &stop, Arc::new(move || agent.whereabouts()));
        let host = self.agent.host(stop.clone());
        let end = brain_thread::spawn(&self.name, Arc::clone(&self.brain), host);
        self.time_up = None;
        self.running = Some(Running { stop, end });
    }

    fn signal(&self, give: impl FnOnce(&StopSignal)) {
        if let Some(running) = &self.running {
            give(&running.stop);
        }
    }

    /// Orders come first: they are given before the brain is interrupted, so an end that they caused is known to be theirs.
    async fn next(&mut self) -> Happening {
        let time_up = self.time_up;
        tokio::select! {
            biased;
            order = self.orders.next() => Happening::Ordered(order),
            edit = edit(&mut self.edits) => match edit {
                Edit::Loaded(brain) => {
                    self.brain = brain;
                    Happening::Edited
                }
                Edit::Rejected(error) => Happening::Rejected(error),
            },
            end = end(&mut self.running) => Happening::Ended(end),
            () = sleep_until(time_up.unwrap_or_else(Instant::now)), if time_up.is_some() => {
                self.time_up = None;
                Happening::TimeUp
            }
        }
    }

    fn abandon(&mut self) {
        let place = self.agent.whereabouts();
        tracing::error!(agent = self.name, "the brain does not stop; its thread is left behind, {place}");
        self.abandoned = true;
        let (sender, receiver) = oneshot::channel();
        let text = format!("the brain did not stop when it was interrupted; it was {place}");
        let _ = sender.send(BrainEnd::Abandoned(text));
        if let Some(running) = &mut self.running {
            running.end = receiver;
        }
    }

    fn conclude(self, outcome: RunOutcome) -> AgentEnd {
        if let RunOutcome::Failed(error) = &outcome {
            tracing::error!(agent = self.name, "the agent failed: {error}");
        }
        self.world
            .record(|| TraceEvent::Outcome { agent: self.name.as_str().into(), outcome: outcome.clone() });
        AgentEnd { name: self.name, outcome, abandoned: self.abandoned, last: self.last }
    }
}

async fn edit(edits: &mut Option<mpsc::UnboundedReceiver<Edit>>) -> Edit {
    if let Some(receiver) = edits
        && let Some(edit) = receiver.recv().await
    {
        return edit;
    }
    std::future::pending().await
}

async fn end(running: &mut Option<Running>) -> BrainEnd {
    match running {
        Some(running) => {
            let end = (&mut running.end).await;
            end.unwrap_or_else(|_| BrainEnd::Failed("the brain's thread ended without a word".into()))
        }
        None => std::future::pending().await,
    }
}
