//! The deserializers of what is inside of a map or list.

use std::slice;

use serde::{
    Deserializer,
    de::{DeserializeSeed, MapAccess, SeqAccess, Visitor, value::BorrowedStrDeserializer},
    forward_to_deserialize_any,
};

use super::{error::DecodeError, placeholder::Placeholder, plan::Plan, value, variant};
use crate::{Key, Node};

/// The elements of a list that a type gets to see.
pub(super) struct Elements<'de> {
    elements: std::iter::Enumerate<slice::Iter<'de, Node>>,
    plan: &'de Plan,
}

impl<'de> Elements<'de> {
    pub(super) fn new(elements: &'de [Node], plan: &'de Plan) -> Self {
        Self { elements: elements.iter().enumerate(), plan }
    }
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = DecodeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, DecodeError> {
        let Self { elements, plan } = self;
        let Some((index, element)) = elements.find(|(_, element)| !plan.leaves_out(element)) else {
            return Ok(None);
        };
        value::take(seed, element, self.plan).map(Some).map_err(|error| error.within(index))
    }

    fn size_hint(&self) -> Option<usize> {
        self.elements.size_hint().1
    }
}

/// The entries of a map that a type gets to see, then the fields that are supplied to it.
pub(super) struct Entries<'de> {
    map: &'de Node,
    present: slice::Iter<'de, (Key, Node)>,
    supplied: slice::Iter<'de, &'static str>,
    plan: &'de Plan,
    hides_tag: bool,
    last: Option<Entry<'de>>,
}

#[derive(Clone, Copy)]
enum Entry<'de> {
    Present(&'de Key, &'de Node),
    Supplied(&'static str),
}

impl<'de> Entries<'de> {
    pub(super) fn new(map: &'de Node, entries: &'de [(Key, Node)], plan: &'de Plan, hides_tag: bool) -> Self {
        Self { map, present: entries.iter(), supplied: [].iter(), plan, hides_tag, last: None }
    }

    pub(super) fn supplied_with(self, fields: &'de [&'static str]) -> Self {
        Self { supplied: fields.iter(), ..self }
    }

    /// The next entry of the document.
    pub(super) fn next_present(&mut self) -> Option<(&'de Key, &'de Node)> {
        let Self { present, plan, hides_tag, .. } = self;
        present
            .find(|(key, node)| !(plan.leaves_out(node) || *hides_tag && key.name == variant::TAG))
            .map(|(key, node)| (key, node))
    }

    fn next_supplied(&mut self) -> Option<&'static str> {
        let Self { map, supplied, .. } = self;
        supplied.find(|name| map.get(name).is_none()).copied()
    }

    /// The same error, about the key that was read last.
    pub(super) fn blame_last_key(&self, error: DecodeError) -> DecodeError {
        match self.last {
            Some(Entry::Present(key, _)) => error.at_key().within(key.name.as_str()),
            Some(Entry::Supplied(_)) => error.hollow(),
            None => error,
        }
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = DecodeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        let entry = match self.next_present() {
            Some((key, node)) => Entry::Present(key, node),
            None => match self.next_supplied() {
                Some(name) => Entry::Supplied(name),
                None => return Ok(None),
            },
        };
        self.last = Some(entry);
        let name = match entry {
            Entry::Present(key, _) => &key.name,
            Entry::Supplied(name) => name,
        };
        seed.deserialize(KeyDeserializer(name)).map(Some).map_err(|error| self.blame_last_key(error))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, DecodeError> {
        match self.last {
            Some(Entry::Present(key, node)) => {
                value::take(seed, node, self.plan).map_err(|error| error.within(key.name.as_str()))
            }
            // Serde's contract rules `None` out; a placeholder is as good as an error there.
            Some(Entry::Supplied(_)) | None => {
                seed.deserialize(Placeholder::new()).map_err(DecodeError::hollow)
            }
        }
    }
}

/// The key of a map, for types that want strings, numbers, booleans or unit variants as keys.
struct KeyDeserializer<'de>(&'de str);

macro_rules! parsed_keys {
    ($($method:ident $visit:ident $expected:literal,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(serde::de::Error::invalid_value(
                    serde::de::Unexpected::Str(self.0),
                    &$expected,
                )),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for KeyDeserializer<'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_borrowed_str(self.0)
    }

    parsed_keys! {
        deserialize_bool visit_bool "true or false as key",
        deserialize_i8 visit_i8 "a small integer as key",
        deserialize_i16 visit_i16 "an integer as key",
        deserialize_i32 visit_i32 "an integer as key",
        deserialize_i64 visit_i64 "an integer as key",
        deserialize_u8 visit_u8 "an integer from 0 to 255 as key",
        deserialize_u16 visit_u16 "an integer from 0 to 65535 as key",
        deserialize_u32 visit_u32 "a positive integer as key",
        deserialize_u64 visit_u64 "a positive integer as key",
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        BorrowedStrDeserializer::<DecodeError>::new(self.0).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}
