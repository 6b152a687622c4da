//! The timings and bounds.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use windtunnel_doc::{Fault, Path};

/// `[tunables]`: every timing, bound and back-off of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Tunables {
    /// How many events may wait in an agent's inbox. When it is full, `send_agent` raises, and all other sources of events wait for room.
    #[schemars(range(min = 1, max = MOST))]
    pub inbox_bound: usize,
    /// Has no effect, and is accepted for programs that look for events in slices of this many milliseconds.
    pub recv_slice_ms: u64,
    /// The longest that `recv` waits before it raises, in seconds; 0 is no limit, which suits an agent that serves.
    pub recv_timeout_secs: u64,
    /// Has no effect, and is accepted for programs that look for a reload every so many milliseconds.
    pub reload_poll_ms: u64,
    /// How long an interrupted brain may take to end, in milliseconds; after ten times as long, since machines are busy, its thread is
    /// given up.
    pub interrupt_budget_ms: u64,
    /// How long a brain may take to end by itself, in seconds, once a reload or a shutdown asks it to; then it is interrupted.
    pub reload_grace_secs: u64,
    /// The pause of `omw loop` after an agent's first failure, in milliseconds. It doubles with each further failure in a row.
    pub loop_backoff_start_ms: u64,
    /// The longest pause of `omw loop`, in seconds.
    pub loop_backoff_cap_secs: u64,
    /// The pause before a lost tool server is connected to again, in milliseconds. It doubles with each failure.
    pub tooling_connect_backoff_start_ms: u64,
    /// The longest pause before a tool server is connected to again, in seconds.
    pub tooling_connect_backoff_cap_secs: u64,
    /// How long files have to be left alone before a change counts, in milliseconds.
    pub watch_debounce_ms: u64,
    /// Has no effect, and is accepted for programs with a full-screen display.
    pub tui_tick_ms: u64,
    /// Has no effect, and is accepted for programs with a full-screen display.
    pub tui_tab_capacity: usize,
    /// Has no effect, and is accepted for programs whose trace may overrun. Here no event is dropped.
    pub trace_buffer: usize,
    /// The longest that one test may take, in seconds; 0 is no limit.
    pub test_timeout_secs: u64,
    /// How many pieces of an answer may wait for a client of the endpoint. When they are that many, the agent waits.
    #[schemars(range(min = 1, max = MOST))]
    pub session_buffer: usize,
    /// Whether a reload cancels the open streams, timers and calls of the agent. If not, the new script gets what they bring.
    pub cancel_pumps_on_reload: bool,
    /// Has no effect, and is accepted for programs that keep secrets in locked memory.
    pub allow_unlocked_secrets: bool,
}

impl Default for Tunables {
    fn default() -> Self {
        Self {
            inbox_bound: 1024,
            recv_slice_ms: 200,
            recv_timeout_secs: 60,
            reload_poll_ms: 200,
            interrupt_budget_ms: 100,
            reload_grace_secs: 5,
            loop_backoff_start_ms: 100,
            loop_backoff_cap_secs: 30,
            tooling_connect_backoff_start_ms: 100,
            tooling_connect_backoff_cap_secs: 30,
            watch_debounce_ms: 200,
            tui_tick_ms: 80,
            tui_tab_capacity: 2000,
            trace_buffer: 4096,
            test_timeout_secs: 30,
            session_buffer: 8192,
            cancel_pumps_on_reload: true,
            allow_unlocked_secrets: false,
        }
    }
}

/// More than this waiting somewhere makes no sense: memory would end before.
const MOST: usize = 10_000_000;

/// No time is longer than this: a year.
const LONGEST_MS: u64 = 365 * 24 * 60 * 60 * 1000;

impl Tunables {
    /// The longest that `recv` waits; none if there is no limit.
    pub fn recv_timeout(&self) -> Option<Duration> {
        (self.recv_timeout_secs > 0).then(|| Duration::from_secs(self.recv_timeout_secs))
    }

    /// What makes no sense, with paths from the root of a config.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let fault = |name: &str, message| Fault::new(Path::root().then("tunables").then(name), message);
        let bounds = [("inbox_bound", self.inbox_bound), ("session_buffer", self.session_buffer)];
        let no_bounds = bounds
            .into_iter()
            .filter(|(_, value)| !(1..=MOST).contains(value))
            .map(|(name, value)| fault(name, format!("expected a bound from 1 to {MOST}, found {value}")));
        // With how many milliseconds one of it is.
        let times = [
            ("recv_timeout_secs", self.recv_timeout_secs, 1000),
            ("interrupt_budget_ms", self.interrupt_budget_ms, 1),
            ("reload_grace_secs", self.reload_grace_secs, 1000),
            ("loop_backoff_start_ms", self.loop_backoff_start_ms, 1),
            ("loop_backoff_cap_secs", self.loop_backoff_cap_secs, 1000),
            ("tooling_connect_backoff_start_ms", self.tooling_connect_backoff_start_ms, 1),
            ("tooling_connect_backoff_cap_secs", self.tooling_connect_backoff_cap_secs, 1000),
            ("watch_debounce_ms", self.watch_debounce_ms, 1),
            ("test_timeout_secs", self.test_timeout_secs, 1000),
        ];
        let too_long = times.into_iter().filter(|(_, value, unit)| *value > LONGEST_MS / unit).map(
            |(name, value, unit)| {
                fault(name, format!("expected at most {} (a year), found {value}", LONGEST_MS / unit))
            },
        );
        no_bounds.chain(too_long).collect()
    }
}
