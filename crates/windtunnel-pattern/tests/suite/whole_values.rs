//! Fields and modes in which plain strings are not regular expressions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use windtunnel_pattern::{FieldRule, Options, Pattern, Step};

use crate::common::{assert_rows, pattern, run};

fn identifiers() -> Options {
    Options::new().whole_fields(["kind", "event"]).field("op", FieldRule::WordOrRegex)
}

#[test]
fn a_named_field_compares_whole() {
    assert_rows(
        &identifiers(),
        &[
            (json!({"event": "chat"}), json!({"event": "chat"}), true),
            (json!({"event": "chat"}), json!({"event": "chat-end"}), false),
            (json!({"event": "chat.end"}), json!({"event": "chat-end"}), false),
            (json!({"event": "^chat$"}), json!({"event": "chat"}), false),
            (json!({"event": "(unclosed"}), json!({"event": "(unclosed"}), true),
            (json!({"event": "3"}), json!({"event": 3}), false),
            (json!({"event": 3}), json!({"event": 3.0}), true),
            (json!({"event": {"$re": "^chat"}}), json!({"event": "chat-end"}), true),
            (json!({"other": "chat"}), json!({"other": "chat-end"}), true),
        ],
    );
}

#[test]
fn a_rule_reaches_the_candidates_own_fields_only() {
    assert_rows(
        &identifiers(),
        &[
            (json!({"detail": {"kind": "a"}}), json!({"detail": {"kind": "abc"}}), true),
            (json!({"list": [{"kind": "a"}]}), json!({"list": [{"kind": "abc"}]}), true),
            (json!([{"kind": "a"}]), json!([{"kind": "abc"}]), true),
            (json!({"kind": {"kind": "a"}}), json!({"kind": {"kind": "abc"}}), true),
            (json!({"kind": ["a"]}), json!({"kind": ["abc"]}), true),
        ],
    );
}

#[test]
fn a_rule_holds_inside_operators_on_the_same_value() {
    assert_rows(
        &identifiers(),
        &[
            (json!({"kind": {"$any": ["a", "b"]}}), json!({"kind": "b"}), true),
            (json!({"kind": {"$any": ["a", "b"]}}), json!({"kind": "bc"}), false),
            (json!({"kind": {"$all": ["a"]}}), json!({"kind": "ab"}), false),
            (json!({"kind": {"$not": "a"}}), json!({"kind": "ab"}), true),
            (json!({"kind": {"$not": "a"}}), json!({"kind": "a"}), false),
            (json!({"$any": [{"kind": "a"}, {"kind": "b"}]}), json!({"kind": "ab"}), false),
            (json!({"$not": {"kind": "a"}}), json!({"kind": "ab"}), true),
        ],
    );
}

#[test]
fn rules_hold_for_every_element_of_a_sequence_and_under_its_sentinels() {
    let list = json!([{"$while": {"kind": "a"}}, {"$until": {"kind": "a"}}]);
    let (steps, verdict) = run(&list, &[json!({"kind": "ab"}), json!({"kind": "a"})], &identifiers());
    assert_eq!(steps, [Step::Pending, Step::Settled]);
    assert_eq!(verdict, Ok(()));
}

#[test]
fn a_plain_word_compares_whole_and_anything_else_is_a_regular_expression() {
    assert_rows(
        &identifiers(),
        &[
            (json!({"op": "chat"}), json!({"op": "chat"}), true),
            (json!({"op": "chat"}), json!({"op": "chat_stream"}), false),
            (json!({"op": "list-tools"}), json!({"op": "list-tools"}), true),
            (json!({"op": "list-tools"}), json!({"op": "list-tools-2"}), false),
            (json!({"op": "^chat"}), json!({"op": "chat_stream"}), true),
            (json!({"op": "chat|recv"}), json!({"op": "recv"}), true),
            (json!({"op": "ch.t"}), json!({"op": "chat"}), true),
        ],
    );
    assert!(Pattern::compile(&json!({"op": "chat("}), &identifiers()).is_err());
}

#[test]
fn every_metacharacter_makes_a_regular_expression() {
    for (regex, found) in [
        (r"\bchat", "a chat"),
        ("ch.t", "a chat"),
        ("ch+", "a chat"),
        ("ch*", "a chat"),
        ("chx?", "a chat"),
        ("(chat)", "a chat"),
        ("chat|x", "a chat"),
        ("[c]hat", "a chat"),
        ("c{1}hat", "a chat"),
        ("^a", "a chat"),
        ("t$", "a chat"),
    ] {
        assert_rows(&identifiers(), &[(json!({"op": regex}), json!({"op": found}), true)]);
    }
}

#[test]
fn a_custom_rule_sees_the_expected_string_and_the_whole_object() {
    // A name may be decorated with the server that the event names.
    let decorated = |expected: &str, object: &Value| {
        let field = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let tool = field("tool");
        tool == expected || tool == format!("{}.{expected}", field("server"))
    };
    let options = Options::new().field("tool", FieldRule::custom(decorated));
    assert_rows(
        &options,
        &[
            (json!({"tool": "lookup"}), json!({"tool": "lookup"}), true),
            (json!({"tool": "lookup"}), json!({"tool": "crm.lookup", "server": "crm"}), true),
            (json!({"tool": "lookup"}), json!({"tool": "crm.lookup", "server": "erp"}), false),
            (json!({"tool": "lookup"}), json!({"tool": "client_lookup"}), false),
            (
                json!({"tool": {"$any": ["x", "lookup"]}}),
                json!({"tool": "crm.lookup", "server": "crm"}),
                true,
            ),
            (json!({"tool": {"$not": "lookup"}}), json!({"tool": "crm.lookup", "server": "crm"}), false),
            (json!({"args": {"tool": "lookup"}}), json!({"args": {"tool": "client_lookup"}}), true),
        ],
    );
}

#[test]
fn a_custom_rule_is_asked_about_strings_that_are_there() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let rule = FieldRule::custom(move |_, _| {
        counter.fetch_add(1, Ordering::Relaxed);
        true
    });
    let pattern = pattern(&json!({"tool": "x"}), &Options::new().field("tool", rule));
    for candidate in [json!({}), json!({"tool": 1}), json!({"tool": null}), json!("x")] {
        assert!(!pattern.matches(&candidate), "{candidate}");
    }
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    assert!(pattern.matches(&json!({"tool": "y"})));
}

#[test]
fn a_later_rule_replaces_an_earlier_one() {
    let options = Options::new().whole_fields(["op"]).field("op", FieldRule::WordOrRegex);
    assert_rows(&options, &[(json!({"op": "^a"}), json!({"op": "ab"}), true)]);
}

#[test]
fn with_whole_values_every_plain_value_compares_as_its_text() {
    assert_rows(
        &Options::new().whole_values(),
        &[
            (json!({"event": "graph.started"}), json!({"event": "graph.started"}), true),
            (json!({"event": "graph.started"}), json!({"event": "graph-started"}), false),
            (json!({"event": "graph"}), json!({"event": "graph.started"}), false),
            (json!({"a": {"b": ["x.y"]}}), json!({"a": {"b": ["xzy", "x.y"]}}), true),
            (json!({"a": {"b": ["x.y"]}}), json!({"a": {"b": ["xzy"]}}), false),
            (json!({"node": "(unclosed"}), json!({"node": "(unclosed"}), true),
            (json!(3), json!("3"), true),
            (json!("3"), json!(3), true),
            (json!(3), json!(3.0), true),
            (json!(3), json!("3.0"), false),
            (json!("3"), json!(33), false),
            (json!("33"), json!(3), false),
            (json!(true), json!("true"), true),
            (json!("false"), json!(false), true),
            (json!("true"), json!(false), false),
            (json!(null), json!("null"), true),
            (json!("null"), json!(null), true),
            (json!({"a": "null"}), json!({}), false),
            (json!("[]"), json!([]), false),
            (json!(""), json!("x"), false),
            (json!({"$re": "^graph"}), json!("graph.started"), true),
            (json!({"$eq": 3}), json!("3"), false),
            (json!({"$any": ["a", "b"]}), json!("ab"), false),
        ],
    );
}

#[test]
fn a_field_rule_wins_over_whole_values() {
    let options = Options::new().whole_values().field("op", FieldRule::WordOrRegex);
    assert_rows(
        &options,
        &[
            (json!({"op": "^a"}), json!({"op": "ab"}), true),
            (json!({"x": "^a"}), json!({"x": "ab"}), false),
            (json!({"op": "3"}), json!({"op": 3}), false),
            (json!({"op": 3}), json!({"op": "3"}), true),
        ],
    );
}

#[test]
fn a_plain_value_is_shown_as_it_was_written() {
    let written = json!({"posted": false, "attempts": 3, "by": null, "node": "design", "said": "false"});
    let pattern = pattern(&written, &Options::new().whole_values());
    assert_eq!(
        pattern.to_string(),
        r#"{posted: false, attempts: 3, by: null, node: "design", said: "false"}"#
    );
    let explained = pattern.explain(&json!({"posted": true})).unwrap();
    assert_eq!(explained.to_string(), "posted: expected false, found true");
}
