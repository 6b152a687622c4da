//! How long to wait between two attempts to reach a server.

use std::time::Duration;

use crate::config::Tunables;

/// Attempts after the first that a call waits for: about three seconds with the default timings.
const RETRIES_OF_A_CALL: u32 = 5;

/// Who waits for a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// A call, and with it a brain.
    Call,
    /// A subscription, which keeps nobody waiting.
    Subscription,
}

/// Pauses that double up to a cap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Backoff {
    start: Duration,
    cap: Duration,
}

impl Backoff {
    pub(super) fn new(tunables: &Tunables) -> Self {
        let start = Duration::from_millis(tunables.tooling_connect_backoff_start_ms.max(1));
        let cap = Duration::from_secs(tunables.tooling_connect_backoff_cap_secs);
        Self { start, cap: cap.max(start) }
    }

    /// The pause after so many failures in a row, from 0.
    pub(super) fn pause(&self, failures: u32) -> Duration {
        self.start.saturating_mul(2_u32.saturating_pow(failures)).min(self.cap)
    }

    /// The pause after so many failures in a row, or none if it is time to give up: after one more attempt at the longest pause, and
    /// for a call already after a few.
    pub(super) fn next(&self, failures: u32, patience: Patience) -> Option<Duration> {
        let had_longest = failures > 0 && self.pause(failures - 1) == self.cap;
        let gives_up = match patience {
            Patience::Call => failures >= RETRIES_OF_A_CALL,
            Patience::Subscription => had_longest,
        };
        (!gives_up).then(|| self.pause(failures))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pauses(start_ms: u64, cap_secs: u64, patience: Patience) -> Vec<u128> {
        let backoff = Backoff::new(&Tunables {
            tooling_connect_backoff_start_ms: start_ms,
            tooling_connect_backoff_cap_secs: cap_secs,
            ..Tunables::default()
        });
        (0..).map_while(|failures| backoff.next(failures, patience)).map(|pause| pause.as_millis()).collect()
    }

    #[test]
    fn a_call_gives_up_after_a_few_attempts() {
        assert_eq!(pauses(100, 30, Patience::Call), [100, 200, 400, 800, 1600]);
        assert_eq!(pauses(100, 1, Patience::Call), [100, 200, 400, 800, 1000]);
    }

    #[test]
    fn a_subscription_gives_up_after_the_longest_pause() {
        assert_eq!(pauses(400, 2, Patience::Subscription), [400, 800, 1600, 2000]);
        assert_eq!(pauses(100, 30, Patience::Subscription).last(), Some(&30_000));
    }

    #[test]
    fn odd_timings_do_not_wait_for_ever() {
        assert_eq!(pauses(0, 0, Patience::Subscription), [1]);
        assert_eq!(pauses(5_000, 1, Patience::Subscription), [5_000]);
        assert_eq!(pauses(u64::MAX, u64::MAX / 1000, Patience::Call).len(), 5);
    }
}
