//! Decides which case starts, which has to leave, and when all is over. Takes one event, returns what to do.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use super::options::Options;

/// Something that happened to the cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// The suite begins.
    Begin,
    /// A case ended by itself; `failed` if the test said no or could not be carried out.
    Finished {
        /// Its index.
        case: usize,
        /// Whether it counts for `fail_fast`.
        failed: bool,
    },
    /// A deadline may have passed.
    Tick,
    /// Somebody wants the suite to end.
    Interrupted,
}

/// What to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Start the case.
    Start(usize),
    /// Ask the case to tear down and return.
    Cancel(usize),
    /// Stop waiting for the case and drop it.
    Abort(usize),
    /// Report the case, which is over.
    Conclude {
        /// Its index.
        case: usize,
        /// Why it was asked to leave, if it was.
        cut: Option<Cut>,
    },
    /// Tell that nothing more is started.
    AnnounceCancelled,
}

/// Why a case was asked to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Its time was over.
    TimeLimit,
    /// The suite was interrupted.
    Interrupt,
}

/// How far the suite is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Cases start as there is room.
    Starting,
    /// A failure under `fail_fast`: no case starts any more, running ones go on.
    Failed,
    /// Interrupted once: no case starts, running ones leave.
    Leaving,
    /// Interrupted twice: nothing is waited for.
    GivenUp,
}

/// The state of a suite's cases.
#[derive(Debug)]
pub(super) struct Dispatcher {
    queues: Vec<Queue>,
    running: BTreeMap<usize, Running>,
    phase: Phase,
    jobs: usize,
    fail_fast: bool,
    case_timeout: Duration,
    grace: Duration,
}

/// The waiting cases of one resource, in order.
#[derive(Debug)]
struct Queue {
    waiting: VecDeque<usize>,
    running: usize,
    limit: usize,
}

#[derive(Debug, Clone, Copy)]
struct Running {
    queue: usize,
    /// When its time, or its grace, is over.
    deadline: Instant,
    cut: Option<Cut>,
}

impl Dispatcher {
    /// The dispatcher of cases with these resources, in this order.
    pub(super) fn new<'a>(resources: impl IntoIterator<Item = &'a str>, options: &Options) -> Self {
        let jobs = options.jobs.max(1);
        let mut queues: Vec<Queue> = Vec::new();
        let mut by_resource: HashMap<&str, usize> = HashMap::new();
        for (case, resource) in resources.into_iter().enumerate() {
            let queue = *by_resource.entry(resource).or_insert_with(|| {
                let limit = options.resources.get(resource).map_or(jobs, |limit| (*limit).max(1));
                queues.push(Queue { waiting: VecDeque::new(), running: 0, limit });
                queues.len() - 1
            });
            if let Some(queue) = queues.get_mut(queue) {
                queue.waiting.push_back(case);
            }
        }
        Self {
            queues,
            running: BTreeMap::new(),
            phase: Phase::Starting,
            jobs,
            fail_fast: options.fail_fast,
            case_timeout: options.case_timeout,
            grace: options.grace,
        }
    }

    /// What to do about an event.
    pub(super) fn handle(&mut self, event: Event, now: Instant) -> Vec<Action> {
        let mut actions = Vec::new();
        match event {
            Event::Begin => {}
            Event::Finished { case, failed } => self.finished(case, failed, &mut actions),
            Event::Tick => self.tick(now, &mut actions),
            Event::Interrupted => self.interrupted(now, &mut actions),
        }
        self.fill(now, &mut actions);
        actions
    }

    /// When the next deadline passes.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.running.values().map(|running| running.deadline).min()
    }

    /// Whether nothing runs and nothing will start.
    pub(super) fn is_over(&self) -> bool {
        self.running.is_empty() && (self.phase != Phase::Starting || self.not_started() == 0)
    }

    /// Cases that were never started.
    pub(super) fn not_started(&self) -> usize {
        self.queues.iter().map(|queue| queue.waiting.len()).sum()
    }

    /// How far the suite is.
    pub(super) fn phase(&self) -> Phase {
        self.phase
    }

    fn finished(&mut self, case: usize, failed: bool, actions: &mut Vec<Action>) {
        if let Some(Running { cut, .. }) = self.take(case) {
            actions.push(Action::Conclude { case, cut });
            if failed && self.fail_fast && self.phase == Phase::Starting {
                self.phase = Phase::Failed;
            }
        }
    }

    fn tick(&mut self, now: Instant, actions: &mut Vec<Action>) {
        let due: Vec<usize> = self
            .running
            .iter()
            .filter(|(_, running)| running.deadline <= now)
            .map(|(case, _)| *case)
            .collect();
        for case in due {
            match self.running.get_mut(&case) {
                Some(running) if running.cut.is_none() => {
                    running.cut = Some(Cut::TimeLimit);
                    running.deadline = now + self.grace;
                    actions.push(Action::Cancel(case));
                }
                _ => self.abort(case, actions),
            }
        }
    }

    fn interrupted(&mut self, now: Instant, actions: &mut Vec<Action>) {
        match self.phase {
            Phase::Starting | Phase::Failed => {
                self.phase = Phase::Leaving;
                actions.push(Action::AnnounceCancelled);
                for (case, running) in self.running.iter_mut().filter(|(_, running)| running.cut.is_none()) {
                    running.cut = Some(Cut::Interrupt);
                    running.deadline = now + self.grace;
                    actions.push(Action::Cancel(*case));
                }
            }
            Phase::Leaving => {
                self.phase = Phase::GivenUp;
                let running: Vec<usize> = self.running.keys().copied().collect();
                for case in running {
                    self.abort(case, actions);
                }
            }
            Phase::GivenUp => {}
        }
    }

    fn abort(&mut self, case: usize, actions: &mut Vec<Action>) {
        if let Some(Running { cut, .. }) = self.take(case) {
            actions.push(Action::Abort(case));
            actions.push(Action::Conclude { case, cut });
            if self.fail_fast && self.phase == Phase::Starting {
                self.phase = Phase::Failed;
            }
        }
    }

    fn take(&mut self, case: usize) -> Option<Running> {
        let running = self.running.remove(&case)?;
        if let Some(queue) = self.queues.get_mut(running.queue) {
            queue.running -= 1;
        }
        Some(running)
    }

    /// Starts the earliest cases whose resource has room.
    fn fill(&mut self, now: Instant, actions: &mut Vec<Action>) {
        while self.phase == Phase::Starting && self.running.len() < self.jobs {
            let next = self
                .queues
                .iter()
                .enumerate()
                .filter(|(_, queue)| queue.running < queue.limit)
                .filter_map(|(index, queue)| queue.waiting.front().map(|case| (*case, index)))
                .min();
            let Some((case, index)) = next else { return };
            if let Some(queue) = self.queues.get_mut(index) {
                queue.waiting.pop_front();
                queue.running += 1;
            }
            let deadline = now + self.case_timeout;
            self.running.insert(case, Running { queue: index, deadline, cut: None });
            actions.push(Action::Start(case));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Action::{Abort, AnnounceCancelled, Cancel, Conclude, Start};
    use super::*;

    const LIMIT: Duration = Duration::from_secs(300);
    const GRACE: Duration = Duration::from_secs(5);

    fn options(jobs: usize) -> Options {
        Options { jobs, case_timeout: LIMIT, grace: GRACE, ..Options::default() }
    }

    fn done(case: usize) -> Event {
        Event::Finished { case, failed: false }
    }

    fn failed(case: usize) -> Event {
        Event::Finished { case, failed: true }
    }

    fn concluded(case: usize) -> Action {
        Conclude { case, cut: None }
    }

    #[test]
    fn cases_start_in_order_and_no_more_than_jobs() {
        let now = Instant::now();
        let mut dispatcher = Dispatcher::new(["r"; 4], &options(2));
        assert_eq!(dispatcher.handle(Event::Begin, now), [Start(0), Start(1)]);
        assert_eq!(dispatcher.handle(done(1), now), [concluded(1), Start(2)]);
        assert_eq!(dispatcher.handle(done(2), now), [concluded(2), Start(3)]);
        assert_eq!(dispatcher.handle(done(0), now), [concluded(0)]);
        assert!(!dispatcher.is_over());
        assert_eq!(dispatcher.handle(done(3), now), [concluded(3)]);
        assert!(dispatcher.is_over());
        assert_eq!((dispatcher.phase(), dispatcher.not_started()), (Phase::Starting, 0));
    }

    #[test]
    fn a_full_resource_does_not_hold_up_the_others() {
        let now = Instant::now();
        let options = Options { resources: HashMap::from([("slow".to_owned(), 1)]), ..options(3) };
        let mut dispatcher = Dispatcher::new(["slow", "slow", "fast", "slow", "fast"], &options);
        assert_eq!(dispatcher.handle(Event::Begin, now), [Start(0), Start(2), Start(4)]);
        assert_eq!(dispatcher.handle(done(2), now), [concluded(2)], "the next slow one has to wait");
        assert_eq!(dispatcher.handle(done(0), now), [concluded(0), Start(1)]);
        assert_eq!(dispatcher.handle(done(1), now), [concluded(1), Start(3)]);
    }

    #[test]
    fn zero_jobs_and_zero_resources_count_as_one() {
        let options = Options { resources: HashMap::from([("r".to_owned(), 0)]), ..options(0) };
        let mut dispatcher = Dispatcher::new(["r", "r"], &options);
        assert_eq!(dispatcher.handle(Event::Begin, Instant::now()), [Start(0)]);
    }

    #[test]
    fn a_case_over_its_time_is_cancelled_then_aborted_and_its_place_is_free() {
        let now = Instant::now();
        let mut dispatcher = Dispatcher::new(["r"; 2], &options(1));
        dispatcher.handle(Event::Begin, now);
        assert_eq!(dispatcher.next_deadline(), Some(now + LIMIT));
        assert_eq!(dispatcher.handle(Event::Tick, now + LIMIT / 2), []);
        assert_eq!(dispatcher.handle(Event::Tick, now + LIMIT), [Cancel(0)]);
        assert_eq!(dispatcher.next_deadline(), Some(now + LIMIT + GRACE));
        let cut = Some(Cut::TimeLimit);
        assert_eq!(
            dispatcher.handle(Event::Tick, now + LIMIT + GRACE),
            [Abort(0), Conclude { case: 0, cut }, Start(1)]
        );
        assert_eq!(dispatcher.handle(done(0), now + LIMIT + GRACE), [], "its late end is nobody's business");
    }

    #[test]
    fn a_case_that_leaves_within_its_grace_is_not_aborted() {
        let now = Instant::now();
        let mut dispatcher = Dispatcher::new(["r"], &options(1));
        dispatcher.handle(Event::Begin, now);
        dispatcher.handle(Event::Tick, now + LIMIT);
        let cut = Some(Cut::TimeLimit);
        assert_eq!(dispatcher.handle(done(0), now + LIMIT), [Conclude { case: 0, cut }]);
        assert!(dispatcher.is_over());
    }

    #[test]
    fn the_first_interrupt_lets_running_cases_leave_the_second_gives_up_the_third_is_nothing() {
        let now = Instant::now();
        let mut dispatcher = Dispatcher::new(["r"; 3], &options(2));
        dispatcher.handle(Event::Begin, now);
        assert_eq!(dispatcher.handle(Event::Interrupted, now), [AnnounceCancelled, Cancel(0), Cancel(1)]);
        let cut = Some(Cut::Interrupt);
        assert_eq!(dispatcher.handle(failed(0), now), [Conclude { case: 0, cut }]);
        assert!(!dispatcher.is_over());
        assert_eq!(dispatcher.handle(Event::Interrupted, now), [Abort(1), Conclude { case: 1, cut }]);
        assert!(dispatcher.is_over());
        assert_eq!(dispatcher.handle(Event::Interrupted, now), []);
        assert_eq!((dispatcher.phase(), dispatcher.not_started()), (Phase::GivenUp, 1));
    }

    #[test]
    fn a_case_that_ignores_the_interrupt_is_aborted_after_its_grace() {
        let now = Instant::now();
        let mut dispatcher = Dispatcher::new(["r"], &options(1));
        dispatcher.handle(Event::Begin, now);
        dispatcher.handle(Event::Interrupted, now);
        let cut = Some(Cut::Interrupt);
        assert_eq!(dispatcher.handle(Event::Tick, now + GRACE), [Abort(0), Conclude { case: 0, cut }]);
    }

    #[test]
    fn an_interrupt_does_not_extend_the_grace_of_a_case_over_its_time() {
        let now = Instant::now();
        let mut dispatcher = Dispatcher::new(["r"], &options(1));
        dispatcher.handle(Event::Begin, now);
        dispatcher.handle(Event::Tick, now + LIMIT);
        assert_eq!(dispatcher.handle(Event::Interrupted, now + LIMIT + GRACE / 2), [AnnounceCancelled]);
        assert_eq!(dispatcher.next_deadline(), Some(now + LIMIT + GRACE));
    }

    #[test]
    fn fail_fast_starts_nothing_more_and_lets_running_cases_end() {
        let now = Instant::now();
        let options = Options { fail_fast: true, ..options(2) };
        let mut dispatcher = Dispatcher::new(["r"; 4], &options);
        dispatcher.handle(Event::Begin, now);
        assert_eq!(dispatcher.handle(failed(0), now), [concluded(0)]);
        assert!(!dispatcher.is_over());
        assert_eq!(dispatcher.handle(done(1), now), [concluded(1)]);
        assert!(dispatcher.is_over());
        assert_eq!((dispatcher.phase(), dispatcher.not_started()), (Phase::Failed, 2));
    }

    #[test]
    fn without_fail_fast_a_failure_changes_nothing() {
        let now = Instant::now();
        let mut dispatcher = Dispatcher::new(["r"; 2], &options(1));
        dispatcher.handle(Event::Begin, now);
        assert_eq!(dispatcher.handle(failed(0), now), [concluded(0), Start(1)]);
    }

    #[test]
    fn no_cases_are_over_at_once() {
        let mut dispatcher = Dispatcher::new([], &options(1));
        assert_eq!(dispatcher.handle(Event::Begin, Instant::now()), []);
        assert!(dispatcher.is_over());
    }
}
