//! The language once more, read straight from its description: recursive, over uncompiled JSON and whole lists, with no
//! thought for speed. Only for patterns without faults.

use std::cmp::Ordering;

use regex::Regex;
use serde_json::{Map, Number, Value};

/// How plain values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plain {
    /// Strings are regular expressions.
    Regex,
    /// Everything compares whole, as its text.
    Text,
}

/// Whether `candidate` (`None` if the key is absent) matches `pattern`.
pub(crate) fn matches(pattern: &Value, candidate: Option<&Value>, plain: Plain) -> bool {
    if let Value::Object(object) = pattern {
        if object.keys().any(|key| key.starts_with('$')) {
            return object.iter().all(|(key, operand)| operator(key, operand, candidate, plain));
        }
        return matches_object(object, candidate, plain);
    }
    match (pattern, candidate) {
        (_, None) => false,
        (Value::Array(elements), Some(candidate)) => {
            candidate.as_array().is_some_and(|candidates| matches_list(elements, candidates, plain))
        }
        (scalar, Some(candidate)) if plain == Plain::Text => same_text(scalar, candidate),
        (Value::String(regex), Some(candidate)) => finds(regex, candidate),
        (scalar, Some(candidate)) => equal(scalar, candidate),
    }
}

fn matches_object(object: &Map<String, Value>, candidate: Option<&Value>, plain: Plain) -> bool {
    let Some(Value::Object(candidate)) = candidate else { return false };
    object.iter().all(|(key, pattern)| matches(pattern, candidate.get(key), plain))
}

fn operator(key: &str, operand: &Value, candidate: Option<&Value>, plain: Plain) -> bool {
    let list = || operand.as_array().unwrap();
    let order = || match (candidate, operand) {
        (Some(Value::Number(found)), Value::Number(bound)) => Some(compare(found, bound)),
        _ => None,
    };
    match key {
        "$eq" => candidate.is_some_and(|candidate| equal(operand, candidate)),
        "$re" => candidate.is_some_and(|candidate| finds(operand.as_str().unwrap(), candidate)),
        "$any" => list().iter().any(|pattern| matches(pattern, candidate, plain)),
        "$all" => list().iter().all(|pattern| matches(pattern, candidate, plain)),
        "$not" => candidate.is_some() && !matches(operand, candidate, plain),
        "$exists" => operand.as_bool().unwrap() == candidate.is_some_and(|candidate| !candidate.is_null()),
        "$gt" => order() == Some(Ordering::Greater),
        "$gte" => matches!(order(), Some(Ordering::Greater | Ordering::Equal)),
        "$lt" => order() == Some(Ordering::Less),
        "$lte" => matches!(order(), Some(Ordering::Less | Ordering::Equal)),
        other => panic!("{other} is no operator"),
    }
}

/// Whether all of `candidates` satisfy the list: element by element, each looking as far ahead as it needs.
pub(crate) fn matches_list(elements: &[Value], candidates: &[Value], plain: Plain) -> bool {
    let mut cursor = 0;
    // Each `$never` since the last anchor, and where it began to hold.
    let mut forbidden: Vec<(&Value, usize)> = Vec::new();
    let holds = |forbidden: &[(&Value, usize)], end: usize| {
        forbidden.iter().all(|(pattern, from)| {
            !candidates[*from..end].iter().any(|candidate| matches(pattern, Some(candidate), plain))
        })
    };
    for element in elements {
        let run = |pattern: &Value| {
            candidates[cursor..]
                .iter()
                .take_while(|candidate| matches(pattern, Some(candidate), plain))
                .count()
        };
        if let Some(pattern) = element.get("$while") {
            cursor += run(pattern);
        } else if let Some(times) = element.get("$times") {
            let count = run(&times["of"]);
            let bound =
                |name: &str| times.get(name).map(|bound| usize::try_from(bound.as_u64().unwrap()).unwrap());
            if count < bound("min").unwrap_or(0) || count > bound("max").unwrap_or(usize::MAX) {
                return false;
            }
            cursor += count;
        } else if let Some(pattern) = element.get("$never") {
            forbidden.push((pattern, cursor));
        } else {
            let pattern = element.get("$until").unwrap_or(element);
            let anchor = |at: &usize| matches(pattern, Some(&candidates[*at]), plain);
            let Some(found) = (cursor..candidates.len()).find(anchor) else { return false };
            if !holds(&forbidden, found) {
                return false;
            }
            forbidden.clear();
            cursor = found + 1;
        }
    }
    holds(&forbidden, candidates.len())
}

fn finds(regex: &str, candidate: &Value) -> bool {
    candidate.as_str().is_some_and(|found| Regex::new(regex).unwrap().is_match(found))
}

fn same_text(scalar: &Value, candidate: &Value) -> bool {
    let text = |value: &Value| match value {
        Value::String(string) => string.clone(),
        other => other.to_string(),
    };
    match (scalar, candidate) {
        (_, Value::Array(_) | Value::Object(_)) => false,
        (Value::Number(left), Value::Number(right)) => compare(left, right).is_eq(),
        _ => text(scalar) == text(candidate),
    }
}

fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => compare(left, right).is_eq(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && (0..left.len()).all(|at| equal(&left[at], &right[at]))
        }
        (Value::Object(left), Value::Object(right)) => {
            let mut keys: Vec<_> = left.keys().chain(right.keys()).collect();
            keys.dedup();
            keys.iter().all(|key| match (left.get(*key), right.get(*key)) {
                (Some(left), Some(right)) => equal(left, right),
                _ => false,
            })
        }
        _ => left == right,
    }
}

/// By decimal digits: every number of the tests has a short exact decimal form.
fn compare(left: &Number, right: &Number) -> Ordering {
    fn scaled(number: &Number) -> i128 {
        let text = number.to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, "0"));
        let sign = if whole.starts_with('-') { -1 } else { 1 };
        whole.parse::<i128>().unwrap() * 10 + sign * fraction.parse::<i128>().unwrap()
    }
    scaled(left).cmp(&scaled(right))
}
