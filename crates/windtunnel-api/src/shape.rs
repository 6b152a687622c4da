//! Values in the shape of a JSON Schema, the same ones every time.

use std::cell::Cell;

use serde_json::{Map, Value};

/// Schemas inside each other, references followed; deeper ones count as saying nothing.
const DEEPEST: usize = 32;
/// Schemas that are followed for one value, with what is copied into it; those beyond count as saying nothing, and lists are shorter.
const MOST: usize = 10_000;
/// Bytes of a copied text that count as much as one schema.
const BYTES_OF_TEXT: usize = 64;
/// Properties that a plausible object has where the schema requires none.
const MOST_PROPERTIES: usize = 8;

/// What a value is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filling {
    /// As little as possible.
    Empty,
    /// Something that could be meant, with so many items in a list.
    Plausible {
        /// Items of a list.
        items: usize,
    },
}

/// A value of this shape.
///
/// ```text
/// schema                       empty                            plausible
/// const, enum                  that value, the first one        the same
/// $ref within the schema       what it refers to                the same
/// default, examples            -                                that value, the first one
/// object                       its required properties          the same, or its first ones where none is required
/// array                        []                               so many items
/// string                       ""                               by its format, else its property's name and a number
/// number, integer              0                                its minimum, else 1
/// boolean                      false                            true
/// null                         null                             null
/// several types                the first                        the first
/// anyOf, oneOf                 the first                        the first
/// allOf                        the objects that all want        the same
/// anything else, or no schema  {}                               {}
/// ```
///
/// Other bounds, such as `minItems` or `pattern`, are not looked at.
///
/// ```
/// use serde_json::json;
/// use windtunnel_api::shape::{Filling, value};
///
/// let schema = json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "n": {}}});
/// assert_eq!(value(Some(&schema), Filling::Empty), json!({"id": ""}));
/// assert_eq!(value(Some(&schema), Filling::Plausible { items: 1 }), json!({"id": "id-1"}));
/// ```
pub fn value(schema: Option<&Value>, filling: Filling) -> Value {
    schema.map_or_else(nothing, |root| Shape { root, filling, left: Cell::new(MOST) }.of(root, "value", 0))
}

fn nothing() -> Value {
    Value::Object(Map::new())
}

struct Shape<'s> {
    root: &'s Value,
    filling: Filling,
    /// Of [`MOST`].
    left: Cell<usize>,
}

impl Shape<'_> {
    /// A value of this schema, for the property of this name.
    fn of(&self, schema: &Value, name: &str, depth: usize) -> Value {
        if depth > DEEPEST || !self.spend(1) {
            return nothing();
        }
        let list = |field: &str| schema.get(field).and_then(Value::as_array);
        if let Some(only) = schema.get("const").or_else(|| list("enum")?.first()) {
            return self.copy(only);
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let referred = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            return referred.map_or_else(nothing, |schema| self.of(schema, name, depth + 1));
        }
        if let Filling::Plausible { .. } = self.filling
            && let Some(given) = schema.get("default").or_else(|| list("examples")?.first())
        {
            return self.copy(given);
        }
        if let Some(first) = list("anyOf").or_else(|| list("oneOf")).and_then(|choices| choices.first()) {
            return self.of(first, name, depth + 1);
        }
        let kind = schema.get("type");
        let kind = kind.and_then(Value::as_array).and_then(|kinds| kinds.first()).or(kind);
        match (kind.and_then(Value::as_str), self.filling) {
            (Some("null"), _) => Value::Null,
            (Some("array"), Filling::Empty) => Value::Array(Vec::new()),
            (Some("array"), Filling::Plausible { items }) => {
                let before = self.left.get();
                let item = schema.get("items").map_or_else(nothing, |item| self.of(item, name, depth + 1));
                let weight = (before - self.left.get()).max(1);
                let more = items.saturating_sub(1).min(self.left.get() / weight);
                self.left.set(self.left.get() - more * weight);
                Value::Array(vec![item; items.min(1 + more)])
            }
            (Some("string"), Filling::Empty) => Value::String(String::new()),
            (Some("string"), Filling::Plausible { .. }) => text(schema, name).into(),
            (Some("number" | "integer"), Filling::Empty) => Value::from(0),
            (Some("number" | "integer"), Filling::Plausible { .. }) => {
                schema.get("minimum").filter(|least| least.is_number()).cloned().unwrap_or(Value::from(1))
            }
            (Some("boolean"), filling) => Value::Bool(filling != Filling::Empty),
            _ => self.object(schema, depth).into(),
        }
    }

    /// Whether as much is left, which is gone then.
    fn spend(&self, weight: usize) -> bool {
        let left = self.left.get().checked_sub(weight);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// What the schema itself has written.
    fn copy(&self, written: &Value) -> Value {
        if self.spend(weight(written)) { written.clone() } else { nothing() }
    }

    fn object(&self, schema: &Value, depth: usize) -> Map<String, Value> {
        let list = |field: &str| schema.get(field).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut object = Map::new();
        for part in list("allOf") {
            if self.left.get() == 0 {
                break;
            }
            if let Value::Object(part) = self.of(part, "value", depth + 1) {
                object.extend(part);
            }
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut names: Vec<&str> = list("required").iter().filter_map(Value::as_str).collect();
        if let (Filling::Plausible { .. }, true, Some(properties)) =
            (self.filling, names.is_empty(), properties)
        {
            names.extend(properties.keys().take(MOST_PROPERTIES).map(String::as_str));
        }
        for name in names {
            if self.left.get() == 0 {
                break;
            }
            let property = properties.and_then(|properties| properties.get(name));
            let value = match property {
                Some(property) => self.of(property, name, depth + 1),
                None => self.copy(&Value::Null),
            };
            object.insert(name.to_owned(), value);
        }
        object
    }
}

/// What a copy counts.
fn weight(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(fields) => fields.values().map(weight).sum(),
        Value::String(text) => text.len() / BYTES_OF_TEXT,
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

fn text(schema: &Value, name: &str) -> String {
    match schema.get("format").and_then(Value::as_str) {
        Some("date") => "2025-01-31".to_owned(),
        Some("date-time") => "2025-01-31T09:30:00Z".to_owned(),
        Some("time") => "09:30:00Z".to_owned(),
        Some("email") => format!("{name}@example.com"),
        Some("uri" | "url") => format!("https://example.com/{name}"),
        Some("uuid") => "3f1f9a52-6d0e-4c55-9d3b-2f8a1c7e4b10".to_owned(),
        _ => format!("{name}-1"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_row_of_the_table() {
        let page = json!({
            "type": "object",
            "properties": {
                "orders": {"type": "array", "items": {"type": "integer", "minimum": 7}},
                "page": {"$ref": "#/$defs/page"},
                "hint": {"type": "string"},
            },
            "required": ["orders", "page", "free"],
            "$defs": {"page": {"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}},
        });
        let all = json!({"allOf": [
            {"required": ["a"], "properties": {"a": {"type": "string"}}},
            {"required": ["b"], "properties": {"b": {"type": "boolean"}}},
        ]});
        for (schema, empty, plausible) in [
            (json!({"const": 3}), json!(3), json!(3)),
            (json!({"type": "string", "enum": ["open", "closed"]}), json!("open"), json!("open")),
            (json!({"type": "string", "default": "x"}), json!(""), json!("x")),
            (json!({"type": "integer", "examples": [75]}), json!(0), json!(75)),
            (json!({"type": "array", "items": {"type": "boolean"}}), json!([]), json!([true, true])),
            (json!({"type": "string"}), json!(""), json!("value-1")),
            (json!({"type": "string", "format": "date"}), json!(""), json!("2025-01-31")),
            (json!({"type": "number"}), json!(0), json!(1)),
            (json!({"type": ["null", "string"]}), json!(null), json!(null)),
            (json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), json!(""), json!("value-1")),
            (
                page,
                json!({"orders": [], "page": {"total": 0}, "free": null}),
                json!({"orders": [7, 7], "page": {"total": 1}, "free": null}),
            ),
            (json!({"properties": {"n": {"type": "integer"}}}), json!({}), json!({"n": 1})),
            (all, json!({"a": "", "b": false}), json!({"a": "a-1", "b": true})),
            (json!({"$ref": "other.json"}), json!({}), json!({})),
            (json!({}), json!({}), json!({})),
        ] {
            assert_eq!(value(Some(&schema), Filling::Empty), empty, "{schema}");
            assert_eq!(value(Some(&schema), Filling::Plausible { items: 2 }), plausible, "{schema}");
        }
        assert_eq!(value(None, Filling::Empty), json!({}));
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]});
        assert!(value(Some(&schema), Filling::Empty)["next"]["next"].is_object());
        let wide = json!({"type": "array", "items": {"$ref": "#"}});
        assert!(value(Some(&wide), Filling::Plausible { items: 1 }).is_array());
    }

    #[test]
    fn a_schema_that_multiplies_makes_a_value_of_bounded_size() {
        let me = json!({"$ref": "#"});
        let thrice =
            json!({"type": "object", "properties": {"a": me, "b": me, "c": me}, "required": ["a", "b", "c"]});
        let lists = json!({"type": "array", "items": me});
        let all = json!({"allOf": [me, me, me]});
        let long = json!({"default": "x".repeat(100_000), "type": "array", "items": me});
        let texts = json!({"type": "array", "items": {"default": "x".repeat(6_400)}});
        for schema in [thrice, lists, all, long, texts] {
            for filling in
                [Filling::Empty, Filling::Plausible { items: 2 }, Filling::Plausible { items: 1_000_000 }]
            {
                let made = value(Some(&schema), filling);
                assert!(weight(&made) <= 2 * MOST, "{filling:?}");
            }
        }
    }
}
