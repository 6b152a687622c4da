//! The tree that every format is read into.

use std::ops::Range;

use serde::de::DeserializeOwned;

use crate::{Fault, Format, Path, Segment, decode};

/// A value and the bytes of the source that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Byte range in [`Document::text`](crate::Document::text). For a TOML table this is its
    /// header; for a YAML alias, the place where the anchor stands.
    pub span: Range<usize>,
    /// What was read.
    pub value: NodeValue,
}

/// The value of a [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum NodeValue {
    /// JSON's `null`, YAML's `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number between `i64::MIN` and `u64::MAX`.
    Int(i128),
    /// A finite number that was written with a point or an exponent.
    Float(f64),
    /// Text. TOML's dates and times are text too, as they were written.
    String(String),
    /// Text from where nothing but text can be written, such as the environment: also the number or
    /// boolean that it spells, where a type wants one. No document holds it.
    Untyped(String),
    /// A list, in order.
    Seq(Vec<Node>),
    /// A map, in the order of the source; no key occurs twice.
    Map(Vec<(Key, Node)>),
}

/// The key of an entry of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key, without quotes and with escapes resolved.
    pub name: String,
    /// Where it is written.
    pub span: Range<usize>,
}

impl Node {
    /// A value that stands in no document; its spans are empty. Numbers beyond the range of
    /// [`NodeValue::Int`] become the nearest float.
    pub fn from_json(value: serde_json::Value) -> Self {
        use serde_json::Value;
        let value = match value {
            Value::Null => NodeValue::Null,
            Value::Bool(value) => NodeValue::Bool(value),
            Value::Number(number) => match number.as_i128() {
                Some(value) => NodeValue::Int(value),
                None => NodeValue::Float(number.as_f64().unwrap_or_default()),
            },
            Value::String(value) => NodeValue::String(value),
            Value::Array(elements) => NodeValue::Seq(elements.into_iter().map(Self::from_json).collect()),
            Value::Object(entries) => NodeValue::Map(
                entries
                    .into_iter()
                    .map(|(name, value)| (Key { name, span: 0..0 }, Self::from_json(value)))
                    .collect(),
            ),
        };
        Self { span: 0..0, value }
    }

    /// Makes a `T` of this value, as [`Document::decode`](crate::Document::decode) does; `format`
    /// decides how messages speak of maps and lists.
    ///
    /// # Errors
    /// Every fault, with its path from here: at least one.
    pub fn decode<T: DeserializeOwned>(&self, format: Format) -> Result<T, Vec<Fault>> {
        decode::decode(format, self)
    }

    /// [`Node::decode`] for a type that refuses unknown fields, where they shall do no harm: they are
    /// left out, and returned beside the value as the faults that they would have been.
    ///
    /// # Errors
    /// Every fault, unknown fields among them: at least one.
    pub fn decode_known<T: DeserializeOwned>(&self, format: Format) -> Result<(T, Vec<Fault>), Vec<Fault>> {
        decode::decode_known(format, self)
    }

    /// The entry of this map with that key; `None` also where this is no map.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, node)| node)
    }

    /// The value at the end of a path that starts here.
    pub fn at(&self, path: &Path) -> Option<&Node> {
        path.segments().iter().try_fold(self, |node, segment| node.child(segment).map(|(_, child)| child))
    }

    /// The same value without spans.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            NodeValue::Null => serde_json::Value::Null,
            NodeValue::Bool(value) => (*value).into(),
            NodeValue::Int(value) => {
                serde_json::Number::from_i128(*value).map_or(serde_json::Value::Null, Into::into)
            }
            NodeValue::Float(value) => (*value).into(),
            NodeValue::String(value) | NodeValue::Untyped(value) => value.as_str().into(),
            NodeValue::Seq(elements) => elements.iter().map(Node::to_json).collect(),
            NodeValue::Map(entries) => {
                entries.iter().map(|(key, node)| (key.name.clone(), node.to_json())).collect()
            }
        }
    }

    /// The text that this is.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            NodeValue::String(text) | NodeValue::Untyped(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn entry(&self, key: &str) -> Option<&(Key, Node)> {
        match &self.value {
            NodeValue::Map(entries) => entries.iter().find(|(known, _)| known.name == key),
            _ => None,
        }
    }

    /// One step down: the child, and its key if this is a map.
    pub(crate) fn child(&self, segment: &Segment) -> Option<(Option<&Key>, &Node)> {
        match (segment, &self.value) {
            (Segment::Key(key), NodeValue::Map(_)) => self.entry(key).map(|(key, node)| (Some(key), node)),
            (Segment::Index(index), NodeValue::Seq(elements)) => {
                elements.get(*index).map(|node| (None, node))
            }
            _ => None,
        }
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = &Node> {
        let (elements, entries): (&[Node], &[(Key, Node)]) = match &self.value {
            NodeValue::Seq(elements) => (elements, &[]),
            NodeValue::Map(entries) => (&[], entries),
            _ => (&[], &[]),
        };
        elements.iter().chain(entries.iter().map(|(_, node)| node))
    }
}
