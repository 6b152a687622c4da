//! How a language spells the keys of records, and records built and taken apart under that spelling.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::Shape;

/// How a language spells the keys of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyCase {
    /// `tool_calls`.
    #[cfg(feature = "rhai")]
    Snake,
    /// `toolCalls`.
    #[cfg(feature = "js")]
    Camel,
}

impl KeyCase {
    /// A key in this spelling.
    pub(super) fn key(self, snake: &'static str) -> Cow<'static, str> {
        match self {
            #[cfg(feature = "rhai")]
            Self::Snake => snake.into(),
            #[cfg(feature = "js")]
            Self::Camel if snake.contains('_') => camel(snake).into(),
            #[cfg(feature = "js")]
            Self::Camel => snake.into(),
        }
    }
}

#[cfg(feature = "js")]
fn camel(snake: &str) -> String {
    let mut words = snake.split('_');
    let mut key = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        key.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        key.push_str(letters.as_str());
    }
    key
}

/// A record on its way to a brain.
pub(super) struct Record {
    members: Map<String, Value>,
    case: KeyCase,
}

impl Record {
    pub(super) fn new(case: KeyCase) -> Self {
        Self { members: Map::new(), case }
    }

    /// A member that is always there.
    pub(super) fn member(mut self, key: &'static str, value: impl Shape) -> Self {
        self.members.insert(self.case.key(key).into_owned(), value.shape(self.case));
        self
    }

    /// A member that is left out when it is absent.
    pub(super) fn optional(self, key: &'static str, value: Option<impl Shape>) -> Self {
        match value {
            Some(value) => self.member(key, value),
            None => self,
        }
    }

    /// A list that is left out when it is empty.
    pub(super) fn unless_empty(self, key: &'static str, list: Vec<impl Shape>) -> Self {
        if list.is_empty() { self } else { self.member(key, list) }
    }

    pub(super) fn done(self) -> Value {
        Value::Object(self.members)
    }
}

/// A record that a brain handed over; members are taken out of it.
pub(super) struct Fields {
    members: Map<String, Value>,
    case: KeyCase,
}

impl Fields {
    /// The members of a map; nothing for another value.
    pub(super) fn of(value: Value, case: KeyCase) -> Option<Self> {
        match value {
            Value::Object(members) => Some(Self { members, case }),
            _ => None,
        }
    }

    /// A member; null counts as absent.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Value> {
        let value = self.members.get_mut(self.case.key(key).as_ref())?.take();
        (!value.is_null()).then_some(value)
    }

    /// A member that is a string; any other value counts as absent.
    pub(super) fn text(&mut self, key: &'static str) -> Option<String> {
        match self.take(key) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// A member that travels as JSON text: a string is that text, any other value is written as JSON.
    pub(super) fn json_text(&mut self, key: &'static str) -> Option<String> {
        self.take(key).map(|value| match value {
            Value::String(text) => text,
            value => value.to_string(),
        })
    }

    /// A member that is a boolean; any other value counts as absent.
    pub(super) fn flag(&mut self, key: &'static str) -> Option<bool> {
        self.take(key)?.as_bool()
    }
}
