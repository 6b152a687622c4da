//! TOML.

use std::ops::Range;

use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue},
};
use toml_parser::lexer::TokenKind;

use super::{Problem, builder::Builder};
use crate::{Key, Limits, Node, NodeValue};

pub(super) fn parse(text: &str, limits: &Limits) -> Result<Node, Vec<Problem>> {
    if let Some(span) = far_deeper_than(limits.max_depth, text) {
        return Err(vec![Problem::too_deep(span, limits)]);
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(problems(text, &errors));
    }
    let mut builder = Builder::new(text, limits);
    let root = map(&mut builder, 0..text.len(), table.into_inner(), 1);
    builder.finish(root)
}

/// One problem per line: what the parser says of the rest of a line that it could not read is noise.
fn problems(text: &str, errors: &[toml::de::Error]) -> Vec<Problem> {
    let mut problems: Vec<Problem> = errors.iter().map(|error| problem(text, error)).collect();
    problems.sort_by_key(|problem| problem.span.start);
    problems.dedup_by(|later, earlier| {
        text.get(earlier.span.start..later.span.start).is_some_and(|between| !between.contains('\n'))
    });
    problems
}

fn problem(text: &str, error: &toml::de::Error) -> Problem {
    let span = error.span().unwrap_or(text.len()..text.len());
    match error.message() {
        "duplicate key" => {
            let key = text.get(span.clone()).unwrap_or_default().trim_matches(['"', '\'']);
            Problem::duplicate_key(span, key)
        }
        message => Problem::new(span, message.trim_end_matches(", expected nothing")),
    }
}

/// `depth` is that of the map or list around the value.
fn node(builder: &mut Builder<'_>, value: Spanned<DeValue<'_>>, depth: usize) -> Node {
    let span = value.span();
    match value.into_inner() {
        DeValue::String(text) => builder.node(span, NodeValue::String(text.into_owned())),
        DeValue::Boolean(value) => builder.node(span, NodeValue::Bool(value)),
        DeValue::Datetime(value) => builder.node(span, NodeValue::String(value.to_string())),
        DeValue::Float(float) => builder.float(span, float.as_str().parse().ok()),
        DeValue::Integer(integer) => {
            builder.int(span, i128::from_str_radix(integer.as_str(), integer.radix()).ok())
        }
        DeValue::Array(_) | DeValue::Table(_) if depth >= builder.limits().max_depth => {
            builder.too_deep(span)
        }
        DeValue::Array(elements) => {
            let elements = elements.into_iter().map(|element| node(builder, element, depth + 1)).collect();
            builder.node(span, NodeValue::Seq(elements))
        }
        DeValue::Table(table) => map(builder, span, table, depth + 1),
    }
}

fn map(builder: &mut Builder<'_>, span: Range<usize>, table: DeTable<'_>, depth: usize) -> Node {
    let mut table: Vec<(Spanned<DeString<'_>>, Spanned<DeValue<'_>>)> = table.into_iter().collect();
    table.sort_by_key(|(key, _)| key.span().start);
    let entries = table
        .into_iter()
        .map(|(key, value)| {
            let span = key.span();
            (Key { name: key.into_inner().into_owned(), span }, node(builder, value, depth))
        })
        .collect();
    builder.map(span, entries)
}

/// Where brackets and dotted keys together nest so deep that the parser's tree, which is freed
/// recursively, could overflow the stack. A value between `limit` and that is for [`node`] to find.
///
/// The parser bounds the brackets and the dots of one key, but not the two multiplied.
fn far_deeper_than(limit: usize, text: &str) -> Option<Range<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut nested = 0;
    let mut dots = 0;
    let mut line_start = true;
    let mut header = false;
    for token in toml_parser::Source::new(text).lex() {
        match token.kind() {
            TokenKind::Whitespace => continue,
            TokenKind::Newline => {
                if header {
                    open.clear();
                    nested = 0;
                }
                dots = 0;
                header = false;
                line_start = true;
                continue;
            }
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                header |= line_start && open.is_empty();
                open.push(1 + dots);
                nested += 1 + dots;
                dots = 0;
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                nested -= open.pop().unwrap_or_default();
                dots = 0;
            }
            TokenKind::Comma => dots = 0,
            // One too many for a number with a point, which is close enough here.
            TokenKind::Dot => dots += 1,
            _ => {}
        }
        line_start = false;
        if nested + dots > limit {
            return Some(token.span().start()..token.span().end());
        }
    }
    None
}
