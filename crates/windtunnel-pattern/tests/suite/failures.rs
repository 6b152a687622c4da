//! What a failure says.

use insta::assert_snapshot;
use serde_json::{Value, json};
use windtunnel_pattern::{FieldRule, Options, Reason};

use crate::common::{pattern, run, sequence};

fn options() -> Options {
    Options::new().whole_fields(["kind", "event"]).field("op", FieldRule::WordOrRegex)
}

fn failure(list: &Value, candidates: &[Value]) -> String {
    run(list, candidates, &options()).1.unwrap_err().to_string()
}

fn explain(written: &Value, candidate: &Value) -> String {
    pattern(written, &options()).explain(candidate).unwrap().to_string()
}

fn chat(contents: &[&str]) -> Value {
    let messages: Vec<_> =
        contents.iter().map(|content| json!({"role": "user", "content": content})).collect();
    json!({"kind": "call", "op": "chat", "detail": {"model": "gpt-4", "messages": messages}})
}

#[test]
fn a_missing_event_names_the_closest_one_and_where_it_stopped_matching() {
    let list = json!([
        {"kind": "call", "op": "recv"},
        {"kind": "call", "op": "^chat", "detail": {"messages": [{"role": "user", "content": "final"}]}},
    ]);
    let events = [
        chat(&["final"]),
        json!({"kind": "call", "op": "recv"}),
        json!({"kind": "inbound", "event": "timer"}),
        json!({"kind": "call", "op": "sleep"}),
        chat(&["done"]),
        chat(&["other"]),
    ];
    assert_snapshot!(failure(&list, &events), @r#"
    expectation [1] was not met: {kind: "call", op: /^chat/, detail: {messages: [{role: /user/, content: /final/}]}}
      cursor: 2 (6 seen)
      closest: [4] detail.messages[0].content: expected /final/, found "done"
    "#);
}

#[test]
fn a_missing_event_after_which_nothing_came_says_so() {
    assert_snapshot!(failure(&json!([{"kind": "call"}]), &[]), @r#"
    expectation [0] was not met: {kind: "call"}
      cursor: 0 (0 seen)
      closest: none, nothing came after the cursor
    "#);
}

#[test]
fn a_forbidden_event_is_shown() {
    let list = json!([{"kind": "call"}, {"$never": {"kind": "call", "op": "chat"}}, {"event": "chat-end"}]);
    assert_snapshot!(failure(&list, &[chat(&["a"]), chat(&["b"])]), @r#"
    expectation [1] was violated: $never {kind: "call", op: "chat"}
      cursor: 1 (2 seen)
      matched by: [1] {"kind":"call","op":"chat","detail":{"model":"gpt-4","messages":[{"role":"user","content":"b"}]}}
    "#);
}

#[test]
fn a_short_run_names_what_ended_it() {
    let list = json!([{"$times": {"of": {"event": "chat-delta"}, "min": 2}}]);
    let delta = json!({"kind": "inbound", "event": "chat-delta"});
    assert_snapshot!(failure(&list, &[delta.clone(), json!({"kind": "inbound", "event": "chat-end"})]), @r#"
    expectation [0] was not met: $times 2 or more of {event: "chat-delta"}
      cursor: 1 (2 seen)
      run: 1 in a row, at least 2 expected, ended by [1] event: expected "chat-delta", found "chat-end"
    "#);
    assert_snapshot!(failure(&list, &[delta]), @r#"
    expectation [0] was not met: $times 2 or more of {event: "chat-delta"}
      cursor: 1 (1 seen)
      run: 1 in a row, at least 2 expected, then nothing came
    "#);
}

#[test]
fn a_long_run_names_the_event_too_many() {
    let list = json!([{"$times": {"of": {"op": "chat"}, "min": 1, "max": 1}}, {"op": "recv"}]);
    assert_snapshot!(failure(&list, &[chat(&[]), chat(&[])]), @r#"
    expectation [0] was not met: $times 1 of {op: "chat"}
      cursor: 1 (2 seen)
      run: at most 1 in a row expected, continued by [1] {"kind":"call","op":"chat","detail":{"model":"gpt-4","messages":[]}}
    "#);
}

#[test]
fn a_failure_is_of_the_moment_it_happened() {
    let list = json!([{"$never": {"kind": "call"}}, {"event": "chat-end"}]);
    let mut matcher = sequence(&list, &options()).matcher();
    for event in [json!({"kind": "inbound"}), json!({"kind": "call"}), json!({"kind": "inbound"})] {
        matcher.push(&event);
    }
    let failure = matcher.finish().unwrap_err();
    assert_eq!((failure.index, failure.cursor, failure.seen), (0, 0, 2));
    assert!(matches!(failure.reason, Reason::Forbidden { at: 1, .. }));
}

#[test]
fn candidates_before_the_cursor_are_never_the_closest() {
    let list = json!([{"n": 1, "m": 1}, {"n": 2, "m": 2}]);
    let near_but_early = json!({"n": 2, "m": 0});
    let events = [near_but_early, json!({"n": 1, "m": 1}), json!({"n": 7})];
    let failure = run(&list, &events, &options()).1.unwrap_err();
    let Reason::Missing { closest: Some(closest) } = failure.reason else { panic!("{failure}") };
    assert_eq!(closest.index, 2);
}

#[test]
fn the_closest_matched_most_and_is_the_earliest_of_equals() {
    let closest = |events: &[Value]| {
        let list = json!([{"kind": "call", "op": "chat", "detail": {"model": "^gpt", "stream": true}}]);
        match run(&list, events, &options()).1.unwrap_err().reason {
            Reason::Missing { closest } => closest.unwrap().index,
            other => panic!("{other:?}"),
        }
    };
    let event = |kind: &str, op: &str, detail: Value| json!({"kind": kind, "op": op, "detail": detail});
    let inbound = event("inbound", "chat", json!({"model": "gpt", "stream": true}));
    let recv = event("call", "recv", json!({}));
    let other_model = event("call", "chat", json!({"model": "other", "stream": true}));
    let no_stream = event("call", "chat", json!({"model": "gpt"}));
    let false_stream = event("call", "chat", json!({"model": "gpt", "stream": false}));
    assert_eq!(closest(&[json!(1), inbound.clone(), recv.clone()]), 2);
    assert_eq!(closest(&[other_model.clone(), recv, inbound]), 0);
    assert_eq!(closest(&[no_stream.clone(), other_model.clone()]), 1);
    assert_eq!(closest(&[other_model.clone(), other_model]), 0);
    // A member of the wrong value is nearer than one that is not there.
    assert_eq!(closest(&[no_stream, false_stream]), 1);
}

#[test]
fn the_closest_is_found_inside_operators_and_arrays() {
    let rows = [
        (json!({"$any": [{"a": 1, "b": 1}, {"z": 1}]}), json!({"a": 0}), json!({"a": 1})),
        (json!({"$all": [{"a": 1, "b": 1}, {"c": 1}]}), json!({"a": 1, "b": 0}), json!({"a": 1, "b": 1})),
        (
            json!({"a": {"x": 1, "y": 1}, "b": {}}),
            json!({"a": {"x": 1, "y": 0}}),
            json!({"a": {"x": 1, "y": 1}}),
        ),
        (json!({"a": [1, 2]}), json!({"a": []}), json!({"a": [1]})),
        (json!({"a": [1, {"b": 1}]}), json!({"a": [1]}), json!({"a": [1, {"b": 2}]})),
    ];
    for (awaited, far, near) in rows {
        let failure = run(&json!([awaited]), &[far, near], &options()).1.unwrap_err();
        let Reason::Missing { closest: Some(closest) } = failure.reason else { panic!("{failure}") };
        assert_eq!(closest.index, 1, "{awaited}");
    }
}

#[test]
fn an_item_before_the_last_anchor_of_an_array_is_never_the_nearest() {
    let written = json!({"a": [{"x": 1, "y": 1}, {"z": 1}]});
    let found = json!({"a": [{"x": 1, "y": 0, "z": 1}, {"x": 1, "y": 1}, {"z": 0}]});
    assert_snapshot!(explain(&written, &found), @"a[2].z: expected 1, found 0");
}

#[test]
fn identifiers_decide_first_in_whatever_order_they_are_written() {
    let written = json!({"detail": {"x": 1}, "op": "^a", "kind": "call"});
    assert_snapshot!(explain(&written, &json!({"kind": "inbound", "op": "b"})), @r#"kind: expected "call", found "inbound""#);
    assert_snapshot!(explain(&written, &json!({"kind": "call", "op": "b"})), @r#"op: expected /^a/, found "b""#);
    assert_snapshot!(explain(&written, &json!({"kind": "call", "op": "a"})), @"detail: expected {x: 1}, found nothing");
}

#[test]
fn an_explanation_leads_to_the_value_that_does_not_match() {
    let messages = json!({"detail": {"messages": [{"role": "system"}, {"content": "final"}]}});
    let found = json!({"detail": {"messages": [{"role": "system"}, {"content": 1}, {"content": "done"}]}});
    assert_snapshot!(explain(&messages, &found), @"detail.messages[1].content: expected /final/, found 1");
    assert_snapshot!(explain(&messages, &json!({"detail": {"messages": []}})), @"detail.messages: expected {role: /system/}, found the end of the array (length 0)");
    assert_snapshot!(explain(&messages, &json!({"detail": {"messages": "none"}})), @r#"detail.messages: expected [{role: /system/}, {content: /final/}], found "none""#);
    assert_snapshot!(explain(&messages, &json!({"detail": {}})), @"detail.messages: expected [{role: /system/}, {content: /final/}], found nothing");
    assert_snapshot!(explain(&messages, &json!([])), @"expected {detail: {messages: [{role: /system/}, {content: /final/}]}}, found []");
}

#[test]
fn operators_are_explained_in_words() {
    let rows = [
        (json!({"a": {"$gte": 1, "$lt": 5}}), json!({"a": 7})),
        (json!({"a": {"$not": "x"}}), json!({"a": "xyz"})),
        (json!({"a": {"$exists": true}}), json!({"a": null})),
        (json!({"a": {"$exists": false}}), json!({"a": 1})),
        (json!({"a": {"$eq": [1, "b"]}}), json!({"a": [1]})),
        (json!({"a": {"$any": ["x", 1]}}), json!({"a": "y"})),
        (json!({"$any": [{"kind": "a", "n": 1}, {"kind": "b", "n": 1}]}), json!({"kind": "b", "n": 2})),
        (json!({"$all": [{"a": 1}, {"b": 2}]}), json!({"a": 1, "b": 3})),
        (json!({"kind": "a"}), json!({"kind": "ab"})),
        (json!({}), json!("x")),
    ];
    let explained: Vec<_> = rows.iter().map(|(written, found)| explain(written, found)).collect();
    assert_snapshot!(explained.join("\n"), @r#"
    a: expected < 5, found 7
    a: expected not /x/, found "xyz"
    a: expected any value but null, found null
    a: expected nothing or null, found 1
    a: expected [1,"b"], found [1]
    a: expected any of [/x/, 1], found "y"
    n: expected 1, found 2
    b: expected 2, found 3
    kind: expected "a", found "ab"
    expected {}, found "x"
    "#);
}

#[test]
fn broken_arrays_are_explained_at_the_item_that_broke_them() {
    let rows = [
        (json!({"a": [1, {"$never": 9}, 2]}), json!({"a": [1, 9, 2]})),
        (json!({"a": [{"$times": {"of": 1, "min": 2, "max": 2}}]}), json!({"a": [1, 3]})),
        (json!({"a": [{"$times": {"of": 1, "min": 2, "max": 2}}]}), json!({"a": [1, 1, 1]})),
        (json!({"a": [{"$times": {"of": 1, "min": 2}}]}), json!({"a": [1]})),
        (json!({"a": [{"$until": {"b": 1}}]}), json!({"a": [{"b": 2}]})),
        (json!({"a": [{"$while": 1}, 2]}), json!({"a": [1, 1]})),
    ];
    let explained: Vec<_> = rows.iter().map(|(written, found)| explain(written, found)).collect();
    assert_snapshot!(explained.join("\n"), @"
    a[1]: expected $never 9, found 9
    a[1]: expected $times 2 of 1, 1 so far, found 3
    a[2]: expected $times 2 of 1 and no more, found 1
    a: expected $times 2 or more of 1, 1 so far, found the end of the array (length 1)
    a[0].b: expected 1, found 2
    a: expected 2, found the end of the array (length 2)
    ");
}

#[test]
fn long_texts_are_cut() {
    let mismatch = pattern(&json!("x".repeat(1000)), &options()).explain(&json!("y".repeat(5000))).unwrap();
    assert_eq!(mismatch.expected.chars().count(), 201);
    assert!(mismatch.found.ends_with("y\"…(+4920 bytes)"), "{}", mismatch.found);
}

#[test]
fn a_whole_list_is_shown_in_the_words_of_the_language() {
    let list = json!([
        {"kind": "call", "detail": {"n": {"$gt": 1}, "list": [1, {"$while": "a"}]}},
        {"$until": {"a": null}},
        {"$never": {}},
        {"$times": {"of": {"x": {"$re": "b"}}, "min": 1, "max": 2}},
        {"$times": {"of": {}, "min": 2, "max": 2}},
        {"$times": {"of": {}}},
    ]);
    let sequence = sequence(&list, &options());
    let shown: Vec<_> = (0..sequence.len()).map(|index| sequence.expectation(index).unwrap()).collect();
    assert_snapshot!(shown.join("\n"), @r#"
    {kind: "call", detail: {n: > 1, list: [1, $while /a/]}}
    $until {a: null}
    $never {}
    $times 1 to 2 of {x: /b/}
    $times 2 of {}
    $times 0 or more of {}
    "#);
    assert_eq!(sequence.expectation(6), None);
    assert_eq!(sequence.to_string(), format!("[{}]", shown.join(", ")));
}
