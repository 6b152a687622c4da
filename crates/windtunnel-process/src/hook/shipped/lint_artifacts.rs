//! `lint-artifacts`: faults of Markdown that are cheap to find.

use std::num::NonZeroUsize;

use async_trait::async_trait;
use serde::Deserialize;

use crate::hook::lint::{long_lines, mermaid};
use crate::hook::reading::Reading;
use crate::hook::{Hook, HookContext, HookError, Outcome};

/// Paragraphs that are not broken into lines are usual; a line of this many characters is a wall.
const MAX_LINE_LENGTH: NonZeroUsize = NonZeroUsize::new(1_000).unwrap();

/// No line is longer than a person reads, and every diagram can be drawn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct LintArtifacts {
    /// The characters that a line may have. Code, tables, HTML and lines that are only a link may have more.
    max_line_length: NonZeroUsize,
}

impl Default for LintArtifacts {
    fn default() -> Self {
        Self { max_line_length: MAX_LINE_LENGTH }
    }
}

#[async_trait]
impl Hook for LintArtifacts {
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let reading = Reading::own(context, &context.node.produces);
        Ok(reading.decide(|artifact| {
            let mut findings = long_lines(artifact, self.max_line_length.get());
            findings.extend(mermaid(artifact));
            findings
        }))
    }
}
