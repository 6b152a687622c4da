//! The test config as text.

use serde_json::{Map, Number, Value};

const HEADER: &str = "\
# A test, made by `omw scaffold`: its back ends are mocks that offer what the real ones offered.
# To be filled in: what the model answers (`turns`), what the tools give (`tool_calls`), what clients of
# the endpoint ask (`requests`), and in [assertions.<agent>] what each agent is expected to do.
# `omw-test run` with the name of this file runs it; without assertions it passes once every agent has ended well.
";

/// The document under a comment that says what to do with it. Tables without anything in them are left out at the top.
pub(super) fn toml(document: Value) -> Result<String, toml::ser::Error> {
    let mut text = HEADER.to_owned();
    if let Value::Object(tables) = document {
        for (name, table) in tables {
            let Some(table @ Value::Object(_)) = kept(table).filter(|table| !is_empty(table)) else {
                continue;
            };
            text.push('\n');
            text.push_str(&toml::to_string_pretty(&Map::from_iter([(name, table)]))?);
        }
    }
    Ok(text)
}

fn is_empty(table: &Value) -> bool {
    table.as_object().is_none_or(Map::is_empty)
}

/// What TOML can hold of a value: no nulls, and no integers beyond 64 bits with a sign, which become floats.
fn kept(value: Value) -> Option<Value> {
    Some(match value {
        Value::Null => return None,
        Value::Array(items) => Value::Array(items.into_iter().filter_map(kept).collect()),
        Value::Object(members) => Value::Object(
            members.into_iter().filter_map(|(key, member)| Some((key, kept(member)?))).collect(),
        ),
        Value::Number(number) => Value::Number(fitting(number)),
        text => text,
    })
}

fn fitting(number: Number) -> Number {
    if number.is_u64() && !number.is_i64() {
        return number.as_f64().and_then(Number::from_f64).unwrap_or(number);
    }
    number
}

/// Whether TOML can hold the whole value.
pub(super) fn is_kept(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => items.iter().all(is_kept),
        Value::Object(members) => members.values().all(is_kept),
        Value::Number(number) => !number.is_u64() || number.is_i64(),
        Value::Bool(_) | Value::String(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body(document: Value) -> String {
        toml(document).unwrap().strip_prefix(HEADER).unwrap().to_owned()
    }

    #[test]
    fn what_toml_cannot_hold_is_left_out_and_the_rest_is_kept() {
        let schema = json!({"enum": ["a", null, 1], "default": null, "maximum": u64::MAX, "minimum": 1.5});
        insta::assert_snapshot!(body(json!({"tooling": {"files": {"schema": schema}}, "endpoint": null})), @r#"
        [tooling.files.schema]
        enum = [
            "a",
            1,
        ]
        maximum = 18446744073709552000.0
        minimum = 1.5
        "#);
    }

    #[test]
    fn long_texts_stay_readable() {
        let text = "Reads a file.\n\nA \"path\" with \\ is fine, ''' and \"\"\" too.\u{1}\r\n";
        let written = body(json!({"tooling": {"files": {"description": text, "lines": ["a\nb\n"]}}}));
        insta::assert_snapshot!(written, @r#"
        [tooling.files]
        description = """
        Reads a file.

        A "path" with \\ is fine, ''' and ""\" too.\u0001\r
        """
        lines = ["""
        a
        b
        """]
        "#);
        let read: Value = toml::from_str(&written).unwrap();
        assert_eq!(read["tooling"]["files"]["description"], text);
    }

    #[test]
    fn plain_values_come_before_tables_whatever_their_order() {
        let tool = json!({"schema": {"type": "object"}, "name": "add", "hints": [{"a": 1}, 2]});
        insta::assert_snapshot!(body(json!({"tooling": {"files": {"tools": [tool], "kind": "mock"}}})), @r#"
        [tooling.files]
        kind = "mock"

        [[tooling.files.tools]]
        name = "add"
        hints = [
            { a = 1 },
            2,
        ]

        [tooling.files.tools.schema]
        type = "object"
        "#);
    }
}
