//! `classify-feedback`: what a person says of the work decides where it goes on.

use async_trait::async_trait;
use serde::Deserialize;

use crate::hook::{Feedback, FeedbackKind, Hook, HookContext, HookError, Outcome};

/// What decides.
const KINDS: &str = "a paragraph that says \"approved\" and no more than thanks beside it, or one that begins with \"approved with \
                     comments:\" or \"changes requested:\",";

/// The last decisive comment is the outcome; until there is one, the gate waits.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClassifyFeedback {}

#[async_trait]
impl Hook for ClassifyFeedback {
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let comments = context.authorized_comments();
        let decisive = comments.iter().rev().find_map(|comment| {
            FeedbackKind::of_comment(&comment.body).map(|kind| (kind, Clone::clone(*comment)))
        });
        let Some((kind, comment)) = decisive else {
            return Ok(context.waits_for(KINDS, "decides nothing"));
        };
        context.effects.feedback = Some(Feedback { kind, comment });
        Ok(Outcome::Pass { on: Some(kind.name().to_owned()) })
    }
}
