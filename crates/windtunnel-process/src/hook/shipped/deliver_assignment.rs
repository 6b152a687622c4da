//! `deliver-assignment`: tells the agent what its work is.

use async_trait::async_trait;
use serde::Deserialize;

use crate::artifact::ArtifactName;
use crate::hook::{Effort, Hook, HookContext, HookError, Outcome};
use crate::transport::SessionError;

/// Delivers the node's work to the agent's session. Where there is no session there is nothing to do.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct DeliverAssignment {
    /// What is said besides.
    message: Option<String>,
}

#[async_trait]
impl Hook for DeliverAssignment {
    fn effort(&self) -> Effort {
        Effort::BestEffort
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let node = context.node;
        let folder = context.folder.strip_prefix(context.root).unwrap_or(context.folder);
        let mut sentences =
            vec![format!("{} stands at {}: that is your work now.", context.item.id, node.id)];
        let produced = node.produces.iter().map(ArtifactName::in_words);
        sentences.extend(produced.map(|names| format!("It leaves {names} behind, in {folder}.")));
        sentences.extend(self.message.clone());
        sentences.push(format!("Claim {} when it is done.", node.id));
        match context.session.deliver(context.item, &sentences.join(" ")).await {
            Ok(()) => Ok(Outcome::pass()),
            Err(SessionError::Missing { .. }) => Ok(Outcome::Skip),
            Err(error) => Err(HookError(error.to_string())),
        }
    }
}
