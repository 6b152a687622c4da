//! The hook that only this organisation has.

use async_trait::async_trait;
use serde::Deserialize;
use windtunnel_core::process::artifact::{Artifact, ArtifactError};
use windtunnel_core::process::hook::{Hook, HookContext, HookError, Outcome};

// ANCHOR: hook
/// Declares the class of a change as the outcome, so that the graph can send each class its own way.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ChangeClass {
    /// The artifact whose front matter says it.
    artifact: String,
    /// The classes that there are.
    classes: Vec<String>,
}

#[async_trait]
impl Hook for ChangeClass {
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let file = &self.artifact;
        let unreadable = |error: ArtifactError| HookError(error.to_string());
        let Some(artifact) = Artifact::read(context.folder, file).map_err(unreadable)? else {
            return Ok(Outcome::of_findings(vec![format!("there is no {file}")]));
        };
        let front_matter = artifact.front_matter().map_err(unreadable)?;
        let class = front_matter.as_ref().and_then(|front_matter| front_matter.text("class"));
        let expected = format!("expected one of {}", self.classes.join(", "));
        let finding = match class {
            Some(class) if self.classes.iter().any(|known| known == class) => {
                return Ok(Outcome::Pass { on: Some(class.to_owned()) });
            }
            Some(class) => format!("{file} is of the class {class:?}; {expected}"),
            None => format!("{file} has no class in its front matter; {expected}"),
        };
        Ok(Outcome::of_findings(vec![finding]))
    }
}
// ANCHOR_END: hook
