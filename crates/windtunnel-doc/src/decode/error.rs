//! Why a pass stopped.

use std::fmt;

use serde::de::{self, Unexpected};

use super::words;
use crate::{At, Fault, Path, Segment, nearest::meant};

/// An error and where it happened: the deserializers add a step each while it passes them.
#[derive(Debug)]
pub(super) struct DecodeError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: Kind,
    at: At,
    /// Innermost first.
    steps: Vec<Segment>,
    hollow: bool,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// The value is not what the type expects, whatever it contains.
    Type {
        message: String,
        help: Option<String>,
    },
    UnknownField {
        name: String,
        known: &'static [&'static str],
    },
    UnknownVariant {
        name: String,
        known: &'static [&'static str],
    },
    /// A map of which it cannot be said which variant it is.
    Untagged {
        known: &'static [&'static str],
    },
    MissingField(&'static str),
    DuplicateField(&'static str),
    /// What the type itself says, perhaps because of what the value contains.
    Other(String),
}

impl DecodeError {
    pub(super) fn new(kind: Kind) -> Self {
        Self(Box::new(Inner { kind, at: At::Value, steps: Vec::new(), hollow: false }))
    }

    /// The same error, one level further out.
    pub(super) fn within(mut self, step: impl Into<Segment>) -> Self {
        self.0.steps.push(step.into());
        self
    }

    /// The same error, about the key.
    pub(super) fn at_key(mut self) -> Self {
        self.0.at = At::Key;
        self
    }

    /// The same error, known to be about a stand-in and not about the document.
    pub(super) fn hollow(mut self) -> Self {
        self.0.hollow = true;
        self
    }

    pub(super) fn kind(&self) -> &Kind {
        &self.0.kind
    }

    pub(super) fn is_hollow(&self) -> bool {
        self.0.hollow
    }

    pub(super) fn is_of_key(&self) -> bool {
        self.0.at == At::Key
    }

    /// Whether it is about the value that the deserializer just left, not one inside of it.
    pub(super) fn is_here(&self) -> bool {
        self.0.steps.is_empty()
    }

    pub(super) fn path(&self) -> Path {
        self.0.steps.iter().rev().cloned().collect()
    }

    pub(super) fn fault(&self) -> Fault {
        let path = self.path();
        let did_you_mean = |name: &str, known: &'static [&'static str]| {
            meant(name, known).map(|known| format!("did you mean {known:?}?"))
        };
        let (message, help) = match self.kind() {
            Kind::Type { message, help } => (message.clone(), help.clone()),
            Kind::UnknownField { name, known: [] } => {
                (format!("unknown field {}; expected none here", words::quoted(name)), None)
            }
            Kind::UnknownField { name, known } => (
                format!("unknown field {}; expected {}", words::quoted(name), words::one_of(known)),
                did_you_mean(name, known),
            ),
            Kind::UnknownVariant { name, known } => {
                let what = match path.segments().last() {
                    Some(Segment::Key(key)) if key == super::variant::TAG => "kind",
                    _ => "value",
                };
                (
                    format!("unknown {what} {}; expected {}", words::quoted(name), words::one_of(known)),
                    did_you_mean(name, known),
                )
            }
            Kind::Untagged { known } => (
                format!("missing field \"kind\"; expected {}", words::one_of(known)),
                Some("name it in the field \"kind\", or as the only key around the other fields".to_owned()),
            ),
            Kind::MissingField(name) => (format!("missing field {name:?}"), None),
            Kind::DuplicateField(name) => {
                (format!("the field {name:?} is already given"), Some("keep one of the two".to_owned()))
            }
            Kind::Other(message) => (message.clone(), None),
        };
        // What is missing is not in the value, so point at the name of what lacks it.
        let at = match self.kind() {
            Kind::MissingField(_) | Kind::Untagged { .. } => At::Key,
            _ => self.0.at,
        };
        Fault { path, message, help, at }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fault().message)
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Kind::Other(message.to_string()))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let message = format!("expected {expected}, found {}", words::unexpected(unexpected));
        Self::new(Kind::Type { message, help: None })
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::custom(format!("expected {expected}, found {}", words::unexpected(unexpected)))
    }

    fn invalid_length(length: usize, expected: &dyn de::Expected) -> Self {
        Self::custom(format!("expected {expected}, found {length} values"))
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        Self::new(Kind::UnknownVariant { name: name.to_owned(), known })
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Self::new(Kind::UnknownField { name: name.to_owned(), known })
    }

    fn missing_field(name: &'static str) -> Self {
        Self::new(Kind::MissingField(name))
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::new(Kind::DuplicateField(name))
    }
}
