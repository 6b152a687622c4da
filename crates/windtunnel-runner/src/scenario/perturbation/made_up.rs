//! Calls and results that never happened, made from a tool's schemas, the same ones every time.

use serde_json::{Map, Value, json};
use windtunnel_api::shape::{self, Filling};

use super::target::Target;

/// Arguments that the tool could be called with.
pub(super) fn arguments(target: &Target<'_>) -> Map<String, Value> {
    match shape::value(target.arguments(), Filling::Plausible { items: 1 }) {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    }
}

/// The same arguments under names that the tool does not know.
pub(super) fn misnamed(arguments: Map<String, Value>) -> Map<String, Value> {
    if arguments.is_empty() {
        return Map::from_iter([("input".to_owned(), Value::String(String::new()))]);
    }
    arguments.into_iter().map(|(name, value)| (other_name(&name), value)).collect()
}

/// `order_id` becomes `orderId`, `orderId` becomes `order_id`, and `path` becomes `path_value`.
fn other_name(name: &str) -> String {
    if name.contains('_') {
        let mut words = name.split('_').filter(|word| !word.is_empty());
        let first = words.next().unwrap_or(name).to_owned();
        let camel = words.fold(first, |name, word| {
            let mut letters = word.chars();
            let initial = letters.next().into_iter().flat_map(char::to_uppercase);
            name + &initial.chain(letters).collect::<String>()
        });
        // What is no more than underscores around one word would keep its name.
        return if camel == name { format!("{name}_value") } else { camel };
    }
    if name.contains(char::is_uppercase) {
        let mut snake = String::new();
        for letter in name.chars() {
            if letter.is_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.extend(letter.to_lowercase());
        }
        return snake;
    }
    format!("{name}_value")
}

/// Arguments under the right names and with values that the schema does not allow, and what a validator says of them.
pub(super) fn rejected(target: &Target<'_>) -> (Map<String, Value>, String) {
    let mut arguments = arguments(target);
    let Some((name, value)) = arguments.iter_mut().next() else {
        arguments.insert("unexpected".to_owned(), Value::Bool(true));
        let why = format!("Input validation error in {}: `unexpected` was unexpected", target.tool);
        return (arguments, why);
    };
    let wrong = match value {
        Value::String(_) => json!(-1),
        Value::Number(_) => json!("not-a-number"),
        Value::Bool(_) => json!("maybe"),
        Value::Array(_) | Value::Object(_) | Value::Null => json!("none"),
    };
    let why = format!("Input validation error in {}: {wrong} is not valid for `{name}`", target.tool);
    *value = wrong;
    (arguments, why)
}

/// A result that the tool could have given.
pub(super) fn result(target: &Target<'_>, arguments: &Map<String, Value>) -> Value {
    if let Some(schema) = target.results() {
        return shape::value(Some(schema), Filling::Plausible { items: 1 });
    }
    let mut result = Map::from_iter([("status".to_owned(), json!("ok"))]);
    result.extend(arguments.clone());
    result.into()
}

/// The first page of a result, of which there is more.
pub(super) fn first_page(target: &Target<'_>, arguments: &Map<String, Value>) -> Value {
    let page = match target.results() {
        Some(schema) => shape::value(Some(schema), Filling::Plausible { items: 2 }),
        None => json!({ "items": [result(target, arguments)] }),
    };
    let mut page = match page {
        Value::Object(page) => page,
        other => Map::from_iter([("items".to_owned(), other)]),
    };
    page.insert("hasMore".to_owned(), Value::Bool(true));
    page.into()
}

/// What a memory under this key may once have said: a number that has nothing to do with anything.
pub(super) fn memory(key: &str) -> String {
    // FNV-1a, so that a key always has the same number.
    let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (100 + hash % 900).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_argument_keeps_its_name() {
        for (name, other) in [
            ("order_id", "orderId"),
            ("orderId", "order_id"),
            ("path", "path_value"),
            ("_", "__value"),
            ("a_", "a"),
            ("ID", "i_d"),
            ("_id", "id"),
        ] {
            assert_eq!(other_name(name), other);
        }
        assert_eq!(Value::from(misnamed(Map::new())), json!({"input": ""}));
    }

    #[test]
    fn a_key_always_remembers_the_same() {
        assert_eq!(memory("delivery address"), memory("delivery address"));
        assert_ne!(memory("delivery address"), memory("refund limit"));
    }
}
