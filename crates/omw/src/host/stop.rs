//! What tells a brain to end.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use super::sync::lock;

/// Why an agent is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// This agent alone: its test has its verdict.
    Stopped,
    /// The whole run.
    ShuttingDown,
    /// A changed script takes over.
    Reloading,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stopped => "agent stopped",
            Self::ShuttingDown => "agent shutting down",
            Self::Reloading => "agent reloading",
        })
    }
}

/// Tells one run of a brain to end, in two steps: first its blocking calls raise the reason, so that it can tidy up; then it is
/// interrupted wherever it is, and cannot catch that.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// The reason's number, or 0; and [`INTERRUPTED`]. One atomic, so that nobody sees an interrupt as a mere request; and an atomic beside the
    /// tokens, since engines ask many million times and a token takes a lock.
    given: AtomicU8,
    requested: CancellationToken,
    interrupted: CancellationToken,
    listeners: Listeners,
}

/// Set once the brain is interrupted.
const INTERRUPTED: u8 = 1 << 7;

/// What wakes threads that wait for something else.
#[derive(Default)]
struct Listeners(Mutex<Vec<Listener>>);

/// Called when the signal is given, or given anew. It must not block.
type Listener = Arc<dyn Fn() + Send + Sync>;

impl Listeners {
    fn notify(&self) {
        let listeners = lock(&self.0).clone();
        for listener in listeners {
            listener();
        }
    }
}

impl fmt::Debug for Listeners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listeners")
    }
}

impl StopSignal {
    /// A signal that nobody has given yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the end. The first reason counts.
    pub fn request(&self, reason: StopReason) {
        self.give(reason, 0);
    }

    /// Asks for the end and does not wait for the brain to come to it.
    pub fn interrupt(&self, reason: StopReason) {
        self.give(reason, INTERRUPTED);
    }

    fn give(&self, reason: StopReason, flag: u8) {
        let number = match reason {
            StopReason::Stopped => 1,
            StopReason::ShuttingDown => 2,
            StopReason::Reloading => 3,
        };
        let with = |given: u8| Some(flag | if given == 0 { number } else { given });
        // It is always given.
        let _ = self.0.given.fetch_update(Ordering::AcqRel, Ordering::Acquire, with);
        self.0.requested.cancel();
        if flag == INTERRUPTED {
            self.0.interrupted.cancel();
        }
        self.0.listeners.notify();
    }

    /// Why the end was asked for, if it was.
    pub fn requested(&self) -> Option<StopReason> {
        match self.0.given.load(Ordering::Acquire) & !INTERRUPTED {
            1 => Some(StopReason::Stopped),
            2 => Some(StopReason::ShuttingDown),
            3 => Some(StopReason::Reloading),
            _ => None,
        }
    }

    /// Whether the brain has to end at once. Cheap: an engine asks between any two of its steps.
    pub fn is_interrupted(&self) -> bool {
        self.0.given.load(Ordering::Acquire) & INTERRUPTED != 0
    }

    /// Waits until the end is asked for.
    pub async fn on_request(&self) -> StopReason {
        self.0.requested.cancelled().await;
        self.requested().unwrap_or(StopReason::Stopped)
    }

    /// Waits until the brain is interrupted.
    pub async fn on_interrupt(&self) {
        self.0.interrupted.cancelled().await;
    }

    /// Has a function called whenever the signal is given, for threads that wait without the async runtime.
    pub(crate) fn listen(&self, listener: impl Fn() + Send + Sync + 'static) {
        let listener: Listener = Arc::new(listener);
        lock(&self.0.listeners.0).push(Arc::clone(&listener));
        if self.requested().is_some() {
            listener();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn counted(signal: &StopSignal) -> Arc<AtomicUsize> {
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        signal.listen(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        count
    }

    #[test]
    fn the_first_reason_counts() {
        let signal = StopSignal::new();
        signal.request(StopReason::Reloading);
        signal.interrupt(StopReason::Stopped);
        assert_eq!(signal.requested(), Some(StopReason::Reloading));
        assert!(signal.is_interrupted());
    }

    #[test]
    fn listeners_hear_of_both_steps() {
        let signal = StopSignal::new();
        let count = counted(&signal);
        assert_eq!(count.load(Ordering::Relaxed), 0);
        signal.request(StopReason::ShuttingDown);
        assert_eq!(count.load(Ordering::Relaxed), 1);
        signal.interrupt(StopReason::ShuttingDown);
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_late_listener_hears_of_a_signal_that_was_given() {
        let signal = StopSignal::new();
        signal.request(StopReason::Stopped);
        assert_eq!(counted(&signal).load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn a_request_does_not_interrupt() {
        let signal = StopSignal::new();
        signal.request(StopReason::Stopped);
        assert_eq!(signal.on_request().await, StopReason::Stopped);
        assert!(!signal.is_interrupted());
        signal.interrupt(StopReason::Stopped);
        signal.on_interrupt().await;
    }
}
