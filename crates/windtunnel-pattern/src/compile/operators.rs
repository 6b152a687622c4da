//! Objects with `$` keys: operators on one value.

use serde_json::{Map, Value};

use super::compiler::{Compiler, Scope};
use crate::error::FaultKind;
use crate::keyword::{Keyword, Operator, is_reserved};
use crate::node::{Node, Test};
use crate::path::Segment;
use crate::value;

impl<'o> Compiler<'o> {
    /// An object with at least one `$` key: all its operators hold together.
    pub(super) fn operators(&mut self, object: &Map<String, Value>, scope: Scope<'o>) -> Option<Node> {
        let reserved = object.keys().find(|key| is_reserved(key));
        let plain = object.keys().find(|key| !is_reserved(key));
        if let Some((reserved, plain)) = reserved.zip(plain) {
            self.report(FaultKind::Mixed { plain: plain.clone(), reserved: reserved.clone() });
        }
        let nodes = self.all(object, |compiler, (key, operand)| {
            if is_reserved(key) {
                compiler.member(key, |compiler| compiler.keyword(key, operand, scope))
            } else {
                compiler.field(key, operand, scope)
            }
        });
        nodes.map(joined)
    }

    fn keyword(&mut self, key: &str, operand: &Value, scope: Scope<'o>) -> Option<Node> {
        match Keyword::parse(key) {
            Some(Keyword::Operator(operator)) => self.operator(operator, operand, scope).map(Node::new),
            Some(Keyword::Sentinel(sentinel)) => {
                self.report(FaultKind::Misplaced { sentinel: sentinel.name() });
                self.sentinel(sentinel, operand, Scope::Inner);
                None
            }
            None => self.unknown(key),
        }
    }

    /// Records that `key` is reserved and means nothing.
    pub(super) fn unknown<T>(&mut self, key: &str) -> Option<T> {
        self.admit()?;
        self.fault(FaultKind::UnknownKey { key: key.to_owned(), nearest: Keyword::nearest(key) })
    }

    /// Records that the operand of `key` is of the wrong kind.
    pub(super) fn refuse<T>(
        &mut self,
        key: &'static str,
        expected: &'static str,
        found: &Value,
    ) -> Option<T> {
        self.fault(FaultKind::Operand { key, expected, found: value::kind(found) })
    }

    fn operator(&mut self, operator: Operator, operand: &Value, scope: Scope<'o>) -> Option<Test> {
        let key = operator.name();
        // These speak of the same value, so whatever rule it has holds inside them.
        match operator {
            Operator::Any => return self.patterns(key, operand, scope).map(Test::Any),
            Operator::All => return self.patterns(key, operand, scope).map(Test::All),
            Operator::Not => return self.node(operand, scope).map(|node| Test::Not(Box::new(node))),
            Operator::Eq => return self.literal(operand).map(|()| Test::Equal(operand.clone())),
            Operator::Re | Operator::Exists | Operator::Order(_) => self.admit()?,
        }
        match (operator, operand) {
            (Operator::Re, Value::String(regex)) => self.regex(regex).map(Test::Regex),
            (Operator::Re, other) => self.refuse(key, "a string", other),
            (Operator::Exists, Value::Bool(exists)) => Some(Test::Exists(*exists)),
            (Operator::Exists, other) => self.refuse(key, "true or false", other),
            (Operator::Order(bound), Value::Number(operand)) => {
                Some(Test::Order { bound, operand: operand.clone() })
            }
            (_, other) => self.refuse(key, "a number", other),
        }
    }

    fn patterns(&mut self, key: &'static str, list: &Value, scope: Scope<'o>) -> Option<Box<[Node]>> {
        self.admit()?;
        let Value::Array(patterns) = list else { return self.refuse(key, "an array of patterns", list) };
        if patterns.is_empty() {
            return self.fault(FaultKind::NoPatterns { key });
        }
        let nodes = self.all(patterns.iter().enumerate(), |compiler, (index, pattern)| {
            compiler.enter(Segment::Index(index), |compiler| compiler.node(pattern, scope))
        });
        nodes.map(Vec::into_boxed_slice)
    }

    /// Checks the size of a literal, in which nothing is reserved.
    fn literal(&mut self, literal: &Value) -> Option<()> {
        self.admit()?;
        match literal {
            Value::Array(items) => self
                .all(items.iter().enumerate(), |compiler, (index, item)| {
                    compiler.enter(Segment::Index(index), |compiler| compiler.literal(item))
                })
                .map(drop),
            Value::Object(members) => self
                .all(members, |compiler, (key, member)| {
                    compiler.member(key, |compiler| compiler.literal(member))
                })
                .map(drop),
            _ => Some(()),
        }
    }
}

/// One test for operators that all have to hold.
fn joined(mut nodes: Vec<Node>) -> Node {
    match nodes.pop() {
        Some(only) if nodes.is_empty() => only,
        last => {
            nodes.extend(last);
            Node::new(Test::All(nodes.into()))
        }
    }
}
