//! `request-review`: asks people to look at something.

use async_trait::async_trait;
use serde::Deserialize;

use crate::artifact::ArtifactName;
use crate::hook::{Effort, Hook, HookContext, HookError, Outcome};
use crate::transport::marked;

/// Posts a comment that says what is to be reviewed, and how to answer.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RequestReview {
    /// What is to be reviewed; what is not there is not named.
    artifacts: Vec<ArtifactName>,
}

#[async_trait]
impl Hook for RequestReview {
    fn effort(&self) -> Effort {
        Effort::BestEffort
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let is_there = |name: &&String| context.folder.join(name).is_file();
        let names =
            self.artifacts.iter().flat_map(|artifact| artifact.alternatives().iter().filter(is_there));
        let files: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        let what = if files.is_empty() { context.item.id.clone() } else { files.join(", ") };
        let body = format!(
            "`{}`: please review {what}. Answer with a paragraph that says \"approved\" and no more, or with one that begins \
             with \"approved with comments:\" or \"changes requested:\".",
            context.node.id
        );
        context
            .control
            .add_comment(&context.item.reference, &marked(&body))
            .await
            .map_err(|error| HookError(error.to_string()))?;
        Ok(Outcome::pass())
    }
}
