//! The runtime: a run of its own for each case.

use std::sync::Arc;

use ::omw::config::{self, Config, Source};
use async_trait::async_trait;
use camino::Utf8Path;
use windtunnel_api::ReferenceCase;
use windtunnel_api::config::OmwRuntime;
use windtunnel_inference::{CaseScript, ScriptedCase, ScriptedServer, ServedNames};
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentRuntime, ReferenceCapableAgentRuntime, RuntimeError, RuntimeErrorKind,
    ToolHandle,
};

use super::agent::OmwAgent;
use super::plan;

/// The `omw` runtime.
pub struct OmwAgents {
    model: String,
    config: Config,
    server: ScriptedServer,
}

impl OmwAgents {
    /// Loads the config of the runtime of this name; `config_dir` is the folder of the file that names it.
    ///
    /// # Errors
    /// Kind `Config`: a config that is malformed, with file, line and column.
    pub fn new(name: &str, spec: &OmwRuntime, config_dir: &Utf8Path) -> Result<Self, RuntimeError> {
        let path = config_dir.join(&spec.config);
        let scripts = path.parent().unwrap_or(config_dir);
        let source =
            Source::file(&path).with_environment("OMW__", std::env::vars_os()).scripts_relative_to(scripts);
        let loaded = config::load(&source).map_err(|faults| {
            RuntimeError::new(RuntimeErrorKind::Config, format!("runtimes.{name}: {faults}"))
        })?;
        Ok(Self { model: spec.model.clone(), config: loaded.log_warnings(), server: ScriptedServer::new() })
    }

    async fn start(
        &self,
        config: AgentConfig,
        scripted: Option<ScriptedCase>,
        tools: &[Arc<dyn ToolHandle>],
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let base_url = scripted.as_ref().map(ScriptedCase::base_url);
        let planned = Arc::new(plan::for_case(&self.config, base_url, tools).await?);
        Ok(Box::new(OmwAgent::start(self.model.clone(), planned, config.world, scripted).await?))
    }
}

#[async_trait]
impl AgentRuntime for OmwAgents {
    async fn provision(
        &self,
        config: AgentConfig,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        self.start(config, None, &tools).await
    }

    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        Some(self)
    }
}

#[async_trait]
impl ReferenceCapableAgentRuntime for OmwAgents {
    async fn provision_reference(
        &self,
        config: AgentConfig,
        case: &ReferenceCase,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let start_error = |what: &str, error: Box<dyn std::error::Error + Send + Sync>| {
            RuntimeError::new(RuntimeErrorKind::Start, format!("{what}: {error}"))
        };
        let served = ServedNames::of(&tools)
            .await
            .map_err(|error| start_error("a tool server does not say what it serves", error.into()))?;
        let script = CaseScript { served, redactor: config.world.redactor.clone(), ..CaseScript::of(case) };
        let scripted = self
            .server
            .register(script)
            .await
            .map_err(|error| start_error("the scripted model could not be started", error.into()))?;
        self.start(config, Some(scripted), &tools).await
    }
}
