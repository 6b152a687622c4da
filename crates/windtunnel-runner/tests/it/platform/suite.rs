//! Its probe, its plugin and its hook.

use std::sync::Arc;

use async_trait::async_trait;
use camino::Utf8PathBuf;
use serde_json::{Map, Value, json};
use windtunnel_spi::{
    AgentRuntime, CaseWorld, Hook, HookArtifact, HookPoint, PackBinding, ProbeError, ProbeFactory,
    RuntimeError, RuntimeErrorKind, RuntimePlugin, StateProbe,
};

use super::Platform;

impl ProbeFactory for Platform {
    fn probe(&self, world: &CaseWorld) -> Result<Box<dyn StateProbe>, ProbeError> {
        self.step_now("make probe").map_err(|text| ProbeError::new("workspace", text))?;
        Ok(Box::new(Probe { platform: self.clone(), workspace: world.workspace.clone() }))
    }
}

/// Observes the names of the files in the workspace.
struct Probe {
    platform: Platform,
    workspace: Utf8PathBuf,
}

#[async_trait]
impl StateProbe for Probe {
    async fn reset(&self) -> Result<(), ProbeError> {
        self.platform.step("reset probe").await.map_err(|text| ProbeError::new("workspace", text))
    }

    async fn capture(&self) -> Result<Map<String, Value>, ProbeError> {
        self.platform.step("capture").await.map_err(|text| ProbeError::new("workspace", text))?;
        let mut files: Vec<String> = self
            .workspace
            .read_dir_utf8()
            .unwrap()
            .map(|file| file.unwrap().file_name().to_owned())
            .collect();
        files.sort();
        Ok(Map::from_iter([("workspace".to_owned(), json!({ "files": files }))]))
    }
}

#[async_trait]
impl RuntimePlugin for Platform {
    fn name(&self) -> &'static str {
        "staged"
    }

    async fn build(&self) -> Result<Arc<dyn AgentRuntime>, RuntimeError> {
        let kind = RuntimeErrorKind::Start;
        self.step("build").await.map_err(|text| RuntimeError::new(kind, text))?;
        Ok(Arc::new(self.clone()))
    }

    fn check_live(&self) -> Result<(), RuntimeError> {
        self.not_live.clone().map_or(Ok(()), |text| Err(RuntimeError::new(RuntimeErrorKind::Config, text)))
    }

    fn max_concurrency(&self) -> usize {
        self.max_concurrency
    }

    fn lock_key(&self) -> Option<String> {
        self.lock_key.clone()
    }

    async fn pre_run(
        &self,
        _runtime: &dyn AgentRuntime,
        packs: &mut [PackBinding],
        _runtime_name: &str,
    ) -> Result<(), RuntimeError> {
        let kind = RuntimeErrorKind::Start;
        self.step("pre_run").await.map_err(|text| RuntimeError::new(kind, text))?;
        if self.pre_run_installs_probe {
            for pack in packs {
                pack.probe_factory = Some(Arc::new(self.clone()));
            }
        }
        Ok(())
    }

    async fn post_run(&self, _runtime: &dyn AgentRuntime, _packs: &[PackBinding]) {
        let _ = self.step("post_run").await;
    }
}

impl Hook for Platform {
    fn name(&self) -> &'static str {
        "staged"
    }

    fn observe(&self, point: HookPoint<'_>) -> Vec<HookArtifact> {
        let (step, kept) = match point {
            HookPoint::Provisioned { .. } => ("hook provisioned".to_owned(), false),
            HookPoint::RunStart { run, .. } => (format!("hook run_start {run}"), false),
            HookPoint::RunScored { score, .. } => (format!("hook run_scored {}", score.verdict), true),
            HookPoint::RunEnd { run, .. } => (format!("hook run_end {run}"), false),
            HookPoint::ScenarioEnd { .. } => ("hook scenario_end".to_owned(), false),
            HookPoint::PackEnd { pack } => (format!("hook pack_end {pack}"), false),
        };
        let _ = self.step_now(&step);
        if kept { vec![HookArtifact { label: None, value: json!({ "point": step }) }] } else { Vec::new() }
    }
}
