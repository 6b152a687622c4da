//! Lists of expectations over events that come one by one.

use Step::{Failed, Pending, Settled};
use serde_json::{Value, json};
use windtunnel_pattern::{FieldRule, Options, Reason, Sequence, Step};

use crate::common::{run, sequence};

fn options() -> Options {
    Options::new().whole_fields(["kind", "event"]).field("op", FieldRule::WordOrRegex)
}

fn chat() -> Value {
    json!({"kind": "call", "op": "chat", "detail": {"provider": "main", "model": "gpt-4", "messages": [], "tools": []}})
}

fn inbound(event: &str) -> Value {
    json!({"kind": "inbound", "event": event, "payload": {"kind": event}})
}

#[track_caller]
fn assert_steps(list: &Value, candidates: &[Value], steps: &[Step], matches: bool) {
    let (seen, verdict) = run(list, candidates, &options());
    assert_eq!(seen, steps, "{list}");
    assert_eq!(verdict.is_ok(), matches, "{list}: {verdict:?}");
}

#[test]
fn only_what_is_written_is_checked_in_its_order() {
    let list = json!([
        {"kind": "call", "op": "chat", "detail": {"model": "^gpt-"}},
        {"kind": "inbound", "event": "chat-delta"},
    ]);
    let events = [inbound("timer"), chat(), inbound("reload"), inbound("chat-delta"), inbound("error")];
    assert_steps(&list, &events, &[Pending, Pending, Pending, Settled, Settled], true);
    assert_steps(&list, &[inbound("chat-delta"), chat()], &[Pending, Pending], false);
}

#[test]
fn a_list_passes_as_soon_as_its_last_anchor_is_seen() {
    let mut events = vec![chat()];
    events.extend((0..100).map(|_| inbound("timer")));
    let steps = vec![Settled; events.len()];
    assert_steps(&json!([{"kind": "call", "op": "chat"}]), &events, &steps, true);
}

#[test]
fn a_run_is_stepped_over_up_to_the_next_anchor() {
    let list = json!([
        {"kind": "call", "op": "chat"},
        {"$while": {"kind": "inbound", "event": "chat-delta"}},
        {"$until": {"kind": "call", "op": "chat"}},
    ]);
    let delta = || inbound("chat-delta");
    let events = [chat(), delta(), delta(), inbound("chat-end"), chat()];
    assert_steps(&list, &events, &[Pending, Pending, Pending, Pending, Settled], true);
    // An empty run; the second chat ends it and is the anchor.
    assert_steps(&list, &[chat(), chat()], &[Pending, Settled], true);
    assert_steps(&list, &[chat(), delta()], &[Pending, Pending], false);
}

#[test]
fn an_event_that_ends_a_run_is_tried_against_the_next_expectation() {
    let list = json!([
        {"$while": {"kind": "inbound", "event": "chat-delta"}},
        {"kind": "inbound", "event": "chat-end"},
    ]);
    let events = [inbound("chat-delta"), inbound("chat-delta"), inbound("chat-end")];
    assert_steps(&list, &events, &[Pending, Pending, Settled], true);
}

#[test]
fn an_empty_list_and_a_lone_while_are_settled_before_any_event() {
    for list in [json!([]), json!([{"$while": {"kind": "call"}}]), json!([{"$times": {"of": {}}}])] {
        let matcher = sequence(&list, &options()).matcher();
        assert_eq!(matcher.step(), Settled, "{list}");
        assert_eq!(matcher.finish(), Ok(()), "{list}");
    }
}

#[test]
fn a_trailing_while_settles_as_soon_as_its_prefix_does() {
    let list = json!([{"kind": "call"}, {"$while": {"kind": "inbound"}}]);
    assert_steps(&list, &[inbound("timer"), chat()], &[Pending, Settled], true);
}

#[test]
fn a_forbidden_event_fails_at_once_and_for_good() {
    let list = json!([{"kind": "call"}, {"$never": {"event": "error"}}, {"event": "chat-end"}]);
    let events = [chat(), inbound("error"), inbound("chat-end")];
    assert_steps(&list, &events, &[Pending, Failed, Failed], false);
    let before = [inbound("error"), chat(), inbound("chat-end"), inbound("error")];
    assert_steps(&list, &before, &[Pending, Pending, Settled, Settled], true);
}

#[test]
fn a_trailing_never_and_a_trailing_bound_are_decided_by_the_end() {
    let never = json!([{"kind": "call"}, {"$never": {"event": "error"}}]);
    assert_steps(&never, &[chat(), inbound("timer")], &[Pending, Pending], true);
    assert_steps(&never, &[chat(), inbound("error")], &[Pending, Failed], false);
    assert_steps(&never, &[inbound("error")], &[Pending], false);

    let once = json!([{"$times": {"of": {"kind": "call"}, "min": 1, "max": 1}}]);
    assert_steps(&once, &[chat()], &[Pending], true);
    assert_steps(&once, &[chat(), chat()], &[Pending, Failed], false);
    assert_steps(&once, &[inbound("timer"), chat()], &[Failed, Failed], false);
    // The run is over, so nothing can break the bound any more.
    assert_steps(&once, &[chat(), inbound("timer"), chat()], &[Pending, Settled, Settled], true);
}

#[test]
fn a_minimum_without_maximum_settles_when_it_is_reached() {
    let list = json!([{"$times": {"of": {"kind": "call"}, "min": 2}}]);
    assert_steps(&list, &[chat(), chat(), chat()], &[Pending, Settled, Settled], true);
    assert_steps(&list, &[chat()], &[Pending], false);
    assert_steps(&list, &[chat(), inbound("timer")], &[Pending, Failed], false);
}

#[test]
fn lists_that_only_the_end_decides_are_known_beforehand() {
    for (list, open_end) in [
        (json!([]), None),
        (json!([{"kind": "call"}, {"$while": {}}]), None),
        (json!([{"$never": {"kind": "x"}}, {"kind": "call"}]), None),
        (json!([{"$times": {"of": {}, "min": 2}}]), None),
        (json!([{"kind": "call"}, {"$never": {"kind": "x"}}]), Some(1)),
        (json!([{"kind": "call"}, {"$times": {"of": {}, "max": 2}}]), Some(1)),
        (json!([{"$never": {"kind": "x"}}, {"$while": {"kind": "call"}}]), Some(0)),
    ] {
        let sequence = sequence(&list, &options());
        assert_eq!(sequence.open_end(), open_end, "{list}");
        assert_eq!(sequence.settles_early(), open_end.is_none(), "{list}");
    }
}

#[test]
fn the_cursor_stands_behind_the_last_consumed_event() {
    let list = json!([{"kind": "call"}, {"$while": {"event": "chat-delta"}}, {"event": "chat-end"}]);
    let mut matcher = sequence(&list, &options()).matcher();
    let mut seen = vec![(matcher.cursor(), matcher.awaited())];
    for event in [inbound("timer"), chat(), inbound("chat-delta"), inbound("timer"), inbound("chat-end")] {
        matcher.push(&event);
        seen.push((matcher.cursor(), matcher.awaited()));
    }
    assert_eq!(seen, [(0, Some(0)), (0, Some(0)), (2, Some(1)), (3, Some(1)), (3, Some(2)), (5, None)]);
    assert_eq!(matcher.seen(), 5);
}

#[test]
fn events_after_the_verdict_are_counted_and_change_nothing() {
    let mut matcher = sequence(&json!([{"kind": "call"}]), &options()).matcher();
    for event in [chat(), chat(), inbound("error")] {
        matcher.push(&event);
    }
    assert_eq!((matcher.step(), matcher.seen(), matcher.cursor()), (Settled, 3, 1));
}

#[test]
fn the_verdict_may_be_asked_for_at_any_time() {
    let mut matcher = sequence(&json!([{"kind": "call"}]), &options()).matcher();
    assert!(matches!(matcher.finish().unwrap_err().reason, Reason::Missing { closest: None }));
    matcher.push(&inbound("timer"));
    assert!(matches!(matcher.finish().unwrap_err().reason, Reason::Missing { closest: Some(_) }));
    matcher.push(&chat());
    assert_eq!(matcher.finish(), Ok(()));
}

#[test]
fn matchers_of_one_sequence_are_independent() {
    let sequence = Sequence::compile(&[json!({"kind": "call"})], &options()).unwrap();
    let (mut first, second) = (sequence.matcher(), sequence.matcher());
    assert_eq!(first.push(&chat()), Settled);
    assert_eq!(second.step(), Pending);
}
