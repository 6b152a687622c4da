//! `post-phase-selection`: asks which phases are walked.

use async_trait::async_trait;
use serde::Deserialize;

use crate::hook::checklist::Checklist;
use crate::hook::phrase::ExecuteKeyword;
use crate::hook::{Effort, Hook, HookContext, HookError, Outcome};
use crate::transport::marked;

/// Posts the checklist, once, and remembers by which account: a checklist of that account is the process's own.
///
/// Comments that are there already are not looked at, since anybody could have left a checklist there.
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
        if context.state.account.is_some() {
            return Ok(Outcome::Skip);
        }
        let body = format!(
            "Which phases does {} walk? Untick what is to be skipped, and tick what else is wanted; then answer with a \
             comment that says `{}` in a paragraph of its own.\n\n{}",
            context.item.id,
            self.keyword,
            Checklist::render(context.graph)
        );
        let posted = context
            .control
            .add_comment(reference, &marked(&body))
            .await
            .map_err(|error| HookError(error.to_string()))?;
        context.effects.account = Some(posted.author);
        Ok(Outcome::pass())
    }
}
