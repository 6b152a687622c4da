//! A value that is not in the document, made up so that a type can go on.

use serde::{
    Deserializer,
    de::{
        DeserializeSeed, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
        value::BorrowedStrDeserializer,
    },
    forward_to_deserialize_any,
};

use super::error::DecodeError;

/// A struct that contains itself has no end.
const MAX_DEPTH: usize = 12;

/// Answers each type with a value that it probably accepts: not empty, not zero, the first variant.
///
/// What is made of it is thrown away in the end. Where a type takes anything it is an error, since
/// nobody knows what that type makes of it.
#[derive(Clone, Copy)]
pub(super) struct Placeholder {
    depth: usize,
}

impl Placeholder {
    pub(super) fn new() -> Self {
        Self { depth: 0 }
    }

    fn inside(self) -> Result<Self, DecodeError> {
        if self.depth < MAX_DEPTH {
            Ok(Self { depth: self.depth + 1 })
        } else {
            Err(DecodeError::custom("nothing can stand in for this value"))
        }
    }
}

macro_rules! answers {
    ($($method:ident $visit:ident($answer:expr),)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            visitor.$visit($answer)
        }
    )*};
}

impl<'de> Deserializer<'de> for Placeholder {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, DecodeError> {
        Err(DecodeError::custom("nothing can stand in for this value"))
    }

    answers! {
        deserialize_bool visit_bool(false),
        deserialize_i8 visit_i8(1),
        deserialize_i16 visit_i16(1),
        deserialize_i32 visit_i32(1),
        deserialize_i64 visit_i64(1),
        deserialize_i128 visit_i128(1),
        deserialize_u8 visit_u8(1),
        deserialize_u16 visit_u16(1),
        deserialize_u32 visit_u32(1),
        deserialize_u64 visit_u64(1),
        deserialize_u128 visit_u128(1),
        deserialize_f32 visit_f32(1.0),
        deserialize_f64 visit_f64(1.0),
        deserialize_char visit_char('x'),
        deserialize_str visit_borrowed_str("x"),
        deserialize_string visit_borrowed_str("x"),
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_none()
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self.inside()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_seq(Repeated { placeholder: self.inside()?, times: 0 })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_seq(Repeated { placeholder: self.inside()?, times: len })
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
        visitor.visit_map(Fields { placeholder: self.inside()?, names: &[] })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_map(Fields { placeholder: self.inside()?, names: fields })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_enum(First { placeholder: self.inside()?, variants })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { bytes byte_buf identifier }
}

struct Repeated {
    placeholder: Placeholder,
    times: usize,
}

impl<'de> SeqAccess<'de> for Repeated {
    type Error = DecodeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, DecodeError> {
        match self.times.checked_sub(1) {
            None => Ok(None),
            Some(left) => {
                self.times = left;
                seed.deserialize(self.placeholder).map(Some)
            }
        }
    }
}

struct Fields {
    placeholder: Placeholder,
    names: &'static [&'static str],
}

impl<'de> MapAccess<'de> for Fields {
    type Error = DecodeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        match self.names.split_first() {
            None => Ok(None),
            Some((name, rest)) => {
                self.names = rest;
                seed.deserialize(BorrowedStrDeserializer::<DecodeError>::new(name)).map(Some)
            }
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, DecodeError> {
        seed.deserialize(self.placeholder)
    }
}

struct First {
    placeholder: Placeholder,
    variants: &'static [&'static str],
}

impl<'de> EnumAccess<'de> for First {
    type Error = DecodeError;
    type Variant = Placeholder;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Placeholder), DecodeError> {
        let name = self.variants.first().copied().unwrap_or_default();
        let variant = seed.deserialize(BorrowedStrDeserializer::<DecodeError>::new(name))?;
        Ok((variant, self.placeholder))
    }
}

impl<'de> VariantAccess<'de> for Placeholder {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, DecodeError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_struct("", fields, visitor)
    }
}
