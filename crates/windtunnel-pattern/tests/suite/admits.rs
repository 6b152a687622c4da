//! What is known of an object before all of it is.

use serde_json::{Value, json};
use windtunnel_pattern::{FieldRule, Options, Pattern};

fn admits(pattern: &Value, known: &Value) -> bool {
    let options = Options::new().whole_fields(["kind"]).field("op", FieldRule::WordOrRegex);
    Pattern::compile(pattern, &options).unwrap().admits(known)
}

#[test]
fn an_object_is_excluded_by_a_member_that_does_not_match_and_by_nothing_else() {
    let known = json!({"kind": "call", "op": "chat"});
    for (pattern, expected) in [
        (json!({"kind": "call", "op": "chat", "detail": {"model": "a"}}), true),
        (json!({"detail": {"model": "a"}, "op": "chat_stream"}), false),
        (json!({"op": "^chat"}), true),
        (json!({"kind": "inbound"}), false),
        (json!({}), true),
        (json!({"op": {"$not": "chat"}}), false),
        (json!({"$any": [{"kind": "inbound"}, {"op": "chat", "detail": {}}]}), true),
        (json!({"$any": [{"kind": "inbound"}, {"op": "recv"}]}), false),
        (json!({"$all": [{"kind": "call"}, {"op": "recv"}]}), false),
        (json!({"$not": {"kind": "call"}}), true),
    ] {
        assert_eq!(admits(&pattern, &known), expected, "{pattern}");
    }
}

#[test]
fn whatever_matches_was_admitted() {
    let whole = json!({"kind": "call", "op": "chat", "detail": {"model": "gpt-4"}});
    let known = json!({"kind": "call", "op": "chat"});
    for pattern in [
        json!({"detail": {"model": "^gpt-"}}),
        json!({"$not": {"detail": {"model": "other"}}}),
        json!({"$all": [{"op": "chat"}, {"$not": {"kind": "inbound"}}]}),
    ] {
        assert!(Pattern::compile(&pattern, &Options::new()).unwrap().matches(&whole), "{pattern}");
        assert!(admits(&pattern, &known), "{pattern}");
    }
}
