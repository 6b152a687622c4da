//! From text to tree: one reader per format, each within the same [`Limits`].

mod builder;
mod json;
mod toml;
mod yaml;

use std::ops::Range;

use crate::{Format, Limits, Node};

/// What keeps a text from being read.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Problem {
    fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    fn too_deep(span: Range<usize>, limits: &Limits) -> Self {
        Self::new(span, format!("values are nested more than {} levels deep here", limits.max_depth))
    }

    fn duplicate_key(span: Range<usize>, key: &str) -> Self {
        Self::new(span, format!("the key {key:?} is already given above")).with_help("keep one of the two")
    }

    fn too_many(span: Range<usize>, limits: &Limits) -> Self {
        Self::new(span, format!("this file holds more than {} values", limits.max_nodes))
    }
}

/// The tree of `text`, or at least one problem.
pub(crate) fn parse(text: &str, format: Format, limits: &Limits) -> Result<Node, Vec<Problem>> {
    let limits = limits.safe();
    match format {
        Format::Toml => toml::parse(text, &limits),
        Format::Yaml => yaml::parse(text, &limits),
        Format::Json => json::parse(text, &limits),
    }
}
