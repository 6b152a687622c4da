//! `post-phase-selection`: asks which phases are walked.

use async_trait::async_trait;
use serde::Deserialize;

use crate::hook::checklist::Checklist;
use crate::hook::phrase::ExecuteKeyword;
use crate::hook::{Effort, Hook, HookContext, HookError, Outcome};
use crate::transport::marked;

/// Posts the checklist, once.
///
/// If the comments cannot be listed nothing is posted: a second checklist would leave people to guess which one counts, and
/// without any the defaults can still be executed.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PostPhaseSelection {
    keyword: ExecuteKeyword,
}

#[async_trait]
impl Hook for PostPhaseSelection {
    fn effort(&self) -> Effort {
        Effort::BestEffort
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let reference = &context.item.reference;
        let listed = context
            .control
            .list_comments(reference)
            .await
            .map_err(|error| HookError(format!("{error}; the checklist was not posted")))?;
        if Checklist::posted(&listed, context).is_some() {
            return Ok(Outcome::Skip);
        }
        let body = format!(
            "Which phases does {} walk? Untick what is to be skipped, and tick what else is wanted; then answer with a \
             comment that says `{}`.\n\n{}",
            context.item.id,
            self.keyword,
            Checklist::render(context.graph)
        );
        context
            .control
            .add_comment(reference, &marked(&body))
            .await
            .map_err(|error| HookError(error.to_string()))?;
        Ok(Outcome::pass())
    }
}
