//! Every row of the language, and what each rule excludes.

use serde_json::{Value, json};
use windtunnel_pattern::Options;

use crate::common::assert_rows;

#[track_caller]
fn rows(rows: &[(Value, Value, bool)]) {
    assert_rows(&Options::new(), rows);
}

#[test]
fn an_object_needs_every_named_key_and_ignores_the_others() {
    rows(&[
        (json!({"a": 1, "b": 2}), json!({"a": 1, "b": 2, "c": 3}), true),
        (json!({"a": 1, "b": 2}), json!({"a": 1}), false),
        (json!({"a": 1, "b": 2}), json!({"a": 1, "b": 3}), false),
        (json!({"a": null}), json!({}), false),
        (json!({"a": {"b": {"c": "x"}}}), json!({"a": {"b": {"c": "xyz", "d": 1}}}), true),
        (json!({"a": {"b": {"c": "x"}}}), json!({"a": {"b": "x"}}), false),
    ]);
}

#[test]
fn the_empty_object_is_any_object_and_nothing_else() {
    for (candidate, matches) in [
        (json!({}), true),
        (json!({"a": 1}), true),
        (json!([]), false),
        (json!("{}"), false),
        (json!(1), false),
        (json!(true), false),
        (json!(null), false),
    ] {
        rows(&[(json!({}), candidate, matches)]);
    }
}

#[test]
fn a_string_is_an_unanchored_regular_expression_over_strings() {
    rows(&[
        (json!("^gpt-a.*"), json!("gpt-abc"), true),
        (json!("^gpt-"), json!("my-gpt-4"), false),
        (json!("pt"), json!("gpt-4"), true),
        (json!(""), json!("anything"), true),
        (json!("a.c"), json!("xabcx"), true),
        (json!("(?i)UNSAFE"), json!("unsafe"), true),
        (json!("^é$"), json!("é"), true),
    ]);
}

#[test]
fn a_string_never_matches_what_is_not_a_string() {
    for candidate in [json!(1), json!(true), json!(null), json!(["1"]), json!({"1": "1"})] {
        rows(&[(json!(""), candidate, false)]);
    }
    rows(&[
        (json!("1"), json!(1), false),
        (json!("true"), json!(true), false),
        (json!("null"), json!(null), false),
    ]);
}

#[test]
fn numbers_booleans_and_null_are_equal_or_not() {
    rows(&[
        (json!(3), json!(3), true),
        (json!(3), json!(3.0), true),
        (json!(3.0), json!(3), true),
        (json!(-1), json!(-1.0), true),
        (json!(3), json!(3.5), false),
        (json!(3), json!("3"), false),
        (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_993_u64), true),
        (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64), false),
        (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0), false),
        (json!(u64::MAX), json!(18_446_744_073_709_551_615.0), false),
        (json!(u64::MAX), json!(u64::MAX), true),
        (json!(u64::MAX), json!(-1), false),
        (json!(i64::MIN), json!(i64::MIN), true),
        (json!(true), json!(true), true),
        (json!(true), json!(false), false),
        (json!(true), json!(1), false),
        (json!(null), json!(null), true),
        (json!(null), json!(0), false),
        (json!(0), json!(null), false),
    ]);
}

#[test]
fn an_array_is_an_ordered_subsequence() {
    rows(&[
        (json!(["^a$", "^b$"]), json!(["x", "a", "b", "y"]), true),
        (json!(["^a$", "^b$"]), json!(["a", "x", "x", "b"]), true),
        (json!(["^a$", "^b$"]), json!(["b", "a"]), false),
        (json!(["^a$", "^a$"]), json!(["a"]), false),
        (json!(["^a$"]), json!("a"), false),
        (json!([["^a$"]]), json!([["b"], ["x", "a"]]), true),
        (json!([{"r": "u"}, {"r": "a"}]), json!([{"r": "u"}, {"r": "s"}, {"r": "a"}]), true),
    ]);
}

#[test]
fn the_empty_array_is_any_array_and_nothing_else() {
    rows(&[
        (json!([]), json!([]), true),
        (json!([]), json!([1, "a", null]), true),
        (json!([]), json!({}), false),
        (json!([]), json!("[]"), false),
        (json!([]), json!(null), false),
    ]);
}

#[test]
fn arrays_share_the_sentinels_of_event_lists() {
    let tail = json!({"messages": [
        {"role": "system"},
        {"$while": {"role": "assistant"}},
        {"role": "user", "content": "final"},
    ]});
    let conversation = |roles: &[(&str, &str)]| {
        let message = |(role, content): &(&str, &str)| json!({"role": role, "content": content});
        json!({"model": "gpt-4", "messages": roles.iter().map(message).collect::<Vec<_>>()})
    };
    rows(&[
        (
            tail.clone(),
            conversation(&[("system", ""), ("assistant", ""), ("assistant", ""), ("user", "final")]),
            true,
        ),
        (tail.clone(), conversation(&[("system", ""), ("user", "first"), ("user", "the final")]), true),
        (tail.clone(), conversation(&[("user", "final"), ("system", "")]), false),
        (tail, conversation(&[("system", ""), ("user", "done")]), false),
        // Greedy: the run takes the element that the anchor would need.
        (json!([{"$while": 1}, 1]), json!([1, 1]), false),
        (json!([{"$while": 1}, 1]), json!([1, 2, 1]), true),
        (json!([{"$until": 2}, 3]), json!([1, 2, 3]), true),
        (json!([{"$until": 2}]), json!([1]), false),
        (json!([{"$until": 2}, 1]), json!([1, 2]), false),
    ]);
}

#[test]
fn an_empty_object_under_a_sentinel_is_any_object() {
    rows(&[
        (json!([{"$until": {}}, 7]), json!([1, {"a": 1}, 7]), true),
        (json!([{"$until": {}}]), json!([1, "a", null, [{}]]), false),
        // The run of objects ends at the primitive.
        (json!([{"$while": {}}, {"a": 1}]), json!([{"a": 1}, {"a": 1}]), false),
        (json!([{"$while": {}}, {"a": 1}]), json!([{"a": 1}, 5, {"a": 1}]), true),
    ]);
}

#[test]
fn a_trailing_while_asserts_nothing() {
    rows(&[
        (json!([{"$while": "a"}]), json!([]), true),
        (json!([{"$while": "a"}]), json!(["b"]), true),
        (json!([1, {"$while": "a"}]), json!([1]), true),
    ]);
}

#[test]
fn eq_is_literal_and_keeps_the_number_rule() {
    rows(&[
        (json!({"$eq": "a.c"}), json!("a.c"), true),
        (json!({"$eq": "a.c"}), json!("abc"), false),
        (json!({"$eq": "a"}), json!("xax"), false),
        (json!({"$eq": {"a": 1}}), json!({"a": 1.0}), true),
        (json!({"$eq": {"a": 1}}), json!({"a": 1, "b": 2}), false),
        (json!({"$eq": [1, 2]}), json!([1.0, 2]), true),
        (json!({"$eq": [1, 2]}), json!([0, 1, 2]), false),
        (json!({"$eq": []}), json!([1]), false),
        (json!({"$eq": {}}), json!({"a": 1}), false),
        (json!({"$eq": null}), json!(null), true),
        (json!({"a": {"$eq": null}}), json!({}), false),
        // Nothing is reserved in a literal.
        (json!({"$eq": {"$while": 1, "a": 2}}), json!({"$while": 1, "a": 2}), true),
    ]);
}

#[test]
fn re_is_a_regular_expression_over_strings() {
    rows(&[
        (json!({"$re": "b+"}), json!("abba"), true),
        (json!({"$re": "^b+"}), json!("abba"), false),
        (json!({"$re": "1"}), json!(1), false),
    ]);
}

#[test]
fn any_needs_one_and_all_needs_every_one() {
    rows(&[
        (json!({"$any": [1, "^a"]}), json!("abc"), true),
        (json!({"$any": [1, "^a"]}), json!(1.0), true),
        (json!({"$any": [1, "^a"]}), json!("b"), false),
        (json!({"$all": ["^a", "c$"]}), json!("abc"), true),
        (json!({"$all": ["^a", "c$"]}), json!("abd"), false),
        (json!({"$all": [{"a": 1}, {"b": 2}]}), json!({"a": 1, "b": 2}), true),
        (json!({"$all": [[1], [2]]}), json!([2, 1]), true),
        (json!({"a": {"$any": [1, 2]}}), json!({}), false),
        (json!({"a": {"$all": [1]}}), json!({}), false),
    ]);
}

#[test]
fn not_needs_the_key_to_be_present() {
    rows(&[
        (json!({"a": {"$not": "x"}}), json!({"a": "y"}), true),
        (json!({"a": {"$not": "x"}}), json!({"a": "x"}), false),
        (json!({"a": {"$not": "x"}}), json!({"a": 1}), true),
        (json!({"a": {"$not": "x"}}), json!({"a": null}), true),
        (json!({"a": {"$not": "x"}}), json!({}), false),
        (json!({"a": {"$not": {"$exists": false}}}), json!({}), false),
        (json!({"a": {"$not": {"$exists": false}}}), json!({"a": 1}), true),
        (json!({"$not": {"$not": 1}}), json!(1), true),
    ]);
}

#[test]
fn exists_tells_a_value_from_nothing_and_null() {
    rows(&[
        (json!({"a": {"$exists": true}}), json!({"a": 1}), true),
        (json!({"a": {"$exists": true}}), json!({"a": false}), true),
        (json!({"a": {"$exists": true}}), json!({"a": null}), false),
        (json!({"a": {"$exists": true}}), json!({}), false),
        (json!({"a": {"$exists": false}}), json!({"a": 1}), false),
        (json!({"a": {"$exists": false}}), json!({"a": null}), true),
        (json!({"a": {"$exists": false}}), json!({}), true),
        (json!({"a": {"$exists": false}}), json!([]), false),
        (json!([{"$exists": false}]), json!([1, null]), true),
    ]);
}

#[test]
fn a_member_may_be_absent_where_the_pattern_admits_it() {
    let optional = json!({"a": {"$any": [{"$exists": false}, "^ok$"]}});
    rows(&[
        (optional.clone(), json!({}), true),
        (optional.clone(), json!({"a": null}), true),
        (optional.clone(), json!({"a": "ok"}), true),
        (optional, json!({"a": "bad"}), false),
        (json!({"a": {"$all": [{"$exists": false}]}}), json!({}), true),
    ]);
}

#[test]
fn comparisons_are_exact_and_for_numbers_only() {
    rows(&[
        (json!({"$gt": 3}), json!(3.5), true),
        (json!({"$gt": 3}), json!(3), false),
        (json!({"$gte": 3}), json!(3.0), true),
        (json!({"$gte": 3}), json!(2.9), false),
        (json!({"$lt": 3}), json!(2), true),
        (json!({"$lt": 3}), json!(3.0), false),
        (json!({"$lte": 3}), json!(3), true),
        (json!({"$lte": 3}), json!(4), false),
        (json!({"$gt": 9_007_199_254_740_992.0}), json!(9_007_199_254_740_993_u64), true),
        (json!({"$lt": u64::MAX}), json!(18_446_744_073_709_551_616.0), false),
        (json!({"$gt": 3}), json!("4"), false),
        (json!({"$lt": 3}), json!(null), false),
        (json!({"a": {"$lt": 3}}), json!({}), false),
    ]);
}

#[test]
fn several_operators_in_one_object_hold_together() {
    rows(&[
        (json!({"$gte": 1, "$lt": 5}), json!(1), true),
        (json!({"$gte": 1, "$lt": 5}), json!(5), false),
        (json!({"$gte": 1, "$lt": 5}), json!(0), false),
        (json!({"$re": "^a", "$not": "z"}), json!("abc"), true),
        (json!({"$re": "^a", "$not": "z"}), json!("az"), false),
    ]);
}

#[test]
fn never_in_an_array_holds_between_anchors_or_to_the_end() {
    rows(&[
        (json!([1, {"$never": 9}, 2]), json!([9, 1, 3, 2, 9]), true),
        (json!([1, {"$never": 9}, 2]), json!([1, 9, 2]), false),
        (json!([1, {"$never": {}}]), json!([1, 2, 3]), true),
        (json!([1, {"$never": {}}]), json!([1, 2, {}]), false),
        (json!([{"$never": 2}, 2]), json!([1, 2]), true),
        (json!([{"$never": 0}]), json!([]), true),
    ]);
}

#[test]
fn times_in_an_array_bounds_the_run() {
    let two_or_three = json!([0, {"$times": {"of": 1, "min": 2, "max": 3}}, 2]);
    rows(&[
        (two_or_three.clone(), json!([0, 1, 1, 2]), true),
        (two_or_three.clone(), json!([0, 1, 1, 1, 5, 2]), true),
        (two_or_three.clone(), json!([0, 1, 2]), false),
        (two_or_three.clone(), json!([0, 1, 1, 1, 1, 2]), false),
        (two_or_three, json!([0, 5, 1, 1, 2]), false),
        (json!([{"$times": {"of": 1, "min": 2, "max": 2}}]), json!([1, 1]), true),
        (json!([{"$times": {"of": 1, "min": 2, "max": 2}}]), json!([1, 1, 0, 1]), true),
        (json!([{"$times": {"of": 1, "min": 2, "max": 2}}]), json!([1, 1, 1]), false),
        (json!([{"$times": {"of": 1, "min": 2}}]), json!([1]), false),
        (json!([{"$times": {"of": 1}}]), json!([]), true),
    ]);
}

#[test]
fn keys_are_looked_up_as_they_are_written() {
    rows(&[
        (json!({"": 1}), json!({"": 1}), true),
        (json!({"a.b": 1}), json!({"a": {"b": 1}}), false),
        (json!({"a$": 1}), json!({"a$": 1}), true),
    ]);
}
