use std::time::Duration;

use serde_json::{Value, json};

use super::*;

fn judge(assertions: &Value) -> Judge {
    let assertions = Assertions::of_value(assertions, ["alice", "bob", "carol"]).unwrap();
    Judge::new(&assertions, Keep::Latest)
}

fn call(agent: &str, op: &'static str) -> TraceEvent {
    TraceEvent::Call { agent: agent.into(), op: op.into(), uuid: None, detail: json!({}) }
}

fn end(agent: &str, outcome: RunOutcome) -> TraceEvent {
    TraceEvent::Outcome { agent: agent.into(), outcome }
}

fn failed(agent: &str) -> TraceEvent {
    end(agent, RunOutcome::Failed("boom".into()))
}

fn stop(agent: &str) -> Order {
    Order::Stop(agent.into())
}

/// Every agent's name, and `ok` or the first lines of its flaws.
fn verdicts(mut judge: Judge) -> Vec<(String, String)> {
    let shown = |report: AgentReport| {
        let flaws = report.flaws.iter().map(|flaw| {
            let text = flaw.to_string();
            text.lines().next().unwrap_or_default().to_owned()
        });
        let flaws: Vec<_> = flaws.collect();
        (report.agent, if flaws.is_empty() { "ok".to_owned() } else { flaws.join("; ") })
    };
    judge.close(&Flaw::NoEnd).agents.into_iter().map(shown).collect()
}

fn ok(agents: &[&str]) -> Vec<(String, String)> {
    agents.iter().map(|agent| ((*agent).to_owned(), "ok".to_owned())).collect()
}

#[test]
fn an_asserted_agent_is_stopped_by_the_event_that_settles_it() {
    let chat = json!([{"kind": "call", "op": "chat"}]);
    let mut judge = judge(&json!({
        "alice": {"outcome": "asserted", "events": chat},
        "bob": {"outcome": "asserted", "events": chat},
    }));
    assert_eq!(judge.begin(), []);
    assert_eq!(judge.see(call("alice", "whoami")), Order::GoOn);
    assert_eq!(judge.see(call("alice", "chat")), stop("alice"));
    assert_eq!(judge.see(call("alice", "chat")), Order::GoOn, "what it still does is nobody's concern");
    assert_eq!(judge.see(end("alice", RunOutcome::Stopped)), Order::GoOn);
    assert_eq!(judge.see(call("bob", "chat")), Order::Halt, "the last verdict ends the run");
    assert_eq!(verdicts(judge), ok(&["alice", "bob"]));
}

#[test]
fn an_asserted_agent_fails_at_the_first_event_that_cannot_be_made_good() {
    let events = json!([{"$never": {"kind": "call", "op": "chat"}}, {"kind": "call", "op": "whoami"}]);
    let mut judge = judge(&json!({"alice": {"outcome": "asserted", "events": events}}));
    assert_eq!(judge.see(call("alice", "chat")), Order::Halt);
    assert_eq!(verdicts(judge)[0].1, "expectation [0] was violated: $never {kind: \"call\", op: \"chat\"}");
}

#[test]
fn an_asserted_agent_that_ends_by_itself_is_judged_by_its_events() {
    let assertions = json!({
        "alice": {"outcome": "asserted", "events": [{"kind": "call", "op": "chat"}]},
        "bob": {"outcome": "asserted", "events": [{"kind": "call", "op": "chat"}]},
    });
    let mut judge = judge(&assertions);
    assert_eq!(judge.see(call("alice", "whoami")), Order::GoOn);
    assert_eq!(judge.see(end("alice", RunOutcome::Completed)), Order::GoOn, "it needs no stopping");
    assert_eq!(judge.see(failed("bob")), Order::Halt);
    let verdicts = verdicts(judge);
    assert!(verdicts[0].1.starts_with("expectation [0] was not met"), "{verdicts:?}");
    assert!(verdicts[1].1.starts_with("the brain failed: boom; expectation [0]"), "{verdicts:?}");
}

#[test]
fn a_failure_after_the_verdict_does_not_matter() {
    let mut judge = judge(&json!({"alice": {"outcome": "asserted", "events": [{"kind": "call"}]}}));
    assert_eq!(judge.see(call("alice", "chat")), Order::Halt);
    assert_eq!(judge.see(failed("alice")), Order::GoOn);
    assert_eq!(verdicts(judge), ok(&["alice"]));
}

#[test]
fn lists_without_an_anchor_are_settled_before_the_run() {
    let run_of_chats = json!([{"$while": {"kind": "call", "op": "chat"}}]);
    let both = json!({
        "alice": {"outcome": "asserted"},
        "bob": {"outcome": "asserted", "events": run_of_chats},
    });
    let mut first = judge(&both);
    assert_eq!(first.begin(), [Order::Halt]);
    assert_eq!(first.see(failed("alice")), Order::GoOn);
    assert_eq!(verdicts(first), ok(&["alice", "bob"]));

    let one = json!({"alice": {"outcome": "asserted"}, "bob": {"outcome": "completed"}});
    let mut second = judge(&one);
    assert_eq!(second.begin(), [stop("alice")]);
    assert_eq!(second.see(end("bob", RunOutcome::Completed)), Order::Halt);
}

#[test]
fn without_an_asserted_agent_the_run_ends_by_itself() {
    let mut judge = judge(&json!({
        "alice": {"events": [{"kind": "call", "op": "chat"}]},
        "bob": {"outcome": {"exited": "4"}},
    }));
    assert_eq!(judge.see(call("alice", "chat")), Order::GoOn, "an agent that is not asserted runs on");
    assert_eq!(judge.see(end("alice", RunOutcome::Exited("x".into()))), Order::GoOn);
    assert_eq!(judge.see(end("bob", RunOutcome::Completed)), Order::GoOn);
    assert_eq!(
        verdicts(judge),
        [("alice".to_owned(), "ok".to_owned()), ("bob".to_owned(), "outcome mismatch".to_owned())]
    );
}

#[test]
fn an_asserted_agent_waits_for_the_others_before_the_run_is_ended() {
    let mut judge =
        judge(&json!({"alice": {"outcome": "asserted", "events": [{"kind": "call"}]}, "bob": {}}));
    assert_eq!(judge.see(call("alice", "chat")), stop("alice"));
    assert_eq!(judge.see(end("bob", RunOutcome::Completed)), Order::Halt);
}

/// The order of the two never makes a difference.
#[test]
fn the_failure_of_an_agent_that_is_not_named_counts_only_where_the_run_ends_by_itself() {
    let asserted = json!({"alice": {"outcome": "asserted", "events": [{"kind": "call"}]}});
    let completed = json!({"alice": {"outcome": "completed"}});
    let settling = [call("alice", "chat"), end("alice", RunOutcome::Completed)];
    for (assertions, counts) in [(&asserted, false), (&completed, true), (&json!({}), true)] {
        for bob_is_first in [true, false] {
            let mut judge = judge(assertions);
            let mut events = settling.to_vec();
            events.insert(if bob_is_first { 0 } else { 2 }, failed("bob"));
            for event in events {
                judge.see(event);
            }
            let judgement = judge.close(&Flaw::NoEnd);
            assert_eq!(judgement.strangers, [("bob".to_owned(), "boom".to_owned())]);
            assert_eq!(judgement.strangers_count, counts, "{assertions}, bob first: {bob_is_first}");
            assert!(judgement.agents.iter().all(AgentReport::passed));
        }
    }
}

#[test]
fn the_end_of_the_time_is_a_verdict_like_any_other() {
    let chat = json!([{"kind": "call", "op": "chat"}]);
    let mut judge = judge(&json!({
        "alice": {"outcome": "asserted", "events": chat},
        "bob": {"outcome": "asserted", "events": chat},
        "carol": {"outcome": "completed"},
    }));
    judge.see(call("bob", "chat"));
    let whereabouts = Whereabouts {
        op: Some("recv"),
        in_call: true,
        since: Duration::from_millis(1_200),
        calls: 3,
        ..Whereabouts::default()
    };
    judge.time_out(&[("alice".to_owned(), whereabouts)].into());
    assert_eq!(judge.see(call("alice", "chat")), Order::GoOn, "it comes too late");
    let verdicts = verdicts(judge);
    assert!(verdicts[0].1.starts_with("timed out: in recv for 1.2 s"), "{verdicts:?}");
    assert!(verdicts[0].1.contains("expectation [0] was not met"), "{verdicts:?}");
    assert_eq!(verdicts[1].1, "ok");
    assert_eq!(verdicts[2].1, "timed out: it was not running");
}

#[test]
fn what_is_observed_ends_with_the_verdict() {
    let mut judge =
        judge(&json!({"alice": {"outcome": "asserted", "events": [{"kind": "call", "op": "chat"}]}}));
    for op in ["whoami", "chat", "whoami"] {
        judge.see(call("alice", op));
    }
    let report = judge.close(&Flaw::NoEnd).agents.remove(0);
    let observed: Vec<_> = report.observed.iter().map(|(_, event)| event.to_string()).collect();
    assert_eq!(observed, ["call whoami {}", "call chat {}"]);
    assert_eq!((report.cursor, report.expectations, report.outcome), (1, 1, None));
}

#[test]
fn a_trace_that_stops_before_its_agent_does_is_no_verdict() {
    let mut judge = judge(&json!({"alice": {"events": [{"kind": "call"}]}}));
    judge.see(call("alice", "chat"));
    assert_eq!(verdicts(judge)[0].1, "what was recorded ends before its run does");
}
