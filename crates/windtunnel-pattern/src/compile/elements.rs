//! Lists: plain elements and sentinels.

use serde_json::{Map, Value};

use super::compiler::{Compiler, Scope};
use crate::error::FaultKind;
use crate::keyword::{Keyword, Sentinel, TIMES_KEYS, nearest};
use crate::node::Node;
use crate::path::Segment;
use crate::steps::{Element, Steps};
use crate::text::excerpt;
use crate::value;

impl<'o> Compiler<'o> {
    /// A list of expectations at the root.
    pub(super) fn list(&mut self, list: &Value) -> Option<Steps<Node>> {
        match list {
            Value::Array(elements) => self.steps(elements, Scope::Candidate),
            other => self.fault(FaultKind::NotAList { found: value::kind(other) }),
        }
    }

    /// The elements of a list. `scope` is what each of its candidates is.
    pub(super) fn steps(&mut self, elements: &[Value], scope: Scope<'o>) -> Option<Steps<Node>> {
        let compiled = self.all(elements.iter().enumerate(), |compiler, (index, element)| {
            compiler.enter(Segment::Index(index), |compiler| compiler.element(element, scope))
        });
        compiled.map(Steps::new)
    }

    fn element(&mut self, element: &Value, scope: Scope<'o>) -> Option<Element<Node>> {
        let Some((object, sentinel)) = sentinel_of(element) else {
            return self.node(element, scope).map(Element::Plain);
        };
        self.admit()?;
        if let Some(other) = object.keys().find(|key| *key != sentinel.name()) {
            self.fault(FaultKind::NotAlone { sentinel: sentinel.name(), other: other.clone() })
        } else {
            let operand = object.get(sentinel.name())?;
            self.member(sentinel.name(), |compiler| compiler.sentinel(sentinel, operand, scope))
        }
    }

    /// The operand of a sentinel.
    pub(super) fn sentinel(
        &mut self,
        sentinel: Sentinel,
        operand: &Value,
        scope: Scope<'o>,
    ) -> Option<Element<Node>> {
        match sentinel {
            Sentinel::While => self.node(operand, scope).map(Element::While),
            Sentinel::Until => self.node(operand, scope).map(Element::Until),
            Sentinel::Never => self.node(operand, scope).map(Element::Never),
            Sentinel::Times => self.times(operand, scope),
        }
    }

    fn times(&mut self, operand: &Value, scope: Scope<'o>) -> Option<Element<Node>> {
        self.admit()?;
        let Value::Object(object) = operand else {
            return self.refuse(Sentinel::Times.name(), "an object of `of`, `min` and `max`", operand);
        };
        let (mut of, mut min, mut max) = (None, Some(0), Some(None));
        for (key, value) in object {
            self.member(key, |compiler| match key.as_str() {
                "of" => of = compiler.node(value, scope),
                "min" => min = compiler.count("min", value),
                "max" => max = compiler.count("max", value).map(Some),
                _ => compiler.unknown_of_times(key),
            });
        }
        if !object.contains_key("of") {
            return self.fault(FaultKind::TimesWithoutOf);
        }
        match (min?, max?) {
            (min, Some(max)) if min > max => self.fault(FaultKind::TimesRange { min, max }),
            (min, max) => of.map(|of| Element::Times { of, min, max }),
        }
    }

    fn unknown_of_times(&mut self, key: &str) {
        if self.admit().is_some() {
            let nearest = nearest(key, TIMES_KEYS);
            self.report(FaultKind::UnknownTimesKey { key: key.to_owned(), nearest });
        }
    }

    fn count(&mut self, bound: &'static str, value: &Value) -> Option<u64> {
        self.admit()?;
        let count = value.as_number().and_then(value::as_count);
        count.or_else(|| self.fault(FaultKind::TimesBound { bound, found: excerpt(value, 40) }))
    }
}

/// The first sentinel of an element that has one.
fn sentinel_of(element: &Value) -> Option<(&Map<String, Value>, Sentinel)> {
    let object = element.as_object()?;
    let sentinel = object.keys().find_map(|key| match Keyword::parse(key) {
        Some(Keyword::Sentinel(sentinel)) => Some(sentinel),
        _ => None,
    });
    sentinel.map(|sentinel| (object, sentinel))
}
