//! Objects with `$` keys: operators on one value.

use serde_json::{Map, Number, Value};

use super::compiler::{Compiler, Scope};
use crate::error::FaultKind;
use crate::keyword::{Keyword, is_reserved};
use crate::node::{Bound, Node, Test};
use crate::path::Segment;
use crate::value;

impl<'o> Compiler<'o> {
    /// An object with at least one `$` key: all its operators hold together.
    pub(super) fn operators(&mut self, object: &Map<String, Value>, scope: Scope<'o>) -> Option<Node> {
        let plain = object.keys().find(|key| !is_reserved(key));
        let reserved = object.keys().find(|key| is_reserved(key));
        let mixed = plain.zip(reserved).map(|(plain, reserved)| {
            self.fault::<()>(FaultKind::Mixed { plain: plain.clone(), reserved: reserved.clone() })
        });
        let nodes = self.all(object, |compiler, (key, operand)| {
            compiler.member(key, |compiler| match is_reserved(key) {
                true => compiler.operator(key, operand, scope),
                false => compiler.node(operand, Scope::Inner),
            })
        })?;
        if mixed.is_some() { None } else { Some(joined(nodes)) }
    }

    fn operator(&mut self, key: &str, operand: &Value, scope: Scope<'o>) -> Option<Node> {
        let Some(keyword) = Keyword::parse(key) else { return self.unknown(key) };
        if keyword.is_sentinel() {
            self.fault::<()>(FaultKind::Misplaced { sentinel: keyword.name() });
            self.sentinel(keyword, operand, scope);
            return None;
        }
        let test = match keyword {
            Keyword::Any => Test::Any(self.patterns(keyword, operand, scope)?.into()),
            Keyword::All => Test::All(self.patterns(keyword, operand, scope)?.into()),
            Keyword::Not => Test::Not(Box::new(self.node(operand, scope)?)),
            _ => {
                self.admit()?;
                self.simple(keyword, operand)?
            }
        };
        Some(Node::new(test))
    }

    /// Operators whose operand is no pattern.
    fn simple(&mut self, keyword: Keyword, operand: &Value) -> Option<Test> {
        match keyword {
            Keyword::Re => match operand {
                Value::String(regex) => self.regex(regex).map(Test::Regex),
                other => self.refuse(keyword, "a string", other),
            },
            Keyword::Exists => match operand {
                Value::Bool(exists) => Some(Test::Exists(*exists)),
                other => self.refuse(keyword, "true or false", other),
            },
            Keyword::Gt => self.order(keyword, Bound::Above, operand),
            Keyword::Gte => self.order(keyword, Bound::AtLeast, operand),
            Keyword::Lt => self.order(keyword, Bound::Below, operand),
            Keyword::Lte => self.order(keyword, Bound::AtMost, operand),
            _ => self.literal(operand).map(|()| Test::Equal(operand.clone())),
        }
    }
}
