//! What the checks of one layer found, and the score they make.

use indexmap::IndexMap;
use serde_json::Value;
use windtunnel_api::{Layer, LayerScore};

/// What a check says: of a pass in a few words, of a failure with everything a reader needs.
pub(crate) type Finding = Result<String, String>;

/// Named values beside a verdict.
pub(crate) type Metrics = IndexMap<String, Value>;

/// The findings of one layer, in the order of its checks.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    passed: Vec<String>,
    failed: Vec<String>,
    notes: Vec<String>,
    pub(crate) metrics: Metrics,
}

impl Findings {
    pub(crate) fn add(&mut self, finding: Finding) {
        match finding {
            Ok(text) => self.passed.push(text),
            Err(text) => self.failed.push(text),
        }
    }

    /// Something that a reader should know and that decides nothing.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    pub(crate) fn metric(&mut self, name: &str, value: impl Into<Value>) {
        self.metrics.insert(name.to_owned(), value.into());
    }

    /// The score: passed unless a check failed. Failures stand alone, one per line; what passed is of no use beside them.
    pub(crate) fn score(mut self, layer: Layer) -> LayerScore {
        let passed = self.failed.is_empty();
        let mut lines = if passed { self.passed } else { self.failed };
        if lines.is_empty() {
            lines.push(format!("no {layer} check is declared"));
        }
        lines.append(&mut self.notes);
        let detail = lines.join(if passed { "; " } else { "\n" });
        LayerScore { passed, detail, metrics: self.metrics }
    }
}

/// The text with every line but the first indented, so that it reads as one item of a list.
pub(crate) fn indented(text: &str) -> String {
    text.replace('\n', "\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_fails_the_layer_and_stands_alone() {
        let mut findings = Findings::default();
        findings.add(Ok("a".into()));
        findings.note("evidence");
        findings.metric("count", 2);
        findings.add(Err("b".into()));
        findings.add(Err("c".into()));
        let score = findings.score(Layer::Outcome);
        assert!(!score.passed);
        assert_eq!(score.detail, "b\nc\nevidence");
        assert_eq!(score.metrics["count"], 2);
    }

    #[test]
    fn a_layer_without_checks_passes_and_says_so() {
        let score = Findings::default().score(Layer::Constraint);
        assert_eq!((score.passed, score.detail.as_str()), (true, "no constraint check is declared"));
    }
}
