//! YAML.
//!
//! `serde-saphyr` deserializes a type that accepts anything and asks for the place of every part.

use std::{fmt, ops::Range};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_saphyr::{Location, MessageFormatter, Options, Spanned, UserMessageFormatter, budget::BudgetBreach};

use super::{Problem, builder::Builder};
use crate::{Key, Limits, Node, NodeValue};

pub(super) fn parse(text: &str, limits: &Limits) -> Result<Node, Vec<Problem>> {
    let value = serde_saphyr::from_str_with_options(text, options(limits))
        .map_err(|error| vec![problem(text, &error, limits)])?;
    let mut builder = Builder::new(text, limits);
    let root = node(&mut builder, text, value);
    builder.finish(root)
}

/// Aliases are charged to the same budget as what is written out, so that a few lines of them
/// cannot stand for more than a file may hold.
fn options(limits: &Limits) -> Options {
    let nodes = limits.max_nodes.saturating_mul(2);
    let events = limits.max_nodes.saturating_mul(4);
    serde_saphyr::options! {
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        emit_comments: false,
        with_snippet: false,
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::PassThrough,
        budget: serde_saphyr::budget! {
            max_depth: limits.max_depth,
            flow_nesting_limit: limits.max_depth,
            // Keys are nodes there and not here; what is left over is counted exactly later.
            max_nodes: nodes,
            max_events: events,
            max_recorded_anchor_events: events,
            max_total_scalar_bytes: limits.max_bytes.saturating_mul(4),
            max_recorded_anchor_bytes: limits.max_bytes.saturating_mul(4),
            max_anchors: 1_000,
            max_aliases: 10_000,
            max_merge_keys: 1_000,
            enforce_alias_anchor_ratio: false,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: nodes,
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
    let span = span(value.defined);
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
            let span = around(span, &elements, |element| &element.span);
            builder.node(span, NodeValue::Seq(elements))
        }
        Yaml::Map(entries) => {
            let entries: Vec<(Key, Node)> = entries
                .into_iter()
                .map(|(key, value)| {
                    let span = self::span(key.defined);
                    (Key { name: key.value, span }, node(builder, text, value))
                })
                .collect();
            let span = around(span, &entries, |(_, value)| &value.span);
            builder.map(span, entries)
        }
    }
}

/// A collection is placed by where it starts; it ends where its last child does, unless that child
/// comes from an anchor elsewhere.
fn around<C>(start: Range<usize>, children: &[C], span: impl Fn(&C) -> &Range<usize>) -> Range<usize> {
    let end = children.last().map_or(start.end, |child| span(child).end);
    start.start..end.max(start.end)
}

fn span(location: Location) -> Range<usize> {
    let offset = |bytes: Option<u64>| bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or_default();
    let start = offset(location.span().byte_offset());
    start..start + offset(location.span().byte_len())
}

fn problem(text: &str, error: &serde_saphyr::Error, limits: &Limits) -> Problem {
    use serde_saphyr::Error;

    let span = error.location().map_or(text.len()..text.len(), span);
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
        Error::MultipleDocuments { .. } => Problem::new(span, "a second YAML document starts here; expected one")
            .with_help("put each document into a file of its own"),
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            Problem::new(span, format!("the key {key:?} is already given above")).with_help("keep one of the two")
        }
        Error::NullIntoString { .. } => {
            Problem::new(span, "expected a key, found null").with_help("write it in quotes to use it as a key")
        }
        error => Problem::new(span, UserMessageFormatter.format_message(error)),
    }
}
