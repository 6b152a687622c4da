//! Equality, order and text of JSON values.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};

use serde_json::{Number, Value};

/// Whether two values are the same JSON value: numbers by their exact value (`3` equals `3.0`), members of objects in
/// any order. Recurses no deeper than the shallower of the two.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => compare(left, right) == Ordering::Equal,
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| equal(left, right)))
        }
        _ => left == right,
    }
}

/// The order of two numbers by their exact values; no integer is rounded to a float on the way.
pub(crate) fn compare(left: &Number, right: &Number) -> Ordering {
    match (Exact::of(left), Exact::of(right)) {
        (Exact::Int(left), Exact::Int(right)) => left.cmp(&right),
        (Exact::Int(left), Exact::Float(right)) => compare_mixed(left, right),
        (Exact::Float(left), Exact::Int(right)) => compare_mixed(right, left).reverse(),
        // A JSON number is never NaN, and -0.0 equals 0.0 here.
        (Exact::Float(left), Exact::Float(right)) => left.partial_cmp(&right).unwrap_or(Ordering::Equal),
    }
}

/// Where a number has to lie, seen from an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Above,
    AtLeast,
    Below,
    AtMost,
}

impl Bound {
    /// Whether a number in this order to the operand lies there.
    pub(crate) fn admits(self, order: Ordering) -> bool {
        match self {
            Self::Above => order.is_gt(),
            Self::AtLeast => order.is_ge(),
            Self::Below => order.is_lt(),
            Self::AtMost => order.is_le(),
        }
    }
}

/// The number as a count: a whole number from 0 to `u64::MAX`, in either notation.
pub(crate) fn as_count(number: &Number) -> Option<u64> {
    match Exact::of(number) {
        Exact::Int(int) => u64::try_from(int).ok(),
        Exact::Float(float) if float.fract() == 0.0 => u64::try_from(truncate(float)).ok(),
        Exact::Float(_) => None,
    }
}

/// The text of a plain value, as `text_is` compares it; `None` for arrays and objects.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(string) => Some(string.clone()),
        Value::Array(_) | Value::Object(_) => None,
        plain => Some(plain.to_string()),
    }
}

/// Whether `value` is a plain value with exactly this text. Allocates nothing.
pub(crate) fn text_is(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string == text,
        Value::Number(number) => {
            let mut rest = Remaining(text);
            write!(rest, "{number}").is_ok() && rest.0.is_empty()
        }
        Value::Bool(true) => text == "true",
        Value::Bool(false) => text == "false",
        Value::Null => text == "null",
        Value::Array(_) | Value::Object(_) => false,
    }
}

/// The kind of a value, with its article, as messages name it.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

enum Exact {
    Int(i128),
    Float(f64),
}

impl Exact {
    fn of(number: &Number) -> Self {
        number.as_i128().map_or_else(|| Self::Float(number.as_f64().unwrap_or_default()), Self::Int)
    }
}

fn compare_mixed(int: i128, float: f64) -> Ordering {
    let fraction = || 0.0.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal);
    int.cmp(&truncate(float)).then_with(fraction)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates, far outside the range of JSON integers"
)]
fn truncate(float: f64) -> i128 {
    float as i128
}

/// The part of an expected text that has not been written yet; writing anything else is an error.
struct Remaining<'t>(&'t str);

impl fmt::Write for Remaining<'_> {
    fn write_str(&mut self, written: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(written).ok_or(fmt::Error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn number(text: &str) -> Number {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn numbers_compare_by_exact_value_in_every_notation() {
        let ascending = [
            "-1e300",
            "-9223372036854775809.0",
            "-9223372036854775807",
            "-1.5",
            "-1",
            "-0.5",
            "0",
            "0.5",
            "3",
            "3.5",
            "9007199254740992",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            "18446744073709551616.0",
            "1e300",
        ];
        for (i, left) in ascending.iter().enumerate() {
            for (j, right) in ascending.iter().enumerate() {
                assert_eq!(compare(&number(left), &number(right)), i.cmp(&j), "{left} against {right}");
            }
        }
    }

    #[test]
    fn notation_does_not_matter() {
        for (left, right) in
            [("3", "3.0"), ("0", "-0.0"), ("9007199254740992", "9007199254740992.0"), ("100", "1e2")]
        {
            assert_eq!(compare(&number(left), &number(right)), Ordering::Equal, "{left} and {right}");
        }
        assert_ne!(compare(&number("9007199254740993"), &number("9007199254740992.0")), Ordering::Equal);
    }

    #[test]
    fn equality_reaches_into_arrays_and_objects() {
        assert!(equal(&json!({"a": [1, 2.0], "b": null}), &json!({"b": null, "a": [1.0, 2]})));
        assert!(!equal(&json!([1, 2]), &json!([1])));
        assert!(!equal(&json!({"a": 1}), &json!({"a": 1, "b": 2})));
        assert!(!equal(&json!({"a": null}), &json!({"b": null})));
        assert!(!equal(&json!(1), &json!("1")));
        assert!(!equal(&json!(true), &json!(1)));
    }

    #[test]
    fn counts_are_whole_and_not_negative() {
        assert_eq!(as_count(&number("2")), Some(2));
        assert_eq!(as_count(&number("2.0")), Some(2));
        assert_eq!(as_count(&number("18446744073709551615")), Some(u64::MAX));
        for refused in ["-1", "-1.0", "2.5", "1e300"] {
            assert_eq!(as_count(&number(refused)), None, "{refused}");
        }
    }

    #[test]
    fn text_of_plain_values_is_what_text_is_compares() {
        for value in [json!("a b"), json!(3), json!(-7), json!(0.5), json!(true), json!(false), json!(null)] {
            let text = text(&value).unwrap();
            assert!(text_is(&value, &text));
            assert!(!text_is(&value, &format!("{text}0")));
            assert!(!text_is(&value, &text[1..]));
        }
        assert_eq!(text(&json!([])), None);
        assert!(!text_is(&json!(["a"]), "[\"a\"]"));
    }
}
