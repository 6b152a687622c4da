//! All probes of a pack as one.

use std::sync::Arc;

use async_trait::async_trait;
use futures::future::try_join_all;
use serde_json::{Map, Value};
use windtunnel_api::Secret;
use windtunnel_api::pack::{Pack, ProbeSpec};
use windtunnel_mcp::WorkspaceRoot;
use windtunnel_spi::{CaseWorld, ProbeError, ProbeFactory, StateProbe};

use super::command::CommandSource;
use super::http::HttpSource;
use super::sqlite::SqliteSource;
use super::workspace::WorkspaceSource;

/// The factory of a pack's probes; none if the pack has none. Settings are checked here; nothing is read.
///
/// # Errors
/// What is wrong with a probe's settings, by the probe's name.
pub fn factory(pack: &Pack) -> Result<Option<Arc<dyn ProbeFactory>>, ProbeError> {
    if pack.manifest.probe.is_empty() {
        return Ok(None);
    }
    let sources = pack.manifest.probe.iter().map(|(name, spec)| {
        let source = Source::new(spec, pack).map_err(|message| ProbeError::new(name, message))?;
        Ok((name.clone(), source))
    });
    Ok(Some(Arc::new(Probes { sources: sources.collect::<Result<Vec<_>, _>>()?.into() })))
}

/// The secrets that a pack's probes take from our environment, for the redactors of its cases.
///
/// # Errors
/// What is wrong with a probe's settings, by the probe's name.
pub fn secrets(pack: &Pack) -> Result<Vec<Secret>, ProbeError> {
    let mut secrets = Vec::new();
    for (name, spec) in &pack.manifest.probe {
        let source = Source::new(spec, pack).map_err(|message| ProbeError::new(name, message))?;
        secrets.extend_from_slice(source.secrets());
    }
    Ok(secrets)
}

struct Probes {
    sources: Arc<[(String, Source)]>,
}

impl ProbeFactory for Probes {
    fn probe(&self, world: &CaseWorld) -> Result<Box<dyn StateProbe>, ProbeError> {
        let root = WorkspaceRoot::new(&world.workspace)
            .map_err(|error| format!("the workspace {} cannot be used: {error}", world.workspace));
        Ok(Box::new(CaseProbes { sources: Arc::clone(&self.sources), world: world.clone(), root }))
    }
}

/// The probes of one case.
struct CaseProbes {
    sources: Arc<[(String, Source)]>,
    world: CaseWorld,
    /// The workspace as it was before the agent came, or why it could not be used then.
    root: Result<WorkspaceRoot, String>,
}

#[async_trait]
impl StateProbe for CaseProbes {
    async fn reset(&self) -> Result<(), ProbeError> {
        let resets = self.sources.iter().map(|(name, source)| async move {
            source.reset(&self.world).await.map_err(|message| self.error(name, &message))
        });
        try_join_all(resets).await.map(|_| ())
    }

    async fn capture(&self) -> Result<Map<String, Value>, ProbeError> {
        let captures = self.sources.iter().map(|(name, source)| async move {
            let captured = source.capture(&self.world, &self.root).await;
            let value = captured.map_err(|message| self.error(name, &message))?;
            Ok((name.clone(), value))
        });
        try_join_all(captures).await.map(|captured| captured.into_iter().collect())
    }
}

impl CaseProbes {
    fn error(&self, name: &str, message: &str) -> ProbeError {
        ProbeError::new(name, self.world.redactor.text(message))
    }
}

/// Where one observation comes from. Their errors are texts, which the composite puts the probe's name to.
enum Source {
    Workspace(WorkspaceSource),
    Command(CommandSource),
    Http(HttpSource),
    Sqlite(SqliteSource),
}

impl Source {
    fn new(spec: &ProbeSpec, pack: &Pack) -> Result<Self, String> {
        Ok(match spec {
            ProbeSpec::Workspace(spec) => Self::Workspace(WorkspaceSource::new(spec)?),
            ProbeSpec::Command(spec) => Self::Command(CommandSource::new(spec, &pack.dir)?),
            ProbeSpec::Http(spec) => Self::Http(HttpSource::new(spec)?),
            ProbeSpec::Sqlite(spec) => Self::Sqlite(SqliteSource::new(spec, &pack.dir)?),
        })
    }

    fn secrets(&self) -> &[Secret] {
        match self {
            Self::Workspace(_) | Self::Sqlite(_) => &[],
            Self::Command(source) => source.secrets(),
            Self::Http(source) => source.secrets(),
        }
    }

    async fn reset(&self, world: &CaseWorld) -> Result<(), String> {
        match self {
            // The bench seeds the workspace before every run; a database is only read.
            Self::Workspace(_) | Self::Sqlite(_) => Ok(()),
            Self::Command(source) => source.reset(world).await,
            Self::Http(source) => source.reset(world).await,
        }
    }

    async fn capture(
        &self,
        world: &CaseWorld,
        root: &Result<WorkspaceRoot, String>,
    ) -> Result<Value, String> {
        match self {
            Self::Workspace(source) => source.capture(root.clone()?).await,
            Self::Command(source) => source.capture(world).await,
            Self::Http(source) => source.capture(world).await,
            Self::Sqlite(source) => source.capture(world).await,
        }
    }
}
