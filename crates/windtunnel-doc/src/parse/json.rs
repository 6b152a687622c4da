//! JSON.
//!
//! `jsonc-parser` gives the spans. Made for editors, it lets some texts pass that are no JSON even
//! with everything lenient switched off (control characters in strings, any Unicode space, lists
//! in lists without commas), so `serde_json` judges the syntax first.

use std::ops::Range;

use jsonc_parser::{ParseOptions, ast, common::Ranged};
use serde::de::IgnoredAny;

use super::{Problem, builder::Builder};
use crate::{Key, Limits, Node, NodeValue};

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

pub(super) fn parse(text: &str, limits: &Limits) -> Result<Node, Vec<Problem>> {
    if text.trim().is_empty() {
        return Err(vec![Problem::new(0..0, "this file is empty; expected a JSON value")]);
    }
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| vec![syntax(text, &error)])?;
    if let Some(offset) = deeper_than(limits.max_depth, text) {
        return Err(vec![Problem::too_deep(offset..offset + 1, limits)]);
    }
    let parsed = jsonc_parser::parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &STRICT)
        .map_err(|error| vec![Problem::new(range(error.range()), lower(&error.kind().to_string()))])?;
    let mut builder = Builder::new(text, limits);
    let root = match parsed.value {
        Some(value) => node(&mut builder, value),
        None => builder.node(0..0, NodeValue::Null),
    };
    builder.finish(root)
}

fn node(builder: &mut Builder<'_>, value: ast::Value<'_>) -> Node {
    let span = range(value.range());
    match value {
        ast::Value::NullKeyword(_) => builder.node(span, NodeValue::Null),
        ast::Value::BooleanLit(literal) => builder.node(span, NodeValue::Bool(literal.value)),
        ast::Value::StringLit(literal) => builder.node(span, NodeValue::String(literal.value.into_owned())),
        ast::Value::NumberLit(literal) if literal.value.contains(['.', 'e', 'E']) => {
            builder.float(span, literal.value.parse().ok())
        }
        ast::Value::NumberLit(literal) => builder.int(span, literal.value.parse().ok()),
        ast::Value::Array(array) => {
            let elements = array.elements.into_iter().map(|element| node(builder, element)).collect();
            builder.node(span, NodeValue::Seq(elements))
        }
        ast::Value::Object(object) => {
            let entries = object
                .properties
                .into_iter()
                .map(|property| {
                    let span = range(property.name.range());
                    (Key { name: property.name.into_string(), span }, node(builder, property.value))
                })
                .collect();
            builder.map(span, entries)
        }
    }
}

/// Where the brackets of a well-formed text first nest deeper than `limit`.
fn deeper_than(limit: usize, text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                if depth > limit {
                    return Some(offset);
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn syntax(text: &str, error: &serde_json::Error) -> Problem {
    let line_start =
        text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let offset = line_start + error.column().saturating_sub(1);
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message =
        error.to_string().replace(&place, "").replace("EOF while parsing", "the file ends inside of");
    let problem = Problem::new(offset..offset + 1, message);
    let before = text.get(..offset).unwrap_or_default().trim_end();
    match text.as_bytes().get(offset) {
        Some(b'/' | b'#') => problem.with_help("JSON has no comments"),
        Some(b'\'') => problem.with_help("JSON has double quotes only"),
        Some(b'}' | b']') if before.ends_with(',') => Problem::new(problem.span, "trailing comma"),
        _ if problem.message == "expected ident" => {
            Problem::new(problem.span, "expected true, false or null")
        }
        _ => problem,
    }
}

fn range(range: jsonc_parser::common::Range) -> Range<usize> {
    range.start..range.end
}

fn lower(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
