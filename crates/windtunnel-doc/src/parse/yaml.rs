//! YAML.
//!
//! `serde-saphyr` deserializes a type that accepts anything and asks for the place of every part.

use std::{fmt, ops::Range};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_saphyr::{
    Location, MessageFormatter, Options, Spanned, UserMessageFormatter, budget::BudgetBreach,
};

use super::{Problem, builder::Builder};
use crate::{Key, Limits, Node, NodeValue};

/// What one level of nesting takes of the stack, generously: most of it in builds without
/// optimization.
const STACK_PER_LEVEL: usize = 96 * 1024;
const STACK: usize = 1024 * 1024;

/// Runs on a thread of its own, because the stack of the caller's may be too small.
pub(super) fn parse(text: &str, limits: &Limits) -> Result<Node, Vec<Problem>> {
    let unreadable = |message: String| vec![Problem::new(0..0, message)];
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("yaml".to_owned())
            .stack_size(STACK + limits.max_depth * STACK_PER_LEVEL)
            .spawn_scoped(scope, || read(text, limits))
            .map_err(|error| unreadable(format!("cannot start a thread to read this file: {error}")))?
            .join()
            .unwrap_or_else(|_| Err(unreadable("the YAML reader failed on this file".to_owned())))
    })
}

fn read(text: &str, limits: &Limits) -> Result<Node, Vec<Problem>> {
    let value = serde_saphyr::from_str_with_options(text, options(limits))
        .map_err(|error| vec![problem(text, &error, limits)])?;
    let mut builder = Builder::new(text, limits);
    let root = node(&mut builder, text, value);
    builder.finish(root)
}

/// Aliases are charged to the same budget as what is written out, and may be a small part of it
/// only, so that a bomb of them goes off early.
fn options(limits: &Limits) -> Options {
    let nodes = limits.max_nodes.saturating_mul(2);
    let events = limits.max_nodes.saturating_mul(4);
    let replayed = limits.max_nodes / 8;
    serde_saphyr::options! {
        strict_booleans: true,
        reject_unsupported_tags: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        emit_comments: false,
        with_snippet: false,
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::PassThrough,
        budget: serde_saphyr::budget! {
            max_depth: limits.max_depth,
            // The scanner looks up to 1024 characters ahead. Beyond that the depth stops it first.
            flow_nesting_limit: limits.max_depth + 2_048,
            // Keys are nodes there and not here; what is left over is counted exactly later.
            max_nodes: nodes,
            max_events: events,
            max_recorded_anchor_events: limits.max_nodes,
            max_total_scalar_bytes: limits.max_bytes.saturating_mul(4),
            max_recorded_anchor_bytes: limits.max_bytes.saturating_mul(4),
            max_anchors: 1_000,
            max_aliases: 10_000,
            max_merge_keys: 1_000,
            enforce_alias_anchor_ratio: false,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: replayed,
            max_replay_stack_depth: 16,
        },
    }
}

/// Any YAML value.
enum Yaml {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    String(String),
    Seq(Vec<Spanned<Yaml>>),
    Map(Vec<(Spanned<String>, Spanned<Yaml>)>),
}

impl<'de> Deserialize<'de> for Yaml {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(YamlVisitor)
    }
}

struct YamlVisitor;

impl<'de> Visitor<'de> for YamlVisitor {
    type Value = Yaml;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Yaml, E> {
        Ok(Yaml::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Yaml, E> {
        Ok(Yaml::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Yaml, E> {
        Ok(Yaml::Int(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Yaml, E> {
        Ok(Yaml::Int(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Yaml, E> {
        Ok(Yaml::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Yaml, E> {
        Ok(Yaml::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Yaml, E> {
        Ok(Yaml::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Yaml, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element()? {
            elements.push(element);
        }
        Ok(Yaml::Seq(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Yaml, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Yaml::Map(entries))
    }
}

fn node(builder: &mut Builder<'_>, text: &str, value: Spanned<Yaml>) -> Node {
    let span = span(text, value.defined);
    match value.value {
        Yaml::Null => builder.node(span, NodeValue::Null),
        Yaml::Bool(value) => builder.node(span, NodeValue::Bool(value)),
        Yaml::String(value) => builder.node(span, NodeValue::String(value)),
        Yaml::Int(value) => builder.int(span, Some(value)),
        Yaml::Float(value) => {
            // An integer that does not fit arrives as the nearest float.
            let written = text.get(span.clone()).unwrap_or_default();
            let digits = written.strip_prefix(['-', '+']).unwrap_or(written);
            if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                builder.int(span, None)
            } else {
                builder.float(span, Some(value))
            }
        }
        Yaml::Seq(elements) => {
            let elements: Vec<Node> =
                elements.into_iter().map(|element| node(builder, text, element)).collect();
            let span = around(text, span.start, elements.iter());
            builder.node(span, NodeValue::Seq(elements))
        }
        Yaml::Map(entries) => {
            let entries: Vec<(Key, Node)> = entries
                .into_iter()
                .map(|(key, value)| {
                    let span = self::span(text, key.defined);
                    (Key { name: key.value, span }, node(builder, text, value))
                })
                .collect();
            let span = around(text, span.start, entries.iter().map(|(_, value)| value));
            builder.map(span, entries)
        }
    }
}

/// A collection is placed by where it starts. It ends after its last child, or the bracket there;
/// children that come from an anchor stand before its start and do not count.
fn around<'a>(text: &str, start: usize, children: impl Iterator<Item = &'a Node>) -> Range<usize> {
    let end = children.map(|child| child.span.end).fold(start, usize::max);
    let rest = text.get(end..).unwrap_or_default();
    let bracket = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    let closes =
        text.get(start..).is_some_and(|text| text.starts_with(['[', '{'])) && bracket.starts_with([']', '}']);
    start..if closes { text.len() - bracket.len() + 1 } else { end }
}

/// Parts of the tree are placed by bytes, some errors only by line and column.
fn span(text: &str, location: Location) -> Range<usize> {
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    if let (Some(offset), Some(len)) = (location.span().byte_offset(), location.span().byte_len()) {
        return number(offset)..number(offset).saturating_add(number(len));
    }
    let lines = number(location.line()).saturating_sub(1);
    let line_start: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
    let columns = number(location.column()).saturating_sub(1);
    let line = text.get(line_start..).unwrap_or_default();
    let offset = line_start + line.chars().take(columns).map(char::len_utf8).sum::<usize>();
    offset..offset + 1
}

fn problem(text: &str, error: &serde_saphyr::Error, limits: &Limits) -> Problem {
    use serde_saphyr::Error;

    let span = error.location().map_or(text.len()..text.len(), |location| span(text, location));
    match error.without_snippet() {
        Error::AliasError { error, .. } => Problem { span, ..problem(text, error, limits) },
        Error::Budget { breach: BudgetBreach::Depth { .. }, .. } => Problem::too_deep(span, limits),
        Error::Budget { breach: BudgetBreach::Nodes { .. } | BudgetBreach::Events { .. }, .. } => {
            Problem::too_many(span, limits)
        }
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            Problem::new(span, "the aliases up to here stand for more than a file may hold")
                .with_help("write the values out where they are used")
        }
        Error::MultipleDocuments { .. } => {
            Problem::new(span, "a second YAML document starts here; expected one")
                .with_help("put each document into a file of its own")
        }
        Error::DuplicateMappingKey { key: Some(key), .. } => Problem::duplicate_key(span, key),
        Error::NullIntoString { .. } => Problem::new(span, "expected a key, found null")
            .with_help("write it in quotes to use it as a key"),
        error => Problem::new(span, UserMessageFormatter.format_message(error)),
    }
}
