//! Hooks for graphs that are only compiled.

use async_trait::async_trait;
use serde::Deserialize;
use windtunnel_process::artifact::ArtifactName;
use windtunnel_process::hook::{Hook, HookContext, HookError, HookRegistry, Outcome};

/// Two hooks: `note` without parameters, `gate` with some.
pub(crate) fn registry() -> HookRegistry {
    HookRegistry::empty().with::<Note>("note").with::<Gate>("gate")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Gate {
    #[serde(default, rename = "locked")]
    _locked: bool,
    #[serde(default, rename = "artifacts")]
    _artifacts: Vec<ArtifactName>,
    #[serde(default)]
    only_when_skipped: Option<String>,
}

#[async_trait]
impl Hook for Note {
    async fn run(&self, _: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        Ok(Outcome::pass())
    }
}

#[async_trait]
impl Hook for Gate {
    fn nodes(&self) -> Vec<&str> {
        self.only_when_skipped.iter().map(String::as_str).collect()
    }

    async fn run(&self, _: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        Ok(Outcome::pass())
    }
}
