//! JSON from the fuzzer's bytes: shallow, and full of the keys that mean something.

use libfuzzer_sys::arbitrary::Unstructured;
use serde_json::{Number, Value};

/// Which keys its objects have.
#[derive(Clone, Copy)]
pub enum Keys {
    /// Those of candidates.
    Plain,
    /// Those of patterns.
    Reserved,
}

const PLAIN: [&str; 3] = ["a", "b", "c"];

const RESERVED: [&str; 20] = [
    "$eq", "$re", "$any", "$all", "$not", "$exists", "$gt", "$gte", "$lt", "$lte", "$while", "$until",
    "$never", "$times", "of", "min", "max", "a", "b", "$x",
];

const MAX_DEPTH: usize = 6;

/// A list of values, as long as the bytes last.
pub fn list(source: &mut Unstructured<'_>, keys: Keys) -> Vec<Value> {
    items(source, 12, |source| value(source, keys, MAX_DEPTH))
}

fn value(source: &mut Unstructured<'_>, keys: Keys, depth: usize) -> Value {
    let form = source.int_in_range(0..=if depth == 0 { 6 } else { 11 }).unwrap_or_default();
    match form {
        0 => Value::Null,
        1 => Value::Bool(source.arbitrary().unwrap_or_default()),
        2 => Value::from(source.int_in_range(0..=3_u64).unwrap_or_default()),
        3 => Value::from(source.arbitrary::<i64>().unwrap_or_default()),
        4 => Number::from_f64(source.arbitrary().unwrap_or_default()).map_or(Value::Null, Value::Number),
        5 => Value::from(source.choose(&["a", "ab", "^a", "b$", ""]).copied().unwrap_or_default()),
        6 => Value::from(source.arbitrary::<&str>().unwrap_or_default()),
        7 | 8 => Value::Array(items(source, 6, |source| value(source, keys, depth - 1))),
        _ => {
            let member = |source: &mut Unstructured<'_>| (key(source, keys), value(source, keys, depth - 1));
            Value::Object(items(source, 3, member).into_iter().collect())
        }
    }
}

fn key(source: &mut Unstructured<'_>, keys: Keys) -> String {
    let names: &[&str] = match keys {
        Keys::Plain => &PLAIN,
        Keys::Reserved => &RESERVED,
    };
    source.choose(names).copied().unwrap_or("a").to_owned()
}

fn items<T>(
    source: &mut Unstructured<'_>,
    most: usize,
    mut item: impl FnMut(&mut Unstructured<'_>) -> T,
) -> Vec<T> {
    let len = source.int_in_range(0..=most).unwrap_or_default();
    (0..len).map(|_| item(source)).collect()
}
