//! `log-entry`: the execution log says when a node was entered.

use async_trait::async_trait;
use serde::Deserialize;

use crate::artifact::execution_log::{self, EXECUTION_LOG};
use crate::artifact::{Artifact, rewrite};
use crate::hook::{Effort, Hook, HookContext, HookError, Outcome};

/// Appends `### <date> — entry <node>` to the execution log, if there is one and its end is open to it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LogEntry {}

#[async_trait]
impl Hook for LogEntry {
    fn effort(&self) -> Effort {
        Effort::BestEffort
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let log =
            Artifact::read(context.folder, EXECUTION_LOG).map_err(|error| HookError(error.to_string()))?;
        let Some(log) = log else { return Ok(Outcome::Skip) };
        let entry = format!("### {}", execution_log::entry(&context.date(), &context.node.id));
        let text = rewrite::appended(&log, &entry);
        let outline = Artifact::of_text(EXECUTION_LOG, text.as_str()).outline();
        let line = text.trim_end().lines().count();
        if outline.sections.last().is_none_or(|last| last.line != line) {
            return Err(HookError(format!(
                "{EXECUTION_LOG} ends in code or HTML that is not closed, which a checkpoint would be lost in"
            )));
        }
        rewrite::replace(context.folder, &log, &text)
            .map_err(|error| HookError(format!("{EXECUTION_LOG} cannot be written: {error}")))?;
        Ok(Outcome::pass())
    }
}
