//! The deserializer of one value.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, Visitor},
    forward_to_deserialize_any,
};

use super::{
    entries::{Elements, Entries},
    error::{DecodeError, Kind},
    placeholder::Placeholder,
    plan::Plan,
    variant, words,
};
use crate::{Node, NodeValue};

/// A value as a type gets to see it in one pass.
#[derive(Clone, Copy)]
pub(super) struct ValueDeserializer<'de> {
    node: &'de Node,
    plan: &'de Plan,
    hides_tag: bool,
}

/// Lets the seed take the value at `node`, or its stand-in.
pub(super) fn take<'de, S: DeserializeSeed<'de>>(
    seed: S,
    node: &'de Node,
    plan: &'de Plan,
) -> Result<S::Value, DecodeError> {
    if plan.replaces(node) {
        seed.deserialize(Placeholder::new()).map_err(DecodeError::hollow)
    } else {
        seed.deserialize(ValueDeserializer::new(node, plan))
    }
}

impl<'de> ValueDeserializer<'de> {
    pub(super) fn new(node: &'de Node, plan: &'de Plan) -> Self {
        Self { node, plan, hides_tag: false }
    }

    /// The same map without its tag, which has been read already.
    pub(super) fn without_tag(self) -> Self {
        Self { hides_tag: true, ..self }
    }

    pub(super) fn node(self) -> &'de Node {
        self.node
    }

    pub(super) fn plan(self) -> &'de Plan {
        self.plan
    }

    /// The entries of this map that the type gets to see.
    pub(super) fn entries(self, entries: &'de [(crate::Key, Node)]) -> Entries<'de> {
        Entries::new(self.node, entries, self.plan, self.hides_tag)
    }

    pub(super) fn wrong_type(self, expected: impl fmt::Display) -> DecodeError {
        let found = words::found(&self.node.value, self.plan.format());
        DecodeError::new(Kind::Type { message: format!("expected {expected}, found {found}"), help: None })
    }

    /// The integer that this is, or is the text of.
    fn integer(self) -> Option<i128> {
        match &self.node.value {
            NodeValue::Int(value) => Some(*value),
            NodeValue::Untyped(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    fn not_a_string(self) -> DecodeError {
        let found = words::found(&self.node.value, self.plan.format());
        let help = match &self.node.value {
            NodeValue::Int(value) => Some(format!("write \"{value}\" for the text")),
            NodeValue::Bool(value) => Some(format!("write \"{value}\" for the text")),
            NodeValue::Float(_) => Some("write it in quotes for the text".to_owned()),
            _ => None,
        };
        DecodeError::new(Kind::Type { message: format!("expected a string, found {found}"), help })
    }

    fn visit_list<V: Visitor<'de>>(self, elements: &'de [Node], visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_seq(Elements::new(elements, self.plan))
    }

    fn visit_entries<V: Visitor<'de>>(
        self,
        entries: &'de [(crate::Key, Node)],
        supplied: &'de [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let mut entries = self.entries(entries).supplied_with(supplied);
        visitor.visit_map(&mut entries).map_err(|error| match error.kind() {
            Kind::DuplicateField(_) if error.is_here() => entries.blame_last_key(error),
            _ => error,
        })
    }
}

macro_rules! integers {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            match self.integer().map(<$type>::try_from) {
                Some(Ok(value)) => visitor.$visit(value),
                Some(Err(_)) => {
                    Err(self.wrong_type(format_args!("an integer from {} to {}", <$type>::MIN, <$type>::MAX)))
                }
                None => Err(self.wrong_type("an integer")),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for ValueDeserializer<'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            NodeValue::Null => visitor.visit_unit(),
            NodeValue::Bool(value) => visitor.visit_bool(*value),
            NodeValue::Int(value) => match (u64::try_from(*value), i64::try_from(*value)) {
                (Ok(value), _) => visitor.visit_u64(value),
                (_, Ok(value)) => visitor.visit_i64(value),
                _ => visitor.visit_i128(*value),
            },
            NodeValue::Float(value) => visitor.visit_f64(*value),
            NodeValue::String(value) | NodeValue::Untyped(value) => visitor.visit_borrowed_str(value),
            NodeValue::Seq(elements) => self.visit_list(elements, visitor),
            NodeValue::Map(entries) => self.visit_entries(entries, &[], visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            NodeValue::Bool(value) => visitor.visit_bool(*value),
            NodeValue::Untyped(text) if text.eq_ignore_ascii_case("true") => visitor.visit_bool(true),
            NodeValue::Untyped(text) if text.eq_ignore_ascii_case("false") => visitor.visit_bool(false),
            _ => Err(self.wrong_type("true or false")),
        }
    }

    integers! {
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128,
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_f64(visitor)
    }

    #[expect(clippy::cast_precision_loss, reason = "a whole number stands for the nearest float")]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let number = match &self.node.value {
            NodeValue::Float(value) => Some(*value),
            NodeValue::Int(value) => Some(*value as f64),
            NodeValue::Untyped(text) => text.trim().parse().ok().filter(|value: &f64| value.is_finite()),
            _ => None,
        };
        match number {
            Some(value) => visitor.visit_f64(value),
            None => Err(self.wrong_type("a number")),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            NodeValue::String(value) | NodeValue::Untyped(value) => visitor.visit_borrowed_str(value),
            _ => Err(self.not_a_string()),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.value {
            NodeValue::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.node.value {
            NodeValue::Null => visitor.visit_unit(),
            _ => Err(self.wrong_type("null")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            NodeValue::Seq(elements) => self.visit_list(elements, visitor),
            _ => Err(self.wrong_type(self.plan.format().list_noun())),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, DecodeError> {
        let noun = self.plan.format().list_noun();
        match &self.node.value {
            NodeValue::Seq(elements) if elements.len() == len => self.visit_list(elements, visitor),
            NodeValue::Seq(elements) => {
                let message = format!("expected {noun} of {len} values, found {}", elements.len());
                Err(DecodeError::new(Kind::Type { message, help: None }))
            }
            _ => Err(self.wrong_type(format_args!("{noun} of {len} values"))),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            NodeValue::Map(entries) => self.visit_entries(entries, &[], visitor),
            _ => Err(self.wrong_type(self.plan.format().map_noun())),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            NodeValue::Map(entries) => self.visit_entries(entries, self.plan.supplied(self.node), visitor),
            _ => Err(self.wrong_type(self.plan.format().map_noun())),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        variant::visit(self, variants, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { bytes byte_buf identifier }
}
