//! What scripted back ends do in the background, driven by the agents' own steps.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake, Waker};

use futures::future::BoxFuture;
use tokio::runtime::Handle;

use super::sync::lock;

/// How often one step looks again for what it has itself made ready. A task that always wakes itself is not to keep an agent for ever.
const ROUNDS: usize = 64;

/// The tasks of scripted back ends. They are polled between two calls of an agent, on its thread, in the order they were started in, and
/// only when something woke them; so a run with nothing but scripts is the same every time.
///
/// Polling happens under one lock. A task may record and deliver, but neither start nor cancel tasks nor step.
#[derive(Clone)]
pub(super) struct Stepper(Arc<Shared>);

struct Shared {
    runtime: Handle,
    tasks: Mutex<BTreeMap<u64, Task>>,
    started: AtomicU64,
    /// Those that were woken.
    ready: Mutex<BTreeSet<u64>>,
    /// Whether there may be some, so that a step without any costs one look.
    is_due: AtomicBool,
    /// How many threads are inside a [`Boundary`], and will step by themselves.
    stepping: AtomicUsize,
    bells: Mutex<Vec<(u64, Arc<dyn Bell>)>>,
}

struct Task {
    future: BoxFuture<'static, ()>,
    waker: Waker,
}

/// Wakes an agent that waits for an event, so that it steps.
pub(super) trait Bell: Send + Sync {
    /// Has the agent step. It must not block.
    fn ring(&self);
}

/// A task of the stepper.
pub(super) struct StepTask {
    id: u64,
    shared: Weak<Shared>,
}

/// A stretch of an agent's thread at the end of which it steps. Nobody else is woken to step meanwhile.
pub(super) struct Boundary<'s>(&'s Stepper);

/// An agent that waits and can be woken.
pub(super) struct Parked<'s> {
    id: u64,
    stepper: &'s Stepper,
}

impl Stepper {
    /// Tasks may use what the async runtime offers: timers, channels.
    pub(super) fn new(runtime: Handle) -> Self {
        Self(Arc::new(Shared {
            runtime,
            tasks: Mutex::default(),
            started: AtomicU64::new(0),
            ready: Mutex::default(),
            is_due: AtomicBool::new(false),
            stepping: AtomicUsize::new(0),
            bells: Mutex::default(),
        }))
    }

    /// Starts a task, which does at once what it can.
    pub(super) fn start(&self, future: BoxFuture<'static, ()>) -> StepTask {
        let shared = &self.0;
        let id = shared.started.fetch_add(1, Ordering::Relaxed);
        let waker = Waker::from(Arc::new(TaskWaker { id, shared: Arc::downgrade(shared) }));
        let mut task = Task { future, waker };
        let mut tasks = lock(&shared.tasks);
        let _context = shared.runtime.enter();
        if task.poll().is_pending() {
            tasks.insert(id, task);
        }
        StepTask { id, shared: Arc::downgrade(shared) }
    }

    /// Polls the tasks that were woken.
    pub(super) fn step(&self) {
        let shared = &self.0;
        if !self.is_due() {
            return;
        }
        let mut tasks = lock(&shared.tasks);
        let _context = shared.runtime.enter();
        for _ in 0..ROUNDS {
            // Before the look, so that what is woken after it makes the next step due.
            shared.is_due.store(false, Ordering::SeqCst);
            let ready = std::mem::take(&mut *lock(&shared.ready));
            if ready.is_empty() {
                return;
            }
            for id in ready {
                let Some(task) = tasks.get_mut(&id) else { continue };
                if task.poll().is_ready() {
                    tasks.remove(&id);
                }
            }
        }
        shared.is_due.store(true, Ordering::SeqCst);
    }

    /// Whether a task was woken and waits for a step.
    pub(super) fn is_due(&self) -> bool {
        self.0.is_due.load(Ordering::SeqCst)
    }

    /// Begins a stretch at the end of which this thread steps.
    pub(super) fn boundary(&self) -> Boundary<'_> {
        self.enter();
        Boundary(self)
    }

    fn enter(&self) {
        self.0.stepping.fetch_add(1, Ordering::SeqCst);
    }

    fn leave(&self) {
        // A waker that still saw this stretch has marked its task before that, so the step below finds it.
        self.0.stepping.fetch_sub(1, Ordering::SeqCst);
        self.step();
    }

    /// An agent is about to wait: until the guard is dropped, its bell is rung when a task is woken while nobody is about to step.
    ///
    /// A task that was woken just before has to be looked for afterwards, see [`is_due`](Self::is_due).
    pub(super) fn park(&self, bell: Arc<dyn Bell>) -> Parked<'_> {
        let id = self.0.started.fetch_add(1, Ordering::Relaxed);
        lock(&self.0.bells).push((id, bell));
        Parked { id, stepper: self }
    }
}

impl Task {
    fn poll(&mut self) -> Poll<()> {
        let Self { future, waker } = self;
        let mut context = Context::from_waker(waker);
        // The thread is an agent's that has nothing to do with this task. Those who start tasks tell of panics; here is only the last resort.
        catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut context))).unwrap_or(Poll::Ready(()))
    }
}

impl StepTask {
    /// Ends the task. It does nothing any more once this returns.
    pub(super) fn cancel(self) {
        if let Some(shared) = self.shared.upgrade() {
            let task = lock(&shared.tasks).remove(&self.id);
            drop(task);
        }
    }
}

impl Boundary<'_> {
    /// Steps in the middle of the stretch.
    pub(super) fn step(&self) {
        self.0.step();
    }

    /// Waits in the middle of the stretch: meanwhile others are woken to step again.
    pub(super) fn pause<T>(&self, wait: impl FnOnce() -> T) -> T {
        /// Goes on with the stretch, even after a panic.
        struct Resume<'s>(&'s Stepper);

        impl Drop for Resume<'_> {
            fn drop(&mut self) {
                self.0.enter();
            }
        }

        self.0.leave();
        let _resume = Resume(self.0);
        wait()
    }
}

impl Drop for Boundary<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Drop for Parked<'_> {
    fn drop(&mut self) {
        lock(&self.stepper.0.bells).retain(|(id, _)| *id != self.id);
    }
}

struct TaskWaker {
    id: u64,
    shared: Weak<Shared>,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let Some(shared) = self.shared.upgrade() else { return };
        lock(&shared.ready).insert(self.id);
        shared.is_due.store(true, Ordering::SeqCst);
        if shared.stepping.load(Ordering::SeqCst) == 0 {
            for (_, bell) in &*lock(&shared.bells) {
                bell.ring();
            }
        }
    }
}

#[cfg(test)]
mod tests;
