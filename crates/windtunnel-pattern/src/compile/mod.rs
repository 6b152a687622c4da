//! From JSON to compiled patterns: every regular expression and every `$` key is checked, all faults are collected.
//!
//! [`compiler`] walks plain patterns, [`operators`] the `$` keys, [`elements`] the lists.

mod compiler;
mod elements;
mod operators;

use serde_json::Value;

use crate::compile::compiler::{Compiler, Scope};
use crate::error::PatternErrors;
use crate::node::Node;
use crate::options::Options;
use crate::steps::Steps;

/// Compiles one pattern.
pub(crate) fn pattern(pattern: &Value, options: &Options) -> Result<Node, PatternErrors> {
    Compiler::run(options, |compiler| compiler.node(pattern, Scope::Candidate))
}

/// Compiles the elements of a list.
pub(crate) fn sequence(elements: &[Value], options: &Options) -> Result<Steps<Node>, PatternErrors> {
    Compiler::run(options, |compiler| compiler.steps(elements, Scope::Candidate))
}

/// Compiles the elements of a list, which has to be one.
pub(crate) fn sequence_value(list: &Value, options: &Options) -> Result<Steps<Node>, PatternErrors> {
    Compiler::run(options, |compiler| compiler.list(list))
}
