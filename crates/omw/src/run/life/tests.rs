//! A test for each row of the table of [`Life::on`].

use std::time::Duration;

use super::{Happening, Life, Policy, Step};
use crate::exchange::Event;
use crate::host::trace::RunOutcome;
use crate::host::{RunEnd, StopReason};
use crate::run::backoff::Backoff;
use crate::run::brain_thread::BrainEnd;
use crate::run::control::Order;

const GRACE: Duration = Duration::from_secs(5);
const BUDGET: Duration = Duration::from_secs(1);

fn policy(repeat: bool, watch: bool) -> Policy {
    let backoff = Backoff::new(Duration::from_millis(100), Duration::from_millis(300));
    Policy { repeat, watch, grace: GRACE, budget: BUDGET, backoff }
}

/// A life that has begun, and what has happened in it since.
fn lived(repeat: bool, watch: bool, happenings: impl IntoIterator<Item = Happening>) -> Life {
    let (mut life, steps) = Life::begin(policy(repeat, watch), None);
    assert_eq!(steps, [Step::Start]);
    for happening in happenings {
        life.on(happening);
    }
    life
}

fn completed() -> Happening {
    Happening::Ended(BrainEnd::Returned(None))
}

fn failed(text: &str) -> Happening {
    Happening::Ended(BrainEnd::Failed(text.into()))
}

fn ended(end: RunEnd, outcome: RunOutcome) -> [Step; 2] {
    [Step::Close(end), Step::Conclude(outcome)]
}

const SHUT_DOWN: Happening = Happening::Ordered(Order::ShutDown);
const HALT: Happening = Happening::Ordered(Order::Halt);
const STOP: Happening = Happening::Ordered(Order::Stop);
const STOPPED: Happening = Happening::Ended(BrainEnd::Stopped);

#[test]
fn an_order_before_the_start_keeps_the_brain_from_running() {
    for order in [Order::ShutDown, Order::Halt, Order::Stop] {
        let (mut life, steps) = Life::begin(policy(true, true), Some(order));
        assert_eq!(steps, [Step::Conclude(RunOutcome::Stopped)]);
        assert_eq!(life.on(Happening::Edited), []);
    }
}

#[test]
fn a_brain_that_ends_by_itself_concludes_a_plain_run() {
    let ends = [
        (BrainEnd::Returned(None), RunOutcome::Completed),
        (BrainEnd::Returned(Some(String::new())), RunOutcome::Exited(String::new())),
        (BrainEnd::Failed("no".into()), RunOutcome::Failed("no".into())),
        (BrainEnd::Stopped, RunOutcome::Stopped),
    ];
    for (end, outcome) in ends {
        assert_eq!(lived(false, false, []).on(Happening::Ended(end)), ended(RunEnd::Ended, outcome));
    }
}

#[test]
fn a_shutdown_asks_then_interrupts_then_abandons() {
    let mut life = lived(false, false, []);
    let asked = [Step::Tell(Event::Shutdown), Step::Request(StopReason::ShuttingDown), Step::Wait(GRACE)];
    assert_eq!(life.on(SHUT_DOWN), asked);
    assert_eq!(life.on(SHUT_DOWN), [], "once is enough");
    assert_eq!(life.on(Happening::Edited), [], "nobody needs the new script");
    assert_eq!(life.on(Happening::TimeUp), [Step::Interrupt(StopReason::ShuttingDown), Step::Wait(BUDGET)]);
    assert_eq!(life.on(HALT), []);
    assert_eq!(life.on(Happening::TimeUp), [Step::Abandon]);
    let abandoned = Happening::Ended(BrainEnd::Abandoned("it was in recv".into()));
    assert_eq!(life.on(abandoned), ended(RunEnd::Stopped, RunOutcome::Failed("it was in recv".into())));
    assert_eq!(life.on(Happening::Edited), []);
}

#[test]
fn an_end_at_once_interrupts_without_a_grace() {
    for (order, reason) in [(HALT, StopReason::ShuttingDown), (STOP, StopReason::Stopped)] {
        for before in [vec![], vec![SHUT_DOWN], vec![Happening::Edited]] {
            let mut life = lived(true, true, before);
            assert_eq!(life.on(order.clone()), [Step::Interrupt(reason), Step::Wait(BUDGET)]);
            assert_eq!(life.on(STOPPED), ended(RunEnd::Stopped, RunOutcome::Stopped));
        }
    }
}

#[test]
fn a_brain_that_does_not_catch_its_stop_has_not_failed() {
    let uncaught = || failed("Runtime error: agent shutting down (line 3, position 9)");
    let stopped = ended(RunEnd::Stopped, RunOutcome::Stopped);
    assert_eq!(lived(false, false, [SHUT_DOWN]).on(uncaught()), stopped);
    assert_eq!(lived(false, false, [STOP]).on(failed("anything")), stopped);

    let failure = ended(RunEnd::Stopped, RunOutcome::Failed("tidying up went wrong".into()));
    assert_eq!(lived(false, false, [SHUT_DOWN]).on(failed("tidying up went wrong")), failure);
    let exited = ended(RunEnd::Stopped, RunOutcome::Exited("bye".into()));
    let bye = Happening::Ended(BrainEnd::Returned(Some("bye".into())));
    assert_eq!(lived(false, false, [SHUT_DOWN]).on(bye), exited);
}

#[test]
fn an_edit_asks_the_brain_to_make_room() {
    let mut life = lived(false, true, []);
    let asked = [Step::Tell(Event::Reload), Step::Request(StopReason::Reloading), Step::Wait(GRACE)];
    assert_eq!(life.on(Happening::Edited), asked);
    assert_eq!(life.on(Happening::Edited), [], "the newest script takes over anyway");
    assert_eq!(life.on(Happening::Rejected("bad".into())), []);
    assert_eq!(life.on(failed("agent reloading")), [Step::Close(RunEnd::Reloaded), Step::Start]);
    assert_eq!(life.on(Happening::TimeUp), [], "the wait was the old brain's");
}

#[test]
fn a_brain_that_does_not_make_room_is_left_behind_and_replaced() {
    let mut life = lived(false, true, [Happening::Edited]);
    assert_eq!(life.on(Happening::TimeUp), [Step::Interrupt(StopReason::Reloading), Step::Wait(BUDGET)]);
    assert_eq!(life.on(Happening::TimeUp), [Step::Abandon]);
    let abandoned = Happening::Ended(BrainEnd::Abandoned("it was in its own code".into()));
    assert_eq!(life.on(abandoned), [Step::Close(RunEnd::Reloaded), Step::Start]);
}

#[test]
fn a_bad_edit_is_told_and_changes_nothing() {
    let mut life = lived(false, true, []);
    assert_eq!(life.on(Happening::Rejected("bad".into())), [Step::Tell(Event::Error("bad".into()))]);
    assert_eq!(life.on(completed()), [Step::Close(RunEnd::Repeated)]);
}

#[test]
fn a_shutdown_outdoes_a_reload() {
    let mut life = lived(false, true, [Happening::Edited]);
    assert_eq!(life.on(SHUT_DOWN).first(), Some(&Step::Tell(Event::Shutdown)));
    assert_eq!(life.on(failed("agent reloading")), ended(RunEnd::Stopped, RunOutcome::Stopped));

    let mut life = lived(false, true, [Happening::Edited, Happening::TimeUp]);
    assert_eq!(life.on(SHUT_DOWN), [], "it is interrupted already");
    assert_eq!(life.on(STOPPED), ended(RunEnd::Stopped, RunOutcome::Stopped));
}

#[test]
fn a_watched_agent_that_ended_waits_for_an_edit() {
    for (end, outcome) in
        [(completed(), RunOutcome::Completed), (failed("no"), RunOutcome::Failed("no".into()))]
    {
        let mut life = lived(false, true, []);
        assert_eq!(life.on(end.clone()), [Step::Close(RunEnd::Repeated)]);
        assert_eq!(life.on(Happening::TimeUp), []);
        assert_eq!(life.on(Happening::Rejected("bad".into())), [], "nobody listens");
        assert_eq!(life.on(Happening::Edited), [Step::Start]);
        life.on(end);
        assert_eq!(life.on(SHUT_DOWN), ended(RunEnd::Stopped, outcome));
    }
}

#[test]
fn a_repeated_agent_starts_at_once_after_a_success_and_later_after_a_failure() {
    let mut life = lived(true, false, []);
    assert_eq!(life.on(completed()), [Step::Close(RunEnd::Repeated), Step::Start]);
    for pause in [100, 200, 300, 300] {
        let pause = Duration::from_millis(pause);
        assert_eq!(life.on(failed("no")), [Step::Close(RunEnd::Repeated), Step::Wait(pause)]);
        assert_eq!(life.on(Happening::TimeUp), [Step::Start]);
    }
    life.on(completed());
    assert_eq!(life.on(failed("no")).last(), Some(&Step::Wait(Duration::from_millis(100))));
    let failed = ended(RunEnd::Stopped, RunOutcome::Failed("no".into()));
    assert_eq!(life.on(SHUT_DOWN), failed, "the pause ends early");
}

#[test]
fn an_edit_ends_a_pause_and_forgets_the_failures() {
    let mut life = lived(true, true, [failed("no"), Happening::TimeUp, failed("no")]);
    assert_eq!(life.on(Happening::Edited), [Step::Start]);
    assert_eq!(life.on(failed("no")).last(), Some(&Step::Wait(Duration::from_millis(100))));
}
