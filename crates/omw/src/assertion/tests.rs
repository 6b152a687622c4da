use serde_json::{Value, json};
use windtunnel_doc::{Fault, Path};

use super::EventPattern;
use crate::exchange::Event;
use crate::host::trace::{CloseReason, TraceEvent};

fn pattern(assertion: &Value) -> EventPattern {
    EventPattern::parse(assertion, &Path::root()).unwrap()
}

fn shown(faults: Vec<Fault>) -> String {
    let lines = faults.into_iter().map(|fault| {
        let help = fault.help.map(|help| format!("; {help}")).unwrap_or_default();
        format!("{}: {}{help}", fault.path, fault.message)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn faults(assertion: &Value) -> String {
    let at = Path::root().then("events").then(0);
    shown(EventPattern::parse(assertion, &at).expect_err("it is wrong"))
}

#[track_caller]
fn faults_of_list(list: &Value) -> String {
    shown(EventPattern::parse_list(list, &Path::root().then("events")).expect_err("it is wrong"))
}

#[test]
fn every_kind_of_event_is_matched_by_its_fields() {
    let agent = || "alice".into();
    let events = [
        TraceEvent::Call { agent: agent(), op: "chat".into(), uuid: None, detail: json!({"model": "gpt-4"}) },
        TraceEvent::Returned {
            agent: agent(),
            op: "chat".into(),
            uuid: None,
            detail: json!({"error": "no"}),
        },
        TraceEvent::Inbound { agent: agent(), id: "1".into(), event: Event::Message("hi".into()) },
        TraceEvent::Opened { agent: agent(), source: "timer".into(), uuid: "1".into() },
        TraceEvent::Closed {
            agent: agent(),
            source: "timer".into(),
            uuid: "1".into(),
            reason: CloseReason::Cancelled,
        },
    ];
    let candidates = events.map(TraceEvent::into_candidate);
    let table = [
        (json!({"kind": "call", "op": "chat", "detail": {"model": "^gpt"}}), 0),
        (json!({"kind": "returned", "op": "chat", "detail": {"error": "no"}}), 1),
        (json!({"kind": "inbound", "event": "message", "payload": {"kind": "message", "data": "^h"}}), 2),
        (json!({"kind": "opened", "source": "^timer$"}), 3),
        (json!({"kind": "closed", "source": "timer", "reason": "cancelled"}), 4),
        (json!({"$all": [{"kind": "closed"}, {"$not": {"kind": "closed", "reason": "ended"}}]}), 4),
    ];
    for (assertion, expected) in table {
        let pattern = pattern(&assertion).into_pattern();
        let matched: Vec<_> =
            (0..candidates.len()).filter(|index| pattern.matches(&candidates[*index])).collect();
        assert_eq!(matched, [expected], "{assertion}");
    }
}

#[test]
fn names_compare_whole_and_an_op_may_be_an_expression() {
    let call = |op: &str| json!({"kind": "call", "op": op, "detail": {}});
    let table = [
        (json!("chat"), "chat", true),
        (json!("chat"), "chat_stream", false),
        (json!("^chat"), "chat_stream", true),
        (json!({"$any": ["chat", "whoami"]}), "chat_stream", false),
        (json!({"$re": "chat"}), "chat_stream", true),
    ];
    for (op, called, expected) in table {
        let pattern = pattern(&json!({"kind": "call", "op": op})).into_pattern();
        assert_eq!(pattern.matches(&call(called)), expected, "{op} {called}");
    }
    let delta = json!({"kind": "inbound", "event": "resource-list-updated", "payload": {}});
    assert!(
        !pattern(&json!({"kind": "inbound", "event": "resource-updated"})).into_pattern().matches(&delta)
    );
}

#[test]
fn whatever_is_wrong_is_said_at_its_place() {
    let table = [
        json!("chat"),
        json!({}),
        json!({"knid": "call"}),
        json!({"kind": "cal"}),
        json!({"kind": ["call"]}),
        json!({"kind": "outcome"}),
        json!({"kind": "inbound", "evnt": "timer", "payload": {}}),
        json!({"kind": "inbound", "op": "chat"}),
        json!({"kind": "call", "agent": "bob"}),
        json!({"kind": "inbound", "event": "chat_delta"}),
        json!({"kind": "inbound", "event": {"$any": ["timer", "nothing"]}}),
        json!({"kind": "inbound", "payload": {"content": "hi"}}),
        json!({"kind": "inbound", "payload": "hi"}),
        json!({"kind": "call", "op": 3}),
        json!({"kind": "call", "op": ["chat"]}),
        json!({"kind": "call", "op": "(", "detail": {"n": {"$gtt": 1}}}),
        json!({"kind": "call", "detail": null}),
        json!({"kind": "returned", "detail": {"reslut": 1}}),
        json!({"kind": "opened", "source": "chat_stream"}),
        json!({"kind": "opened", "reason": "ended"}),
        json!({"kind": "closed", "source": "stream|timer", "reason": "^end$"}),
        json!({"$any": [{"kind": "call"}, {"kind": "inbuond"}]}),
        json!({"$not": {"event": "timer"}}),
        json!({"$re": "chat"}),
        json!({"$while": {"kind": "call"}}),
        json!({"$whlie": {"kind": "call"}}),
    ];
    let shown: Vec<_> =
        table.iter().map(|assertion| format!("{assertion}\n{}\n", faults(assertion))).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn a_list_takes_sentinels_and_says_what_is_wrong_in_each() {
    let list = json!([
        {"kind": "call", "op": "chat"},
        {"$while": {}},
        {"$until": {"kind": "inbound"}},
        {"$never": {"kind": "call", "op": "memory_set"}},
        {"$times": {"of": {"kind": "opened"}, "max": 2}},
        {"$any": [{"kind": "call"}, {"kind": "returned"}]},
    ]);
    assert_eq!(EventPattern::parse_list(&list, &Path::root()).unwrap().len(), 6);

    let list = json!([
        {"$while": {"kind": "calls"}},
        {"$until": {"evnt": "timer"}},
        {"$never": {"kind": "call", "event": "timer"}},
        {"$times": {"of": {"kind": "open"}, "mix": 2}},
        {"$until": {"$while": {"kind": "call"}}},
        {"$while": {"kind": "call"}, "kind": "call"},
        {},
        3,
    ]);
    insta::assert_snapshot!(faults_of_list(&list));
    assert_eq!(
        faults_of_list(&json!({"kind": "call"})),
        "events: expected a list of expectations, found an object"
    );
}

#[test]
fn the_schema_has_every_kind_with_its_fields() {
    let schema = schemars::schema_for!(EventPattern).to_value();
    let kinds: Vec<_> = schema["anyOf"].as_array().unwrap().iter().collect();
    let shown = kinds.iter().filter_map(|kind| {
        let properties = kind["properties"].as_object()?;
        let fields: Vec<_> = properties.keys().skip(1).map(String::as_str).collect();
        Some(format!("{}: {}", properties["kind"]["const"].as_str()?, fields.join(", ")))
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            "call: op, detail",
            "returned: op, detail",
            "inbound: event, payload",
            "opened: source",
            "closed: source, reason"
        ]
    );
}
