//! From JSON to compiled patterns over events, all faults at once.

use std::fmt;

use serde_json::Value;
use windtunnel_doc::{Fault, Path};
use windtunnel_pattern::{FaultKind, FieldRule, Options, Pattern, PatternErrors, Segment, Sequence};

use super::check::Checker;

/// One event assertion, compiled. Its `Display` is its text in messages.
#[derive(Debug, Clone)]
pub struct EventPattern(Pattern);

impl EventPattern {
    /// Compiles one assertion, without a sentinel around it; `at` is where it stands.
    ///
    /// # Errors
    /// Everything that is wrong with it, by its place.
    pub fn parse(assertion: &Value, at: &Path) -> Result<Self, Vec<Fault>> {
        let mut checker = Checker::default();
        checker.event(assertion, at);
        keep(Pattern::compile(assertion, &options()), at, checker).map(Self)
    }

    /// Compiles a list of assertions, plain ones and such with a sentinel; `at` is where the list stands.
    ///
    /// # Errors
    /// Everything that is wrong with any of them, by its place.
    pub fn parse_list(assertions: &Value, at: &Path) -> Result<Sequence, Vec<Fault>> {
        let mut checker = Checker::default();
        for (index, element) in assertions.as_array().into_iter().flatten().enumerate() {
            checker.element(element, &at.clone().then(index));
        }
        keep(Sequence::compile_value(assertions, &options()), at, checker)
    }

    /// The pattern over an event's [candidate](crate::host::trace::TraceEvent::into_candidate).
    pub fn into_pattern(self) -> Pattern {
        self.0
    }
}

impl fmt::Display for EventPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// `kind` and `event` are names from closed lists; an `op` may be a name or choose several.
fn options() -> Options {
    Options::new().whole_fields(["kind", "event"]).field("op", FieldRule::WordOrRegex)
}

/// What was compiled, unless it or the check of its fields has faults.
fn keep<T>(compiled: Result<T, PatternErrors>, at: &Path, checker: Checker) -> Result<T, Vec<Fault>> {
    match compiled {
        Ok(compiled) if checker.faults.is_empty() => Ok(compiled),
        Ok(_) => Err(checker.faults),
        Err(errors) => Err(locate(&errors, at).chain(checker.faults).collect()),
    }
}

/// The faults of a pattern that stands at `at`.
fn locate(errors: &PatternErrors, at: &Path) -> impl Iterator<Item = Fault> {
    errors.faults().iter().map(move |fault| {
        let inner = fault.path().segments().iter().map(|segment| match segment {
            Segment::Key(key) => windtunnel_doc::Segment::Key(key.clone()),
            Segment::Index(index) => windtunnel_doc::Segment::Index(*index),
        });
        let mut located = Fault::new(at.join(&inner.collect()), fault.message());
        located.help = fault.help();
        if matches!(fault.kind(), FaultKind::UnknownKey { .. }) { located.at_key() } else { located }
    })
}
