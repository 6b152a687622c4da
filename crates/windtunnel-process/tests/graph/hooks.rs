//! Hooks that do nothing, for graphs that are only compiled.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use windtunnel_process::artifact::ArtifactName;
use windtunnel_process::hook::{Hook, HookContext, HookError, HookRegistry, Outcome};

/// Two hooks: `note` without parameters, `gate` with some.
pub(crate) fn registry() -> HookRegistry {
    HookRegistry::empty().with::<Note>("note").with::<Gate>("gate")
}

/// The hooks of these names, with any parameters.
pub(crate) fn lenient(names: &[&str]) -> HookRegistry {
    names.iter().fold(HookRegistry::empty(), |registry, name| {
        registry.with_fn(*name, |_| Ok(Arc::new(Note {}) as Arc<dyn Hook>))
    })
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
