//! `set-phase-label`: the item carries the label of the phase it is in.

use async_trait::async_trait;
use serde::Deserialize;

use crate::hook::{Effort, Hook, HookContext, HookError, Outcome};

/// Replaces the label of the last phase by that of this one. It is set even if it is already there.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetPhaseLabel {}

#[async_trait]
impl Hook for SetPhaseLabel {
    fn effort(&self) -> Effort {
        Effort::BestEffort
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let Some(phase) = &context.node.phase else { return Ok(Outcome::Skip) };
        let failed = |error: crate::transport::ControlPlaneError| HookError(error.to_string());
        let reference = &context.item.reference;
        let mut labels = context.control.get_labels(reference).await.map_err(failed)?;
        labels.retain(|label| !is_phase_label(context, label));
        labels.push(format!("{}{phase}", context.config.workflow.phase_label_prefix));
        context.control.set_labels(reference, &labels).await.map_err(failed)?;
        Ok(Outcome::pass())
    }
}

/// Whether a label says a phase. Where nothing stands before a phase, only those of the graph do.
fn is_phase_label(context: &HookContext<'_>, label: &str) -> bool {
    let prefix = &context.config.workflow.phase_label_prefix;
    if prefix.is_empty() {
        context.graph.nodes().any(|node| node.phase.as_deref() == Some(label))
    } else {
        label.starts_with(prefix.as_str())
    }
}
