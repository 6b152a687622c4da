//! `record-feedback`: what a person said is written down where the work is.

use async_trait::async_trait;
use serde::Deserialize;

use crate::artifact::{ArtifactName, MAX_BYTES, rewrite};
use crate::hook::{Feedback, Hook, HookContext, HookError, Outcome};

/// The section that it is written into.
const SECTION: &str = "Review comments";

/// Appends the comment that decided to the section `Review comments` of an artifact.
///
/// It is a gate: a decision that was lost would be taken as one that nobody made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordFeedback {
    /// The artifact.
    artifact: ArtifactName,
}

#[async_trait]
impl Hook for RecordFeedback {
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let Some(feedback) = &context.effects.feedback else { return Ok(Outcome::Skip) };
        let found = self.artifact.find(context.folder).map_err(|error| HookError(error.to_string()))?;
        let Some(artifact) = found else { return Ok(Outcome::Skip) };
        let entry = entry(&context.date(), feedback);
        let Some(text) = rewrite::appended_to_section(&artifact, SECTION, &entry) else {
            // This verb was cut off after it had written.
            return Ok(Outcome::pass());
        };
        let file = artifact.file();
        if text.len() as u64 > MAX_BYTES {
            return Err(HookError(format!(
                "{file} would have more than {MAX_BYTES} bytes with the comment in it"
            )));
        }
        rewrite::replace(context.folder, &artifact, &text)
            .map_err(|error| HookError(format!("{file} cannot be written: {error}")))?;
        Ok(Outcome::pass())
    }
}

/// The comment is a quote, so that no box or heading in it becomes one of the artifact. Markdown ends lines at a lone `\r` too.
fn entry(date: &str, feedback: &Feedback) -> String {
    let body = feedback.comment.body.replace("\r\n", "\n").replace('\r', "\n");
    let quoted: Vec<String> =
        body.trim().lines().map(|line| format!("  > {line}").trim_end().to_owned()).collect();
    let Feedback { kind, comment } = feedback;
    format!("- {date} @{}: {}\n\n{}", comment.author, kind.name(), quoted.join("\n"))
}
