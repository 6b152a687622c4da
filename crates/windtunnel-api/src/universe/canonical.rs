//! When two calls are the same: arguments in their one spelling, which neither the order of keys nor the form of numbers changes.
//!
//! ```
//! use serde_json::json;
//! use windtunnel_api::universe::canonical;
//!
//! assert!(canonical::same(&json!({"a": 1, "b": 2}), &json!({"b": 2.0, "a": 1.0})));
//! assert!(!canonical::same(&json!({"a": 1}), &json!({"a": "1"})));
//! ```

use std::fmt::Write;

use serde_json::{Map, Number, Value};

/// Whole numbers below this are told apart as floating point numbers, 2^64.
const WHOLE: f64 = 18_446_744_073_709_551_616.0;

/// The spelling of arguments.
pub fn of_map(map: &Map<String, Value>) -> String {
    let mut text = String::new();
    write_map(map, &mut text);
    text
}

/// The spelling of the declared keys alone; one that is not there is told from one that is null.
pub fn of_keys(map: &Map<String, Value>, keys: &[String]) -> String {
    let mut text = String::new();
    for key in keys {
        match map.get(key) {
            Some(value) => write_value(value, &mut text),
            None => text.push('-'),
        }
        text.push(',');
    }
    text
}

/// Whether two values have the same spelling.
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => spelled(one) == spelled(other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| same(one, other)))
        }
        _ => one == other,
    }
}

fn write_value(value: &Value, text: &mut String) {
    match value {
        Value::Number(number) => text.push_str(&spelled(number)),
        Value::Array(values) => {
            text.push('[');
            for value in values {
                write_value(value, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(map) => write_map(map, text),
        // Writing to a string cannot fail.
        plain => drop(write!(text, "{plain}")),
    }
}

fn write_map(map: &Map<String, Value>, text: &mut String) {
    let mut entries: Vec<(&String, &Value)> = map.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    text.push('{');
    for (key, value) in entries {
        let _ = write!(text, "{}:", Value::from(key.as_str()));
        write_value(value, text);
        text.push(',');
    }
    text.push('}');
}

/// `1`, `1.0` and `1e0` are one number.
fn spelled(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < WHOLE => {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^64 is one of i128")]
            let whole = float as i128;
            whole.to_string()
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(text: &str) -> Map<String, Value> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn order_of_keys_and_form_of_numbers_make_no_difference() {
        for (one, other) in [
            (
                r#"{"a": 1, "b": {"x": [1, 2], "y": null}}"#,
                r#"{"b": {"y": null, "x": [1.0, 2e0]}, "a": 1.0}"#,
            ),
            (r#"{"n": 10000000000000000000}"#, r#"{"n": 1e19}"#),
            (r#"{"n": 0}"#, r#"{"n": -0.0}"#),
            (r#"{"n": 0.5}"#, r#"{"n": 5e-1}"#),
            (r#"{"s": "\u0041"}"#, r#"{"s": "A"}"#),
        ] {
            assert_eq!(of_map(&map(one)), of_map(&map(other)));
            assert!(same(&map(one).into(), &map(other).into()), "{one} {other}");
        }
    }

    #[test]
    fn everything_else_makes_one() {
        for (one, other) in [
            (r#"{"a": 1}"#, r#"{"a": "1"}"#),
            (r#"{"a": 1}"#, r#"{"a": true}"#),
            (r#"{"a": null}"#, "{}"),
            (r#"{"a": [1, 2]}"#, r#"{"a": [2, 1]}"#),
            (r#"{"a": [[1], 2]}"#, r#"{"a": [[1, 2]]}"#),
            (r#"{"a": 9007199254740993}"#, r#"{"a": 9007199254740992}"#),
            (r#"{"a": "b,c"}"#, r#"{"a": ["b", "c"]}"#),
            (r#"{"a": 1}"#, r#"{"A": 1}"#),
        ] {
            assert_ne!(of_map(&map(one)), of_map(&map(other)));
            assert!(!same(&map(one).into(), &map(other).into()), "{one} {other}");
        }
    }

    #[test]
    fn only_declared_keys_count_and_a_missing_one_is_not_null() {
        let keys = ["id".to_owned(), "at".to_owned()];
        let of = |value: Value| of_keys(value.as_object().unwrap(), &keys);
        assert_eq!(of(json!({"id": 7, "trace": "x"})), of(json!({"trace": "y", "id": 7.0})));
        assert_ne!(of(json!({"id": 7})), of(json!({"id": 7, "at": null})));
        assert_ne!(of(json!({"id": 7})), of(json!({"at": 7})));
    }
}
