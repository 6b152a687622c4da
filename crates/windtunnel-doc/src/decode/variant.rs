//! The deserializer of an enum.
//!
//! What the document says, and which variant and content that is; the first row that applies counts:
//!
//! | value                                                 | variant         | content                  |
//! |-------------------------------------------------------|-----------------|--------------------------|
//! | string                                                | the string      | none                     |
//! | map whose `kind` is a string that names a variant     | the string      | the map without `kind`   |
//! | map with one key, which names a variant               | the key         | its value                |
//! | map whose `kind` is a string                          | fault at `kind` |                          |
//! | map whose `kind` is anything else                     | fault at `kind` |                          |
//! | map with one key, which nearly names a variant        | fault at key    |                          |
//! | any other map                                         | fault at map    |                          |
//! | anything else                                         | fault at value  |                          |

use serde::{
    Deserializer,
    de::{DeserializeSeed, EnumAccess, Error, VariantAccess, Visitor, value::BorrowedStrDeserializer},
};

use super::{
    error::{DecodeError, Kind},
    placeholder::Placeholder,
    value::{self, ValueDeserializer},
    words,
};
use crate::{Key, Node, NodeValue, nearest::meant};

/// The key that says which variant a map is.
pub(super) const TAG: &str = "kind";

pub(super) fn visit<'de, V: Visitor<'de>>(
    value: ValueDeserializer<'de>,
    variants: &'static [&'static str],
    visitor: V,
) -> Result<V::Value, DecodeError> {
    let chosen = match &value.node().value {
        NodeValue::String(name) | NodeValue::Untyped(name) => Chosen { name, content: Content::None(value) },
        NodeValue::Map(entries) => {
            let mut present = value.entries(entries);
            let present: Vec<_> = std::iter::from_fn(|| present.next_present()).collect();
            let tag = present.iter().find(|(key, _)| key.name == TAG).map(|(_, tag)| *tag);
            if tag.is_some_and(|tag| value.plan().replaces(tag)) {
                // It is known to be wrong, and no variant is better than any other.
                return Placeholder::new()
                    .deserialize_enum("", variants, visitor)
                    .map_err(DecodeError::hollow);
            }
            choose(value, variants, tag, &present)?
        }
        _ => return Err(value.wrong_type(words::one_of(variants))),
    };
    let of_tag = matches!(chosen.content, Content::Beside(_));
    visitor.visit_enum(chosen).map_err(|error| match error.kind() {
        Kind::UnknownVariant { .. } if of_tag && error.is_here() => error.within(TAG),
        _ => error,
    })
}

fn choose<'de>(
    value: ValueDeserializer<'de>,
    variants: &'static [&'static str],
    tag: Option<&'de Node>,
    present: &[(&'de Key, &'de Node)],
) -> Result<Chosen<'de>, DecodeError> {
    let is_variant = |name: &str| variants.contains(&name);
    let named = tag.and_then(Node::as_str);
    match (named, present) {
        (Some(name), _) if is_variant(name) => {
            Ok(Chosen { name, content: Content::Beside(value.without_tag()) })
        }
        (_, [(key, content)]) if is_variant(&key.name) => {
            let content = ValueDeserializer::new(content, value.plan());
            Ok(Chosen { name: &key.name, content: Content::Under(content) })
        }
        // The type knows best what it makes of the name.
        (Some(name), _) => Ok(Chosen { name, content: Content::Beside(value.without_tag()) }),
        (None, present) => Err(unnamed(value, variants, tag, present)),
    }
}

/// What is wrong with a map that says no variant's name where it should.
fn unnamed(
    value: ValueDeserializer<'_>,
    variants: &'static [&'static str],
    tag: Option<&Node>,
    present: &[(&Key, &Node)],
) -> DecodeError {
    match (tag, present) {
        (Some(tag), _) => {
            let tag = ValueDeserializer::new(tag, value.plan());
            tag.wrong_type(words::one_of(variants)).within(TAG)
        }
        (None, [(key, _)]) if meant(&key.name, variants).is_some() => {
            DecodeError::unknown_variant(&key.name, variants).at_key().within(key.name.as_str())
        }
        (None, _) => DecodeError::new(Kind::Untagged { known: variants }),
    }
}

/// A variant and where its content is.
struct Chosen<'de> {
    name: &'de str,
    content: Content<'de>,
}

enum Content<'de> {
    /// The value is just the name.
    None(ValueDeserializer<'de>),
    /// In the map that has the tag.
    Beside(ValueDeserializer<'de>),
    /// In the value under the name.
    Under(ValueDeserializer<'de>),
}

impl<'de> EnumAccess<'de> for Chosen<'de> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), DecodeError> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<DecodeError>::new(self.name))?;
        Ok((variant, self))
    }
}

impl Chosen<'_> {
    fn bare(&self, value: ValueDeserializer<'_>) -> DecodeError {
        let map = value.plan().format().map_noun();
        DecodeError::new(Kind::Type {
            message: format!("{:?} needs more than its name; expected {map}", self.name),
            help: Some(format!("write {map} with kind {:?} and its fields", self.name)),
        })
    }
}

impl<'de> VariantAccess<'de> for Chosen<'de> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        match self.content {
            Content::None(_) => Ok(()),
            Content::Beside(map) => {
                let NodeValue::Map(entries) = &map.node().value else { return Ok(()) };
                match map.entries(entries).next_present() {
                    None => Ok(()),
                    Some((key, _)) => {
                        Err(DecodeError::unknown_field(&key.name, &[]).at_key().within(key.name.as_str()))
                    }
                }
            }
            Content::Under(content) => match &content.node().value {
                NodeValue::Null => Ok(()),
                NodeValue::Map(entries) if entries.is_empty() => Ok(()),
                _ if content.plan().replaces(content.node()) => Ok(()),
                _ => Err(content.wrong_type("nothing").within(self.name)),
            },
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, DecodeError> {
        match self.content {
            Content::None(value) => Err(self.bare(value)),
            Content::Beside(map) => seed.deserialize(map),
            Content::Under(content) => {
                value::take(seed, content.node(), content.plan()).map_err(|error| error.within(self.name))
            }
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.newtype_variant_seed(Tuple { len, visitor })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.newtype_variant_seed(Struct { fields, visitor })
    }
}

struct Tuple<V> {
    len: usize,
    visitor: V,
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Tuple<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_tuple(self.len, self.visitor)
    }
}

struct Struct<V> {
    fields: &'static [&'static str],
    visitor: V,
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Struct<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_struct("", self.fields, self.visitor)
    }
}
