//! Pauses that grow with each failure.

use std::time::Duration;

/// Doubles from a start to a cap.
#[derive(Debug, Clone)]
pub(super) struct Backoff {
    start: Duration,
    cap: Duration,
    next: Duration,
}

impl Backoff {
    pub(super) fn new(start: Duration, cap: Duration) -> Self {
        let start = start.min(cap);
        Self { start, cap, next: start }
    }

    /// The pause after one more failure.
    pub(super) fn failed(&mut self) -> Duration {
        let pause = self.next;
        self.next = pause.saturating_mul(2).min(self.cap);
        pause
    }

    /// The next failure is a first one again.
    pub(super) fn reset(&mut self) {
        self.next = self.start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_cap_and_start_over() {
        let mut backoff = Backoff::new(Duration::from_millis(100), Duration::from_millis(350));
        let pauses: Vec<_> = (0..4).map(|_| backoff.failed().as_millis()).collect();
        assert_eq!(pauses, [100, 200, 350, 350]);
        backoff.reset();
        assert_eq!(backoff.failed().as_millis(), 100);
    }

    #[test]
    fn a_start_beyond_the_cap_is_cut_to_it() {
        let mut backoff = Backoff::new(Duration::from_secs(60), Duration::from_secs(30));
        assert_eq!(backoff.failed().as_secs(), 30);
    }
}
