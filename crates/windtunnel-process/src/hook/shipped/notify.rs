//! `notify`: tells whoever follows along.

use async_trait::async_trait;
use serde::Deserialize;

use crate::hook::{Effort, Hook, HookContext, HookError, Outcome};

/// Posts a message that says where the item stands.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Notify {
    /// What is said besides.
    message: Option<String>,
}

#[async_trait]
impl Hook for Notify {
    fn effort(&self) -> Effort {
        Effort::BestEffort
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let stands = format!("{} stands at {}", context.item.id, context.node.id);
        let text = match &self.message {
            Some(message) => format!("{stands}: {message}"),
            None => stands,
        };
        context
            .control
            .post_message(&context.item.reference, &text)
            .await
            .map_err(|error| HookError(error.to_string()))?;
        Ok(Outcome::pass())
    }
}
