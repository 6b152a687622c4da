//! Timers of an agent.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::exchange::Event;

use super::HostResult;
use super::inbox::Inbox;
use super::sources::{SourceKind, Sources};
use super::sync::lock;
use super::trace::CloseReason;

/// Stands for never; the clock cannot tell times much further off.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

/// The timers of one agent. One task waits for all of them, so they fire in the order they are due in, and those due together in the order
/// they were set in.
pub(super) struct Timers {
    runtime: Handle,
    waiting: Arc<Waiting>,
    task: Mutex<Option<AbortHandle>>,
}

struct Waiting {
    inbox: Arc<Inbox>,
    sources: Arc<Sources>,
    due: Mutex<Due>,
    /// Told when the earliest may have changed.
    changed: Notify,
}

#[derive(Default)]
struct Due {
    timers: BTreeMap<(Instant, u64), String>,
    set: u64,
}

impl Timers {
    pub(super) fn new(runtime: Handle, inbox: Arc<Inbox>, sources: Arc<Sources>) -> Self {
        let waiting = Waiting { inbox, sources, due: Mutex::default(), changed: Notify::new() };
        Self { runtime, waiting: Arc::new(waiting), task: Mutex::default() }
    }

    /// Opens a timer that fires once after a time.
    pub(super) fn set(&self, id: &str, after: Duration) -> HostResult<()> {
        self.waiting.sources.open(id, SourceKind::Timer)?;
        let at = later(Instant::now(), after);
        let key = {
            let mut due = lock(&self.waiting.due);
            due.set += 1;
            let key = (at, due.set);
            due.timers.insert(key, id.to_owned());
            key
        };
        let waiting = Arc::clone(&self.waiting);
        self.waiting.sources.hold(id, move || drop(lock(&waiting.due).timers.remove(&key)));
        self.waiting.changed.notify_one();
        lock(&self.task)
            .get_or_insert_with(|| self.runtime.spawn(fire(Arc::clone(&self.waiting))).abort_handle());
        Ok(())
    }
}

impl Drop for Timers {
    fn drop(&mut self) {
        if let Some(task) = lock(&self.task).take() {
            task.abort();
        }
    }
}

fn later(now: Instant, after: Duration) -> Instant {
    now.checked_add(after.min(FAR)).unwrap_or(now)
}

async fn fire(waiting: Arc<Waiting>) {
    loop {
        let first = lock(&waiting.due).timers.first_key_value().map(|(key, _)| key.0);
        match first {
            None => waiting.changed.notified().await,
            Some(at) if at > Instant::now() => tokio::select! {
                () = tokio::time::sleep_until(at) => {}
                () = waiting.changed.notified() => {}
            },
            Some(_) => {
                let Some(room) = waiting.inbox.room().await else { return };
                // Looked for again: it may have been cancelled while there was no room.
                let Some(id) = lock(&waiting.due).pop(Instant::now()) else { continue };
                if waiting.sources.close(&id, CloseReason::Ended) {
                    room.push(id, Event::Timer);
                }
            }
        }
    }
}

impl Due {
    fn pop(&mut self, now: Instant) -> Option<String> {
        let first = self.timers.first_entry().filter(|first| first.key().0 <= now)?;
        Some(first.remove())
    }
}

#[cfg(test)]
mod tests {
    use crate::gate::Gates;

    use super::super::StopSignal;
    use super::super::inbox::Taken;
    use super::super::recorder::Recorder;
    use super::*;

    struct Bench {
        timers: Timers,
        inbox: Arc<Inbox>,
        sources: Arc<Sources>,
    }

    fn bench(bound: usize) -> Bench {
        let inbox = Arc::new(Inbox::new("alice".into(), bound));
        let recorder = Arc::new(Recorder::new(Gates::default(), None));
        let sources = Arc::new(Sources::new("alice".into(), recorder));
        let timers = Timers::new(Handle::current(), Arc::clone(&inbox), Arc::clone(&sources));
        Bench { timers, inbox, sources }
    }

    impl Bench {
        fn fired(&self) -> Vec<String> {
            let stop = StopSignal::new();
            let taken = std::iter::from_fn(|| self.inbox.try_take(&stop));
            taken
                .map(|taken| match taken {
                    Taken::Event(envelope) => {
                        assert_eq!(envelope.event, Event::Timer);
                        envelope.id
                    }
                    Taken::Stopped(reason) => panic!("{reason}"),
                })
                .collect()
        }
    }

    fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[tokio::test(start_paused = true)]
    async fn timers_fire_when_they_are_due_and_those_due_together_as_they_were_set() {
        let bench = bench(8);
        for (id, after) in [("late", 30), ("a", 10), ("b", 10), ("never", u64::MAX), ("c", 10), ("now", 0)] {
            bench.timers.set(id, ms(after)).unwrap();
        }
        tokio::time::sleep(ms(5)).await;
        assert_eq!(bench.fired(), ["now"]);
        tokio::time::sleep(ms(10)).await;
        assert_eq!(bench.fired(), ["a", "b", "c"]);
        assert!(!bench.sources.is_open("a"));
        tokio::time::sleep(ms(100)).await;
        assert_eq!(bench.fired(), ["late"]);
        assert!(bench.sources.is_open("never"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancelled_timer_is_forgotten() {
        let bench = bench(8);
        bench.timers.set("1", ms(10)).unwrap();
        bench.timers.set("2", ms(10)).unwrap();
        bench.sources.cancel("1", &[SourceKind::Timer]);
        assert_eq!(lock(&bench.timers.waiting.due).timers.len(), 1);
        tokio::time::sleep(ms(20)).await;
        assert_eq!(bench.fired(), ["2"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_timer_cancelled_while_the_inbox_was_full_does_not_fire() {
        let bench = bench(1);
        for id in ["1", "2", "3"] {
            bench.timers.set(id, ms(1)).unwrap();
        }
        tokio::time::sleep(ms(20)).await;
        assert!(bench.sources.is_open("2"), "there was no room");
        bench.sources.cancel("2", &[SourceKind::Timer]);
        assert_eq!(bench.fired(), ["1"]);
        tokio::time::sleep(ms(20)).await;
        assert_eq!(bench.fired(), ["3"]);
    }
}
