//! The runtime: provisions agents, live or scripted.

use std::sync::Arc;

use async_trait::async_trait;
use windtunnel_api::ReferenceCase;
use windtunnel_inference::{CaseScript, ServedNames};
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentRuntime, ReferenceCapableAgentRuntime, RuntimeError, RuntimeErrorKind,
    ToolHandle,
};

use super::agent::LoopAgent;
use super::inference::Inference;
use super::settings::Settings;
use super::toolbox::Toolbox;

/// The `loop` runtime.
pub(super) struct AgentLoop {
    settings: Arc<Settings>,
}

impl AgentLoop {
    pub(super) fn new(settings: Arc<Settings>) -> Self {
        Self { settings }
    }

    fn agent(
        &self,
        config: AgentConfig,
        inference: Inference,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Box<dyn AgentHandle> {
        let settings = Arc::clone(&self.settings);
        Box::new(LoopAgent::new(settings, config.world, config.sampler, inference, Toolbox::new(tools)))
    }
}

#[async_trait]
impl AgentRuntime for AgentLoop {
    async fn provision(
        &self,
        config: AgentConfig,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let (client, model) = self.settings.live_model(config.world.limits.turn)?;
        let redactor = config.world.redactor.and(self.settings.key().cloned());
        let inference = Inference::live(client, model, redactor);
        Ok(self.agent(config, inference, tools))
    }

    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        Some(self)
    }
}

#[async_trait]
impl ReferenceCapableAgentRuntime for AgentLoop {
    async fn provision_reference(
        &self,
        config: AgentConfig,
        case: &ReferenceCase,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let served = ServedNames::of(&tools).await.map_err(|error| {
            RuntimeError::new(RuntimeErrorKind::Start, error.to_string()).with_source(error)
        })?;
        let script = CaseScript { served, redactor: config.world.redactor.clone(), ..CaseScript::of(case) };
        Ok(self.agent(config, Inference::scripted(script), tools))
    }
}
