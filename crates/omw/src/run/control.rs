//! Stopping agents from outside.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::host::{StopReason, StopSignal};

use super::Whereabouts;

/// Stops agents, or the whole run. Made before the run, so that what listens to the trace can hold it; cloning is cheap.
///
/// It serves one run. What was asked for before the run started counts once it does. No method blocks, so all of them may be called
/// where a trace is received.
#[derive(Clone)]
pub struct Control(Arc<Shared>);

struct Shared {
    orders: watch::Sender<Orders>,
    seats: Mutex<HashMap<String, Seat>>,
}

/// An agent that is at work.
struct Seat {
    signal: StopSignal,
    look: Look,
}

/// Tells what an agent is doing.
pub(super) type Look = Arc<dyn Fn() -> Whereabouts + Send + Sync>;

/// What was asked for so far. Orders are never taken back.
#[derive(Debug, Default)]
struct Orders {
    run: Option<Order>,
    stopped: BTreeSet<String>,
}

/// What an agent is told from outside; a later variant outdoes an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    /// End, with the time to tidy up.
    ShutDown,
    /// End at once, as the whole run does.
    Halt,
    /// End at once, alone.
    Stop,
}

impl Orders {
    fn of(&self, agent: &str) -> Option<Order> {
        if self.stopped.contains(agent) { Some(Order::Stop) } else { self.run }
    }
}

impl Control {
    /// A control of a run that has not started yet.
    pub fn new() -> Self {
        let orders = watch::Sender::new(Orders::default());
        Self(Arc::new(Shared { orders, seats: Mutex::default() }))
    }

    /// Ends one agent at once; it does not run again. A name that is no agent's is ignored.
    pub fn stop_agent(&self, agent: &str) {
        self.0.orders.send_modify(|orders| {
            orders.stopped.insert(agent.to_owned());
        });
        // Not left to the agent's supervisor: the agent may be on this very thread, about to carry out its next call.
        let signal = self.seats().get(agent).map(|seat| seat.signal.clone());
        if let Some(signal) = signal {
            signal.interrupt(StopReason::Stopped);
        }
    }

    /// Asks every agent to end: those that listen get a `shutdown` event, those that do not end within the grace are interrupted.
    pub fn shutdown(&self) {
        self.order(Order::ShutDown);
    }

    /// Ends every agent at once.
    pub fn halt(&self) {
        self.order(Order::Halt);
        let signals: Vec<_> = self.seats().values().map(|seat| seat.signal.clone()).collect();
        for signal in signals {
            signal.interrupt(StopReason::ShuttingDown);
        }
    }

    /// What an agent is doing; none for an agent that is not running.
    pub fn whereabouts(&self, agent: &str) -> Option<Whereabouts> {
        let look = self.seats().get(agent).map(|seat| Arc::clone(&seat.look))?;
        Some(look())
    }

    fn order(&self, order: Order) {
        self.0.orders.send_modify(|orders| orders.run = orders.run.max(Some(order)));
    }

    // No code of anybody else runs while it is held, so a panic cannot have left it half changed.
    fn seats(&self) -> MutexGuard<'_, HashMap<String, Seat>> {
        self.0.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The orders for one agent.
    pub(super) fn orders(&self, agent: &str) -> AgentOrders {
        AgentOrders { agent: agent.to_owned(), orders: self.0.orders.subscribe(), last: None }
    }

    /// A brain of an agent is about to run. Orders that end it at once reach this signal from now on, and those that came before it too.
    pub(super) fn enter(&self, agent: &str, signal: &StopSignal, look: Look) {
        let seat = Seat { signal: signal.clone(), look };
        self.seats().insert(agent.to_owned(), seat);
        // Orders are given before seats are looked at, so one of the two sides sees the other.
        let order = self.0.orders.borrow().of(agent);
        match order {
            Some(Order::Stop) => signal.interrupt(StopReason::Stopped),
            Some(Order::Halt) => signal.interrupt(StopReason::ShuttingDown),
            Some(Order::ShutDown) | None => {}
        }
    }

    /// No brain of the agent runs any more.
    pub(super) fn leave(&self, agent: &str) {
        self.seats().remove(agent);
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Control").field(&*self.0.orders.borrow()).finish()
    }
}

/// The orders for one agent, as they come.
pub(super) struct AgentOrders {
    agent: String,
    orders: watch::Receiver<Orders>,
    last: Option<Order>,
}

impl AgentOrders {
    /// The next order that goes beyond the last one. Safe to drop and call again.
    pub(super) async fn next(&mut self) -> Order {
        loop {
            let order = self.orders.borrow_and_update().of(&self.agent);
            if let Some(order) = order
                && self.last < Some(order)
            {
                self.last = Some(order);
                return order;
            }
            if self.orders.changed().await.is_err() {
                // Nobody holds the control any more, so nobody gives orders.
                std::future::pending::<()>().await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nowhere() -> Look {
        Arc::new(Whereabouts::default)
    }

    #[test]
    fn an_agent_is_interrupted_before_stop_agent_returns() {
        let (control, alice, bob) = (Control::new(), StopSignal::new(), StopSignal::new());
        control.enter("alice", &alice, nowhere());
        control.enter("bob", &bob, nowhere());
        control.stop_agent("alice");
        assert!(alice.is_interrupted());
        assert_eq!(alice.requested(), Some(StopReason::Stopped));
        assert_eq!(bob.requested(), None, "others go on");
        control.halt();
        assert!(bob.is_interrupted());
        assert_eq!(bob.requested(), Some(StopReason::ShuttingDown));
    }

    #[test]
    fn an_order_given_before_the_agent_enters_reaches_it() {
        let (control, alice) = (Control::new(), StopSignal::new());
        control.stop_agent("alice");
        control.enter("alice", &alice, nowhere());
        assert!(alice.is_interrupted());
    }

    #[test]
    fn only_an_agent_at_work_has_whereabouts() {
        let (control, alice) = (Control::new(), StopSignal::new());
        assert_eq!(control.whereabouts("alice"), None);
        control.enter("alice", &alice, nowhere());
        assert_eq!(control.whereabouts("alice"), Some(Whereabouts::default()));
        control.leave("alice");
        assert_eq!(control.whereabouts("alice"), None);
    }

    #[tokio::test]
    async fn orders_come_once_and_only_grow() {
        let control = Control::new();
        let mut orders = control.orders("alice");
        control.shutdown();
        assert_eq!(orders.next().await, Order::ShutDown);
        control.stop_agent("bob");
        control.shutdown();
        control.halt();
        assert_eq!(
            orders.next().await,
            Order::Halt,
            "another agent's stop and a second shutdown say nothing new"
        );
        control.shutdown();
        control.stop_agent("alice");
        assert_eq!(orders.next().await, Order::Stop);
    }
}
