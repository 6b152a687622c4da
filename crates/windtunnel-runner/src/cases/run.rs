//! Runs cases: selects over what happens, and does what the dispatcher says.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use windtunnel_api::event::{CaseReport, CaseStatus, SuiteEvent};
use windtunnel_spi::{CaseContext, TestCase};

use super::conclude::{Limits, Remains, conclude};
use super::dispatcher::{Action, Dispatcher, Event, Phase};
use super::interrupts::Interrupts;
use super::options::Options;

/// Where a suite's events go. Reporters listen at the other end; nothing waits for them.
pub type EventSender = mpsc::UnboundedSender<SuiteEvent>;

/// How long aborted cases may take to drop what they hold.
const DROP_TIME: Duration = Duration::from_millis(500);

/// How a suite's cases ended.
#[derive(Debug, Clone, PartialEq)]
pub struct CasesRun {
    /// The reports of all cases that were started, in the order of the cases.
    pub reports: Vec<CaseReport>,
    /// Cases that were never started.
    pub not_run: usize,
    /// How it ended.
    pub ended: Ended,
}

/// How running cases ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every case ran to its end.
    Completed,
    /// A failure kept further cases from starting.
    FailedFast,
    /// An interrupt: running cases tore down.
    Interrupted,
    /// A second interrupt: running cases were dropped.
    GaveUp,
}

impl Ended {
    /// Whether an interrupt ended it.
    pub fn is_interrupt(self) -> bool {
        match self {
            Self::Completed | Self::FailedFast => false,
            Self::Interrupted | Self::GaveUp => true,
        }
    }
}

/// Runs cases, tells what happens, and returns their reports in the order of the cases.
///
/// A case that panics or passes its time limit is reported as [`TestCase::failed_to_run`] says; the others go on.
pub async fn run_cases(
    cases: Vec<Arc<dyn TestCase>>,
    options: &Options,
    events: &EventSender,
    interrupts: &mut Interrupts,
) -> CasesRun {
    let mut dispatcher = Dispatcher::new(cases.iter().map(|case| case.resource()), options);
    let mut floor = Floor::new(&cases, options, events);
    let mut actions: VecDeque<Action> = dispatcher.handle(Event::Begin, Instant::now()).into();
    loop {
        while let Some(action) = actions.pop_front() {
            floor.perform(action);
        }
        if dispatcher.is_over() {
            break;
        }
        let deadline = dispatcher.next_deadline();
        let event = tokio::select! {
            Some(joined) = floor.tasks.join_next_with_id() => match floor.returned(joined) {
                Some(event) => event,
                None => continue,
            },
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => Event::Tick,
            () = interrupts.next() => Event::Interrupted,
        };
        actions.extend(dispatcher.handle(event, Instant::now()));
    }
    let reports = floor.close().await;
    let ended = match dispatcher.phase() {
        Phase::Starting => Ended::Completed,
        Phase::Failed => Ended::FailedFast,
        Phase::Leaving => Ended::Interrupted,
        Phase::GivenUp => Ended::GaveUp,
    };
    CasesRun { reports, not_run: dispatcher.not_started(), ended }
}

/// The running cases.
struct Floor<'a> {
    cases: &'a [Arc<dyn TestCase>],
    limits: Limits,
    events: &'a EventSender,
    tasks: JoinSet<CaseReport>,
    by_task: HashMap<Id, usize>,
    running: HashMap<usize, Running>,
    remains: HashMap<usize, Remains>,
    reports: Vec<Option<CaseReport>>,
}

struct Running {
    since: Instant,
    cancel: CancellationToken,
    task: AbortHandle,
}

impl<'a> Floor<'a> {
    fn new(cases: &'a [Arc<dyn TestCase>], options: &Options, events: &'a EventSender) -> Self {
        Self {
            cases,
            limits: Limits { case_timeout: options.case_timeout, grace: options.grace },
            events,
            tasks: JoinSet::new(),
            by_task: HashMap::new(),
            running: HashMap::new(),
            remains: HashMap::new(),
            reports: vec![None; cases.len()],
        }
    }

    fn perform(&mut self, action: Action) {
        match action {
            Action::Start(case) => self.start(case),
            Action::Cancel(case) => {
                if let Some(running) = self.running.get(&case) {
                    running.cancel.cancel();
                }
            }
            Action::Abort(case) => {
                if let Some(running) = self.running.get(&case) {
                    self.by_task.remove(&running.task.id());
                    running.task.abort();
                }
            }
            Action::Conclude { case, cut } => {
                let remains = self.remains.remove(&case).unwrap_or(Remains::Nothing);
                let took =
                    self.running.remove(&case).map_or(Duration::ZERO, |running| running.since.elapsed());
                if let (Some(of), Some(slot)) = (self.cases.get(case), self.reports.get_mut(case)) {
                    let report = conclude(of.as_ref(), cut, remains, &self.limits, took);
                    tell(self.events, SuiteEvent::CaseFinished(Box::new(report.clone())));
                    *slot = Some(report);
                }
            }
            Action::AnnounceCancelled => tell(self.events, SuiteEvent::Cancelled),
        }
    }

    fn start(&mut self, index: usize) {
        let Some(case) = self.cases.get(index) else { return };
        tell(self.events, SuiteEvent::CaseStarted { id: case.id() });
        let cancel = CancellationToken::new();
        let context = CaseContext { cancel: cancel.clone() };
        let case = Arc::clone(case);
        let task = self.tasks.spawn(async move { case.run(context).await });
        self.by_task.insert(task.id(), index);
        self.running.insert(index, Running { since: Instant::now(), cancel, task });
    }

    /// Keeps what a task left; no event for a task that was aborted and reported already.
    fn returned(&mut self, joined: Result<(Id, CaseReport), JoinError>) -> Option<Event> {
        let (task, remains) = match joined {
            Ok((task, report)) => (task, Remains::Report(Box::new(report))),
            Err(error) => {
                let task = error.id();
                let remains = error
                    .try_into_panic()
                    .map_or(Remains::Nothing, |panic| Remains::Panic(panic_message(&*panic)));
                (task, remains)
            }
        };
        let case = self.by_task.remove(&task)?;
        let failed = match &remains {
            Remains::Report(report) => matches!(report.status, CaseStatus::Failed | CaseStatus::Errored),
            Remains::Panic(_) | Remains::Nothing => true,
        };
        self.remains.insert(case, remains);
        Some(Event::Finished { case, failed })
    }

    /// Waits a moment for aborted cases to drop what they hold, never for one that is stuck.
    async fn close(mut self) -> Vec<CaseReport> {
        let _ = timeout(DROP_TIME, async { while self.tasks.join_next().await.is_some() {} }).await;
        self.reports.into_iter().flatten().collect()
    }
}

/// Sends an event; that nobody listens any more is no concern of the suite.
pub(crate) fn tell(events: &EventSender, event: SuiteEvent) {
    let _ = events.send(event);
}

/// What a panic said.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Behaviour, ScriptedCase, drain, events};

    fn boxed(cases: Vec<ScriptedCase>) -> Vec<Arc<dyn TestCase>> {
        cases.into_iter().map(|case| Arc::new(case) as Arc<dyn TestCase>).collect()
    }

    async fn run(cases: Vec<ScriptedCase>, options: Options) -> (CasesRun, Vec<SuiteEvent>) {
        let (sender, mut receiver) = events();
        let run = run_cases(boxed(cases), &options, &sender, &mut Interrupts::never()).await;
        (run, drain(&mut receiver))
    }

    fn names(run: &CasesRun) -> Vec<(&str, CaseStatus)> {
        run.reports.iter().map(|report| (report.id.test.as_str(), report.status)).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn reports_come_in_case_order_whatever_finishes_first() {
        let cases = || {
            vec![
                ScriptedCase::sleeping("slow", 30),
                ScriptedCase::sleeping("quick", 1),
                ScriptedCase::sleeping("mid", 10),
            ]
        };
        let (alone, _) = run(cases(), Options::default()).await;
        let (together, told) = run(cases(), Options { jobs: 8, ..Options::default() }).await;
        assert_eq!(names(&alone), names(&together));
        let finished: Vec<_> = told
            .iter()
            .filter_map(|event| match event {
                SuiteEvent::CaseFinished(report) => Some(report.id.test.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(finished, ["quick", "mid", "slow"], "told in the order they finish");
    }

    #[tokio::test]
    async fn a_panic_is_the_report_of_its_case_and_the_others_go_on() {
        let cases = vec![ScriptedCase::new("bad", "r", Behaviour::Panic), ScriptedCase::passing("good", "r")];
        let (run, _) = run(cases, Options::default()).await;
        assert_eq!(names(&run), [("bad", CaseStatus::Errored), ("good", CaseStatus::Passed)]);
        assert_eq!(run.reports[0].detail, "it panicked: scripted panic of bad");
        assert_eq!(run.ended, Ended::Completed);
    }

    #[tokio::test(start_paused = true)]
    async fn a_case_over_its_limit_may_tear_down_and_its_report_names_the_limit() {
        let options = Options { case_timeout: Duration::from_secs(2), ..Options::default() };
        let cases = vec![ScriptedCase::sleeping("slow", 30_000), ScriptedCase::passing("next", "r")];
        let (run, _) = run(cases, options).await;
        assert_eq!(names(&run), [("slow", CaseStatus::Errored), ("next", CaseStatus::Passed)]);
        assert_eq!(run.reports[0].detail, "it passed the case limit of 2 s (timeouts.case_s)");
        assert_eq!(run.reports[0].workspace.as_deref(), Some("torn down"), "its own teardown ran");
    }

    #[tokio::test(start_paused = true)]
    async fn a_case_that_will_not_leave_is_aborted() {
        let options = Options {
            case_timeout: Duration::from_secs(2),
            grace: Duration::from_secs(5),
            ..Options::default()
        };
        let (run, _) = run(vec![ScriptedCase::new("stuck", "r", Behaviour::Stuck)], options).await;
        assert_eq!(
            run.reports[0].detail,
            "it passed the case limit of 2 s (timeouts.case_s), and had not torn down 5 s later"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_interrupt_lets_cases_tear_down() {
        let (sender, mut receiver) = events();
        let (interrupter, mut interrupts) = Interrupts::channel();
        let cases = boxed(vec![ScriptedCase::sleeping("a", 30_000), ScriptedCase::passing("never", "r")]);
        let options = Options::default();
        let suite = run_cases(cases, &options, &sender, &mut interrupts);
        let (run, ()) = tokio::join!(suite, async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            interrupter.interrupt();
        });
        assert_eq!(names(&run), [("a", CaseStatus::Cancelled)]);
        assert_eq!(run.reports[0].workspace.as_deref(), Some("torn down"));
        assert_eq!((run.ended, run.not_run), (Ended::Interrupted, 1));
        assert!(drain(&mut receiver).contains(&SuiteEvent::Cancelled));
    }

    #[tokio::test(start_paused = true)]
    async fn the_second_interrupt_gives_up_and_the_third_is_harmless() {
        let (sender, _receiver) = events();
        let (interrupter, mut interrupts) = Interrupts::channel();
        let cases = boxed(vec![ScriptedCase::new("stuck", "r", Behaviour::Stuck)]);
        let options = Options::default();
        let suite = run_cases(cases, &options, &sender, &mut interrupts);
        let (run, ()) = tokio::join!(suite, async {
            for _ in 0..3 {
                tokio::time::sleep(Duration::from_millis(10)).await;
                interrupter.interrupt();
            }
        });
        assert_eq!(run.ended, Ended::GaveUp);
        assert_eq!(run.reports[0].status, CaseStatus::Cancelled);
    }

    #[tokio::test]
    async fn a_closed_channel_stops_nothing() {
        let (sender, receiver) = events();
        drop(receiver);
        let cases = boxed(vec![ScriptedCase::passing("a", "r")]);
        let run = run_cases(cases, &Options::default(), &sender, &mut Interrupts::never()).await;
        assert_eq!(run.reports.len(), 1);
    }
}
