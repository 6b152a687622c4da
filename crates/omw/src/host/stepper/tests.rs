use std::thread;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use tokio_util::sync::CancellationToken;

use super::super::StopSignal;
use super::super::inbox::Inbox;
use super::*;

#[derive(Default)]
struct Counted(AtomicUsize);

impl Bell for Counted {
    fn ring(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Counted {
    fn rings(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Tasks that write their names to a log once a token is cancelled.
struct Logged {
    stepper: Stepper,
    log: Arc<Mutex<Vec<&'static str>>>,
}

impl Logged {
    fn new() -> Self {
        Self { stepper: Stepper::new(Handle::current()), log: Arc::default() }
    }

    fn start(&self, name: &'static str, token: &CancellationToken) -> StepTask {
        let (log, token) = (Arc::clone(&self.log), token.clone());
        self.stepper.start(token.cancelled_owned().map(move |()| lock(&log).push(name)).boxed())
    }

    fn log(&self) -> Vec<&'static str> {
        lock(&self.log).clone()
    }
}

#[tokio::test]
async fn a_task_does_at_once_what_it_can() {
    let tasks = Logged::new();
    let stepper = &tasks.stepper;
    let done = CancellationToken::new();
    done.cancel();
    tasks.start("a", &done);
    assert_eq!(tasks.log(), ["a"]);
    assert!(lock(&stepper.0.tasks).is_empty());
}

#[tokio::test]
async fn woken_tasks_are_polled_in_the_order_they_were_started_in() {
    let tasks = Logged::new();
    let stepper = &tasks.stepper;
    let (first, second) = (CancellationToken::new(), CancellationToken::new());
    let _tasks = [tasks.start("a", &second), tasks.start("b", &first), tasks.start("c", &second)];
    second.cancel();
    first.cancel();
    assert!(tasks.log().is_empty(), "only a step polls");
    stepper.step();
    assert_eq!(tasks.log(), ["a", "b", "c"]);
    assert!(!stepper.is_due());
}

#[tokio::test]
async fn a_step_goes_on_with_what_it_has_made_ready() {
    let tasks = Logged::new();
    let stepper = &tasks.stepper;
    let (first, second) = (CancellationToken::new(), CancellationToken::new());
    let _waits = tasks.start("b", &second);
    let (opened, opens) = (first.clone(), second.clone());
    let _opens = stepper.start(
        async move {
            opened.cancelled().await;
            opens.cancel();
        }
        .boxed(),
    );
    first.cancel();
    stepper.step();
    assert_eq!(tasks.log(), ["b"]);
}

#[tokio::test]
async fn a_cancelled_task_does_nothing_any_more() {
    let tasks = Logged::new();
    let stepper = &tasks.stepper;
    let token = CancellationToken::new();
    let task = tasks.start("a", &token);
    token.cancel();
    task.cancel();
    stepper.step();
    assert!(tasks.log().is_empty());
}

#[tokio::test]
async fn a_task_that_always_wakes_itself_does_not_keep_the_agent() {
    let stepper = Stepper::new(Handle::current());
    let forever = futures::future::poll_fn(|context| {
        context.waker().wake_by_ref();
        Poll::Pending
    });
    let _task = stepper.start(forever.boxed());
    stepper.step();
    assert!(stepper.is_due());
}

#[tokio::test]
async fn a_panic_ends_the_task_alone() {
    let tasks = Logged::new();
    let stepper = &tasks.stepper;
    let token = CancellationToken::new();
    let panics = token.clone();
    let _panics = stepper.start(
        async move {
            panics.cancelled().await;
            panic!("a bug")
        }
        .boxed(),
    );
    let _task = tasks.start("a", &token);
    token.cancel();
    stepper.step();
    assert_eq!(tasks.log(), ["a"]);
}

#[tokio::test]
async fn a_bell_rings_only_while_nobody_is_about_to_step() {
    let tasks = Logged::new();
    let stepper = &tasks.stepper;
    let tokens = [(); 4].map(|()| CancellationToken::new());
    let _tasks = [
        tasks.start("a", &tokens[0]),
        tasks.start("b", &tokens[1]),
        tasks.start("c", &tokens[2]),
        tasks.start("d", &tokens[3]),
    ];
    let bell = Arc::new(Counted::default());
    let parked = stepper.park(bell.clone());

    let boundary = stepper.boundary();
    tokens[0].cancel();
    assert_eq!(bell.rings(), 0, "the thread in the boundary steps itself");
    drop(boundary);
    assert_eq!(tasks.log(), ["a"]);

    tokens[1].cancel();
    assert_eq!(bell.rings(), 1);

    let boundary = stepper.boundary();
    boundary.pause(|| {
        assert_eq!(tasks.log(), ["a", "b"], "waiting begins with a step");
        tokens[2].cancel();
        assert_eq!(bell.rings(), 2);
    });
    drop(boundary);
    drop(parked);

    tokens[3].cancel();
    assert_eq!(bell.rings(), 2, "an agent that no longer waits is left alone");
    assert!(stepper.is_due());
}

/// However the threads interleave, somebody polls: the agent that waits, or the one that is in a boundary.
#[tokio::test]
async fn no_wake_is_lost_between_an_agent_that_steps_and_one_that_waits() {
    const PATIENCE: Duration = Duration::from_secs(10);
    let tasks = Logged::new();
    let (stepper, inbox) = (&tasks.stepper, Arc::new(Inbox::new("alice".into(), 1)));
    for round in 0..1_000 {
        let token = CancellationToken::new();
        let _task = tasks.start("done", &token);
        let deadline = Instant::now() + PATIENCE;
        thread::scope(|scope| {
            scope.spawn(|| {
                let boundary = (round % 2 == 0).then(|| stepper.boundary());
                token.cancel();
                drop(boundary);
            });
            while tasks.log().len() <= round {
                assert!(Instant::now() < deadline, "lost in round {round}");
                let parked = stepper.park(Arc::clone(&inbox) as _);
                if !stepper.is_due() {
                    // A thread in a boundary polls the task itself, and then rings for nobody.
                    let soon = Instant::now() + Duration::from_millis(1);
                    inbox.wait(&StopSignal::new(), Some(if round % 2 == 0 { soon } else { deadline }));
                }
                drop(parked);
                stepper.step();
            }
        });
    }
}
