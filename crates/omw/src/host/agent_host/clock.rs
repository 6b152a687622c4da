//! Timers and sleeps.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use crate::host::{HostResult, calendar};

use super::AgentHost;
use super::call::{Call, Patience};

impl AgentHost {
    pub(super) fn wait_for(&self, ms: u64) -> HostResult<String> {
        self.set_timer("wait_for", json!({"ms": ms}), || Ok(Duration::from_millis(ms)))
    }

    pub(super) fn wait_until(&self, ts: i64) -> HostResult<String> {
        self.set_timer("wait_until", json!({"ts": ts}), || self.until(ts))
    }

    pub(super) fn wait_cron(&self, spec: &str) -> HostResult<String> {
        self.set_timer("wait_cron", json!({"spec": spec}), || self.until_cron(spec))
    }

    pub(super) fn sleep_for(&self, ms: u64) -> HostResult<()> {
        let call = self.begin("sleep_for", None, || json!({"ms": ms}))?;
        let slept = match sleep(&call, Duration::from_millis(ms)) {
            // It has nothing to lose: a stop only ends it early. Only once, or a loop over it would go round as fast as it can until the interrupt.
            Err(_) if !self.was_roused.swap(true, Ordering::Relaxed) => self.check(),
            Err(stopped) => Err(stopped),
            Ok(()) => self.check(),
        };
        call.done(slept)
    }

    pub(super) fn sleep_until(&self, ts: i64) -> HostResult<()> {
        let call = self.begin("sleep_until", None, || json!({"ts": ts}))?;
        let slept = self.until(ts).and_then(|time| sleep(&call, time));
        call.done(slept)
    }

    pub(super) fn sleep_cron(&self, spec: &str) -> HostResult<()> {
        let call = self.begin("sleep_cron", None, || json!({"spec": spec}))?;
        let slept = self.until_cron(spec).and_then(|time| sleep(&call, time));
        call.done(slept)
    }

    fn set_timer(
        &self,
        op: &'static str,
        detail: Value,
        after: impl FnOnce() -> HostResult<Duration>,
    ) -> HostResult<String> {
        let id = self.agent.shared.seam.new_id();
        let call = self.begin(op, Some(&id), || detail)?;
        let set = after().and_then(|after| self.agent.timers.set(&id, after));
        call.end_with_id(set)
    }

    fn until(&self, ts: i64) -> HostResult<Duration> {
        calendar::until(ts, self.agent.shared.seam.now())
    }

    fn until_cron(&self, spec: &str) -> HostResult<Duration> {
        calendar::until_cron(spec, self.agent.shared.seam.now())
    }
}

fn sleep(call: &Call<'_>, time: Duration) -> HostResult<()> {
    // Made where it is awaited: a sleep belongs to the async runtime.
    call.wait(Patience::None, async { tokio::time::sleep(time).await })
}
