//! What is wrong with a pattern, where, and what to write instead.

use insta::assert_snapshot;
use serde_json::{Value, json};
use windtunnel_pattern::limits::{MAX_DEPTH, MAX_REGEX_LEN, MAX_VALUES};
use windtunnel_pattern::{FaultKind, Options, Pattern, PatternErrors, Segment, Sequence};

fn faults(pattern: &Value) -> PatternErrors {
    Pattern::compile(pattern, &Options::new()).unwrap_err()
}

fn list_faults(list: &Value) -> PatternErrors {
    Sequence::compile_value(list, &Options::new()).unwrap_err()
}

#[test]
fn all_faults_are_reported_at_once_in_document_order() {
    let list = json!([
        {"kind": "call", "detail": {"model": "gpt-("}},
        {"$whlie": {"kind": "call"}},
        {"$until": {"a": {"$gt": "1"}, "b": [{"$never": 1}, {"$times": {"min": 3, "max": 1, "of": 1}}]}},
        {"ok": true},
        {"x": {"$until": "["}},
    ]);
    assert_snapshot!(list_faults(&list), @r#"
    [0].detail.model: invalid regular expression /gpt-(/: unclosed group (write \ before a character that means itself, or {"$eq": …} for plain text)
    [1].$whlie: unknown key `$whlie`; keys that begin with `$` are reserved (did you mean `$while`?)
    [2].$until.a.$gt: `$gt` takes a number, found a string
    [2].$until.b[1].$times: `min` is 3 and `max` is 1: no run can be both
    [4].x.$until: `$until` has a meaning only as an element of a list (write it inside an array: [{"$until": …}])
    [4].x.$until: invalid regular expression /[/: unclosed character class (write \ before a character that means itself, or {"$eq": …} for plain text)
    "#);
}

#[test]
fn an_unknown_reserved_key_suggests_the_nearest_or_lists_all() {
    assert_snapshot!(faults(&json!({"a": {"$regex": "x"}})), @"a.$regex: unknown key `$regex`; keys that begin with `$` are reserved (did you mean `$re`?)");
    assert_snapshot!(faults(&json!({"$": 1})), @"$: unknown key `$`; keys that begin with `$` are reserved (operators are `$eq`, `$re`, `$any`, `$all`, `$not`, `$exists`, `$gt`, `$gte`, `$lt`, `$lte`; in a list also `$while`, `$until`, `$never`, `$times`)");
    assert_snapshot!(list_faults(&json!([{"$untill": {}}])), @"[0].$untill: unknown key `$untill`; keys that begin with `$` are reserved (did you mean `$until`?)");
}

#[test]
fn a_sentinel_outside_a_list_is_refused() {
    for sentinel in ["$while", "$until", "$never", "$times"] {
        for operand in [json!({}), json!({"of": 1})] {
            let places = [
                json!({sentinel: operand}),
                json!({"a": {sentinel: operand}}),
                json!({"$any": [{sentinel: operand}]}),
                json!({"$not": {sentinel: operand}}),
                json!([{"$while": {sentinel: operand}}]),
                json!([{"$times": {"of": {sentinel: operand}}}]),
            ];
            for place in places {
                let misplaced = |kind: &FaultKind| matches!(kind, FaultKind::Misplaced { .. });
                assert!(faults(&place).faults().iter().any(|fault| misplaced(fault.kind())), "{place}");
            }
        }
    }
    assert_snapshot!(faults(&json!({"a": {"$while": {"b": "("}}})), @r#"
    a.$while: `$while` has a meaning only as an element of a list (write it inside an array: [{"$while": …}])
    a.$while.b: invalid regular expression /(/: unclosed group (write \ before a character that means itself, or {"$eq": …} for plain text)
    "#);
}

#[test]
fn reserved_and_plain_keys_do_not_mix() {
    assert_snapshot!(faults(&json!({"a": "(", "$re": "x", "b": 1})), @r#"
    the plain key `a` stands beside `$re` (join them with `$all`: {"$all": [{…}, {"$…": …}]})
    a: invalid regular expression /(/: unclosed group (write \ before a character that means itself, or {"$eq": …} for plain text)
    "#);
    assert_eq!(faults(&json!({"a": 1, "$re": "x"})).faults().len(), 1);
    assert_snapshot!(list_faults(&json!([{"$while": {}, "$exists": true}, {"a": 1, "$until": {}}])), @"
    [0]: `$while` stands alone, but `$exists` stands beside it (write them as two elements)
    [1]: `$until` stands alone, but `a` stands beside it (write them as two elements)
    ");
}

#[test]
fn an_invalid_regular_expression_is_shown_with_the_reason() {
    assert_snapshot!(faults(&json!({"a": "x(y"})), @r#"a: invalid regular expression /x(y/: unclosed group (write \ before a character that means itself, or {"$eq": …} for plain text)"#);
    assert_snapshot!(faults(&json!({"a": {"$re": "*"}})), @r#"a.$re: invalid regular expression /*/: repetition operator missing expression (write \ before a character that means itself, or {"$eq": …} for plain text)"#);
}

#[test]
fn operands_of_the_wrong_kind_are_refused() {
    let pattern = json!({
        "a": {"$re": 1},
        "b": {"$any": {}},
        "c": {"$all": []},
        "d": {"$exists": "yes"},
        "e": {"$gt": "1"},
        "f": {"$gte": null},
        "g": {"$lt": [1]},
        "h": {"$lte": {}},
        "i": [{"$times": 3}],
    });
    assert_snapshot!(faults(&pattern), @"
    a.$re: `$re` takes a string, found a number
    b.$any: `$any` takes an array of patterns, found an object
    c.$all: `$all` takes at least one pattern
    d.$exists: `$exists` takes true or false, found a string
    e.$gt: `$gt` takes a number, found a string
    f.$gte: `$gte` takes a number, found null
    g.$lt: `$lt` takes a number, found an array
    h.$lte: `$lte` takes a number, found an object
    i[0].$times: `$times` takes an object of `of`, `min` and `max`, found a number
    ");
}

#[test]
fn times_says_what_it_counts_within_possible_bounds() {
    let list = json!([
        {"$times": {"min": 1}},
        {"$times": {"of": {}, "min": -1, "max": 1.5}},
        {"$times": {"of": {}, "min": 3, "max": 2}},
        {"$times": {"of": {}, "min": "1"}},
        {"$times": {"of": {}, "mni": 1}},
        {"$times": {"of": {}, "exactly": 1}},
        {"$times": {"of": {"$while": 1}}},
    ]);
    assert_snapshot!(list_faults(&list), @r#"
    [0].$times: `$times` lacks `of`, the pattern that it counts (write {"$times": {"of": …, "min": 1, "max": 2}})
    [1].$times.min: `min` is a whole number from 0 up, found -1
    [1].$times.max: `max` is a whole number from 0 up, found 1.5
    [2].$times: `min` is 3 and `max` is 2: no run can be both
    [3].$times.min: `min` is a whole number from 0 up, found "1"
    [4].$times.mni: `$times` has no key `mni` (it has `of`, `min`, `max`)
    [5].$times.exactly: `$times` has no key `exactly` (it has `of`, `min`, `max`)
    [6].$times.of.$while: `$while` has a meaning only as an element of a list (write it inside an array: [{"$while": …}])
    "#);
    assert_eq!(list_faults(&json!([{"$times": {"of": {}, "exactly": 1}}])).faults().len(), 1);
    assert!(
        Sequence::compile(&[json!({"$times": {"of": 1, "min": 2.0, "max": 2}})], &Options::new()).is_ok()
    );
}

#[test]
fn what_ought_to_be_a_list_is_one() {
    assert_snapshot!(list_faults(&json!({"kind": "call"})), @"expected a list of expectations, found an object");
}

#[test]
fn a_fault_has_its_path_in_segments() {
    let errors = list_faults(&json!([1, {"a": [{"$re": 1}]}]));
    let [fault] = errors.faults() else { panic!("{errors}") };
    let key = |key: &str| Segment::Key(key.to_owned());
    assert_eq!(fault.path().segments(), [Segment::Index(1), key("a"), Segment::Index(0), key("$re")]);
    assert_eq!(fault.message(), "`$re` takes a string, found a number");
    assert_eq!(fault.help(), None);
}

fn nested(levels: usize, wrap: impl Fn(Value) -> Value) -> Value {
    (0..levels).fold(json!(1), |inner, _| wrap(inner))
}

#[test]
fn depth_is_limited() {
    let wraps: [fn(Value) -> Value; 3] =
        [|inner| json!({"a": inner}), |inner| json!([inner]), |inner| json!({"$not": inner})];
    for wrap in wraps {
        assert!(Pattern::compile(&nested(MAX_DEPTH, wrap), &Options::new()).is_ok());
        let errors = faults(&nested(MAX_DEPTH + 1, wrap));
        assert_eq!(errors.faults().len(), 1);
        assert_eq!(errors.faults()[0].message(), "nested deeper than 64 levels");
    }
    assert!(
        Pattern::compile(&json!({"$eq": nested(MAX_DEPTH + 1, |inner| json!([inner]))}), &Options::new())
            .is_err()
    );
}

#[test]
fn depth_far_beyond_the_limit_is_only_a_fault() {
    let deep = nested(100_000, |inner| Value::Array(vec![inner]));
    assert_eq!(faults(&deep).faults().len(), 1);
    // Dropping it would recurse through all of it.
    std::mem::forget(deep);
}

#[test]
fn the_number_of_values_is_limited() {
    let list = |len: usize| Value::Array(vec![json!(1); len]);
    assert!(Sequence::compile_value(&list(MAX_VALUES), &Options::new()).is_ok());
    let errors = list_faults(&list(MAX_VALUES + 1));
    assert_eq!(errors.to_string(), format!("[{MAX_VALUES}]: more than {MAX_VALUES} values in one pattern"));
    assert!(Pattern::compile(&json!({"$eq": list(MAX_VALUES)}), &Options::new()).is_err());
    // Faults are values too, so their number is limited with them.
    let unknown: serde_json::Map<_, _> = (0..2 * MAX_VALUES).map(|n| (format!("$x{n}"), json!(1))).collect();
    assert!(faults(&Value::Object(unknown)).faults().len() <= MAX_VALUES + 1);
}

#[test]
fn regular_expressions_are_limited_in_length_and_in_memory() {
    assert!(Pattern::compile(&json!("a".repeat(MAX_REGEX_LEN)), &Options::new()).is_ok());
    assert_snapshot!(faults(&json!({"a": "a".repeat(MAX_REGEX_LEN + 1)})), @"a: a regular expression of 8193 bytes, the limit is 8192");
    assert_snapshot!(faults(&json!({"a": r"(\w{100}){100}"})), @r#"a: regular expression /(\w{100}){100}/ takes more than 1048576 bytes compiled (lower its repetition counts)"#);
}
