//! What matching costs as candidates grow.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use windtunnel_pattern::{FieldRule, Options, Step, Window};

use crate::common::{pattern, sequence};

/// Counts how often the field `n` is compared.
fn counting() -> (Options, Arc<AtomicUsize>) {
    let comparisons = Arc::new(AtomicUsize::new(0));
    let counter = comparisons.clone();
    let rule = FieldRule::custom(move |expected, object| {
        counter.fetch_add(1, Ordering::Relaxed);
        object.get("n").and_then(Value::as_str) == Some(expected)
    });
    (Options::new().field("n", rule), comparisons)
}

#[test]
fn a_candidate_costs_no_more_than_the_list_is_long() {
    let list = json!([
        {"$while": {"n": "a"}},
        {"$never": {"n": "x"}},
        {"$times": {"of": {"n": "b"}, "min": 0}},
        {"$never": {"n": "y"}},
        {"n": "c"},
        {"$until": {"n": "d"}},
    ]);
    for (run, length) in ["a", "b", "z", "ab", "cz"].iter().zip([1, 10, 1_000, 20_000, 20_000]) {
        let (options, comparisons) = counting();
        let mut matcher = sequence(&list, &options).matcher();
        for letter in run.chars().cycle().take(length) {
            matcher.push(&json!({"n": letter.to_string()}));
        }
        // Each element is tried once, and each `$never` once more.
        assert!(
            comparisons.load(Ordering::Relaxed) <= length * (list.as_array().unwrap().len() + 2),
            "{run}"
        );
    }
}

#[test]
fn near_misses_are_explained_no_more_often_than_the_expectation_has_parts() {
    let (options, comparisons) = counting();
    let mut matcher = sequence(&json!([{"n": "a", "b": 1, "c": 2}]), &options).matcher();
    let candidates = 10_000;
    for n in 0..candidates {
        matcher.push(&json!({"n": "a", "b": 1, "c": n + 3}));
    }
    // One comparison per candidate; explaining compares again.
    assert!(comparisons.load(Ordering::Relaxed) <= candidates + 6);
}

#[test]
fn nested_arrays_are_walked_once() {
    // Anything quadratic in the inner arrays would take hours here.
    let inner: Vec<_> = (0..100_000).map(|n| json!([n, "x"])).collect();
    let candidate = json!({"a": inner});
    let pattern = pattern(&json!({"a": [[1, "x"], {"$while": ["x"]}, [{"$until": "y"}]]}), &Options::new());
    assert!(!pattern.matches(&candidate));
    assert!(pattern.explain(&candidate).is_some());
}

#[test]
fn matching_recurses_no_deeper_than_the_pattern() {
    let mut deep = json!("leaf");
    for _ in 0..100_000 {
        deep = Value::Object([("a".to_owned(), Value::Array(vec![deep]))].into_iter().collect());
    }
    let rows =
        [json!({"a": [{"a": [{"a": "x"}]}]}), json!({"$eq": {"a": [1]}}), json!({"$not": {}}), json!([])];
    for written in rows {
        let pattern = pattern(&written, &Options::new());
        assert!(!pattern.matches(&deep));
        assert!(pattern.explain(&deep).is_some());
    }
    let mut matcher = sequence(&json!([{"$never": {"a": [{}]}}, "x"]), &Options::new()).matcher();
    assert_eq!(matcher.push(&deep), Step::Failed);
    let mut window = Window::new();
    window.push(&deep);
    assert!(window.to_string().len() < 1_000);
    // Dropping it would recurse through all of it.
    std::mem::forget(deep);
}
