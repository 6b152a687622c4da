//! `classify-phase-selection`: a person says which phases are walked, and that the walk begins.

use async_trait::async_trait;
use serde::Deserialize;

use crate::hook::checklist::Checklist;
use crate::hook::phrase::ExecuteKeyword;
use crate::hook::{Hook, HookContext, HookError, Outcome};
use crate::transport::marked;

/// The outcome once phases are selected.
const SELECTED: &str = "selected";

/// Waits for an authorized comment with the keyword in a paragraph of its own. The ticks of that comment count, or else those of the posted checklist.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ClassifyPhaseSelection {
    keyword: ExecuteKeyword,
}

#[async_trait]
impl Hook for ClassifyPhaseSelection {
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let comments = context.authorized_comments();
        let Some(comment) =
            comments.into_iter().rev().find(|comment| self.keyword.0.is_said_in(&comment.body)).cloned()
        else {
            let what = format!("a comment that says \"{}\" in a paragraph of its own", self.keyword);
            return Ok(context.waits_for(what, "does not say it"));
        };
        let mut checklist = Checklist::read(&comment.body);
        if !checklist.is_about(context.graph) {
            checklist = match context.control.list_comments(&context.item.reference).await {
                Ok(listed) => Checklist::posted(&listed, context).unwrap_or_default(),
                Err(error) => {
                    context.degrade(format!("{error}; every phase keeps its default"));
                    Checklist::default()
                }
            };
        }
        let selection = checklist.select(context.graph, &comment.author);
        if !selection.rejected.is_empty() {
            let names: Vec<String> = selection.rejected.iter().map(|name| format!("`{name}`")).collect();
            let body = format!(
                "{} cannot be skipped: required, or no phase of this process. The other ticks are taken as they are.",
                names.join(", ")
            );
            if let Err(error) = context.control.add_comment(&context.item.reference, &marked(&body)).await {
                context.degrade(error.to_string());
            }
        }
        context.effects.selection = Some(selection);
        Ok(Outcome::Pass { on: Some(SELECTED.to_owned()) })
    }
}
