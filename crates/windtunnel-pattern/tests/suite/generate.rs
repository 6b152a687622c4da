//! Random patterns and values over an alphabet so small that they often match.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const KEYS: [&str; 3] = ["a", "b", "c"];

fn number() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!(0),
        json!(1),
        json!(1.0),
        json!(-1),
        json!(0.5),
        json!(9_007_199_254_740_992_u64),
        json!(9_007_199_254_740_993_u64),
        json!(9_007_199_254_740_992.0),
        json!(u64::MAX),
        json!(i64::MIN),
    ])
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => prop::sample::select(vec!["a", "b", "ab", "", "1"]).prop_map(|text| json!(text)),
        3 => prop::sample::select(vec![json!(0), json!(1), json!(1.0)]),
        1 => number(),
        1 => any::<bool>().prop_map(|truth| json!(truth)),
        1 => Just(json!(null)),
    ]
}

fn object(member: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    vec((prop::sample::select(&KEYS[..]), member), 0..3).prop_map(|members| {
        Value::Object(
            members.into_iter().map(|(key, member)| (key.to_owned(), member)).collect::<Map<_, _>>(),
        )
    })
}

/// A candidate.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![vec(inner.clone(), 0..5).prop_map(Value::Array), object(inner)]
    })
}

fn plain_pattern() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => scalar(),
        2 => prop::sample::select(vec!["^a", "b$", "^$", "a|b", "."]).prop_map(|regex| json!(regex)),
        1 => Just(json!({})),
        1 => prop::sample::select(vec!["^a", "b$", "1"]).prop_map(|regex| json!({"$re": regex})),
        1 => any::<bool>().prop_map(|exists| json!({"$exists": exists})),
        1 => value().prop_map(|literal| json!({"$eq": literal})),
        1 => (prop::sample::select(vec!["$gt", "$gte", "$lt", "$lte"]), number())
            .prop_map(|(bound, operand)| json!({bound: operand})),
        1 => (number(), number()).prop_map(|(low, high)| json!({"$gte": low, "$lt": high})),
    ]
}

fn element(pattern: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let bounds = (0_u64..3, prop::option::of(0_u64..3));
    (pattern, 0..8, bounds).prop_map(|(pattern, form, (min, extra))| match form {
        0 => json!({"$while": pattern}),
        1 => json!({"$until": pattern}),
        2 => json!({"$never": pattern}),
        3 => json!({"$times": {"of": pattern}}),
        4 => match extra {
            Some(extra) => json!({"$times": {"of": pattern, "min": min, "max": min + extra}}),
            None => json!({"$times": {"of": pattern, "min": min}}),
        },
        _ => pattern,
    })
}

/// A pattern without faults.
pub(crate) fn pattern() -> impl Strategy<Value = Value> {
    plain_pattern().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            3 => object(inner.clone()),
            3 => vec(element(inner.clone()), 0..4).prop_map(Value::Array),
            1 => vec(inner.clone(), 1..3).prop_map(|patterns| json!({"$any": patterns})),
            1 => vec(inner.clone(), 1..3).prop_map(|patterns| json!({"$all": patterns})),
            1 => inner.prop_map(|pattern| json!({"$not": pattern})),
        ]
    })
}

/// A list of expectations without faults.
pub(crate) fn list() -> impl Strategy<Value = Vec<Value>> {
    vec(element(prop_oneof![2 => plain_pattern().boxed(), 1 => pattern().boxed()]), 0..6)
}

/// JSON in which reserved keys are frequent and mostly wrong.
pub(crate) fn anything() -> impl Strategy<Value = Value> {
    let key = prop_oneof![
        prop::sample::select(vec![
            "$eq", "$re", "$any", "$all", "$not", "$exists", "$gt", "$lte", "$while", "$until", "$never",
            "$times", "of", "min", "max", "a",
        ])
        .prop_map(str::to_owned),
        "\\$?[a-z]{0,5}",
    ];
    let leaf = prop_oneof![scalar(), number(), "[a-z().*\\[\\\\{}|+?^$-]{0,6}".prop_map(Value::String)];
    leaf.prop_recursive(6, 40, 5, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::Array),
            vec((key.clone(), inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
