//! Answers to requests that are not part of the script, such as titles and summaries.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use windtunnel_api::config::Aside;
use windtunnel_pattern::{Options, Pattern, PatternErrors};

/// Compiled `[[aside]]` entries. Cheap to clone: compile once per runtime, share with every case.
#[derive(Debug, Clone, Default)]
pub struct Asides(Arc<[(Pattern, String)]>);

impl Asides {
    /// Compiles the patterns.
    ///
    /// # Errors
    /// All faults of all patterns.
    pub fn compile(asides: &[Aside]) -> Result<Self, AsideErrors> {
        let mut compiled = Vec::with_capacity(asides.len());
        let mut faults = Vec::new();
        for (index, aside) in asides.iter().enumerate() {
            match Pattern::compile(&aside.pattern, &Options::new()) {
                Ok(pattern) => compiled.push((pattern, aside.content.clone())),
                Err(errors) => faults.push((index, errors)),
            }
        }
        if faults.is_empty() { Ok(Self(compiled.into())) } else { Err(AsideErrors(faults)) }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the first entry whose pattern matches one of the forms of a request body answers.
    pub fn answer(&self, forms: &[&Value]) -> Option<&str> {
        self.0
            .iter()
            .find(|(pattern, _)| forms.iter().any(|form| pattern.matches(form)))
            .map(|(_, content)| content.as_str())
    }
}

/// Faults of `[[aside]]` patterns, by entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsideErrors(Vec<(usize, PatternErrors)>);

impl AsideErrors {
    /// The faults by the index of their entry.
    pub fn by_entry(&self) -> &[(usize, PatternErrors)] {
        &self.0
    }
}

/// One fault per line.
impl fmt::Display for AsideErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines =
            self.0.iter().flat_map(|(index, errors)| errors.faults().iter().map(move |fault| (index, fault)));
        if let Some((index, fault)) = lines.next() {
            write!(f, "aside[{index}].pattern: {fault}")?;
        }
        lines.try_for_each(|(index, fault)| write!(f, "\naside[{index}].pattern: {fault}"))
    }
}

impl std::error::Error for AsideErrors {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn aside(pattern: Value) -> Aside {
        Aside { pattern, content: "Title".to_owned() }
    }

    #[test]
    fn every_fault_of_every_pattern_is_reported_with_its_entry() {
        let errors =
            Asides::compile(&[aside(json!({"model": "["})), aside(json!({})), aside(json!({"$nto": 1}))])
                .expect_err("two are wrong");
        let text = errors.to_string();
        assert!(text.contains("aside[0].pattern: model: invalid regular expression"), "{text}");
        assert!(text.contains("aside[2].pattern: "), "{text}");
        assert_eq!(errors.by_entry().len(), 2);
    }

    #[test]
    fn the_first_matching_entry_answers() {
        let asides =
            Asides::compile(&[aside(json!({"messages": [{"content": "^Generate a title"}]}))]).unwrap();
        let title = json!({"messages": [{"role": "user", "content": "Generate a title for this"}]});
        assert_eq!(asides.answer(&[&title]), Some("Title"));
        assert_eq!(asides.answer(&[&json!({"messages": [{"content": "Hello"}]})]), None);
    }
}
