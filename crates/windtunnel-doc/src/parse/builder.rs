//! What all three formats have to obey when their values become nodes.

use std::{collections::HashSet, ops::Range};

use super::Problem;
use crate::{Key, Limits, Node, NodeValue};

/// Makes nodes, and collects what is wrong with them instead of stopping.
pub(super) struct Builder<'a> {
    text: &'a str,
    limits: &'a Limits,
    nodes: usize,
    problems: Vec<Problem>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str, limits: &'a Limits) -> Self {
        Self { text, limits, nodes: 0, problems: Vec::new() }
    }

    pub(super) fn limits(&self) -> &'a Limits {
        self.limits
    }

    pub(super) fn node(&mut self, span: Range<usize>, value: NodeValue) -> Node {
        self.nodes += 1;
        if self.nodes == self.limits.max_nodes.saturating_add(1) {
            self.problems.push(Problem::too_many(span.clone(), self.limits));
        }
        Node { span, value }
    }

    pub(super) fn int(&mut self, span: Range<usize>, value: Option<i128>) -> Node {
        let range = i128::from(i64::MIN)..=i128::from(u64::MAX);
        let value = value.filter(|value| range.contains(value)).unwrap_or_else(|| {
            let message =
                format!("this integer is out of range; expected one from {} to {}", i64::MIN, u64::MAX);
            self.problems.push(Problem::new(span.clone(), message));
            0
        });
        self.node(span, NodeValue::Int(value))
    }

    pub(super) fn float(&mut self, span: Range<usize>, value: Option<f64>) -> Node {
        let value = value.filter(|value| value.is_finite()).unwrap_or_else(|| {
            let written = self.text.get(span.clone()).unwrap_or_default();
            let message = format!("{written} is no finite number that fits 64 bits");
            self.problems.push(Problem::new(span.clone(), message));
            0.0
        });
        self.node(span, NodeValue::Float(value))
    }

    pub(super) fn map(&mut self, span: Range<usize>, entries: Vec<(Key, Node)>) -> Node {
        let mut seen = HashSet::with_capacity(entries.len());
        for (key, _) in &entries {
            if !seen.insert(key.name.as_str()) {
                self.problems.push(Problem::duplicate_key(key.span.clone(), &key.name));
            }
        }
        self.node(span, NodeValue::Map(entries))
    }

    /// Stands for a map or list that is not looked into.
    pub(super) fn too_deep(&mut self, span: Range<usize>) -> Node {
        self.problems.push(Problem::too_deep(span.clone(), self.limits));
        self.node(span, NodeValue::Null)
    }

    pub(super) fn finish(self, root: Node) -> Result<Node, Vec<Problem>> {
        if self.problems.is_empty() { Ok(root) } else { Err(self.problems) }
    }
}
