//! An endpoint as a runtime.

use std::sync::Arc;

use async_trait::async_trait;
use windtunnel_api::ReferenceCase;
use windtunnel_api::surface::Surface;
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentRuntime, ReferenceCapableAgentRuntime, RuntimeError,
    SurfaceIntrospectable, ToolHandle,
};

use super::agent::{HttpAgent, asker};
use super::endpoint::Endpoint;
use super::script::Script;
use crate::addresses::addresses;

/// Agents behind an endpoint that said whether its model can be replaced.
pub(super) struct HttpAgents {
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) is_scriptable: bool,
}

#[async_trait]
impl AgentRuntime for HttpAgents {
    async fn provision(
        &self,
        config: AgentConfig,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        if self.is_scriptable {
            // A bench that was killed may have left decisions behind, which are not to answer in a live run.
            let redactor = self.endpoint.redactor(&config.world.redactor);
            self.endpoint.unscript(asker(&config.world, &redactor)).await?;
        }
        let tools = addresses(&tools).await?;
        Ok(Box::new(HttpAgent::new(Arc::clone(&self.endpoint), config.world, tools, None)))
    }

    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        self.is_scriptable.then_some(self)
    }

    fn surface(&self) -> Option<&dyn SurfaceIntrospectable> {
        Some(self)
    }

    fn takes_history(&self) -> bool {
        false
    }
}

#[async_trait]
impl ReferenceCapableAgentRuntime for HttpAgents {
    /// Decisions are handed over turn by turn, so nothing is replaced before the first turn is sent.
    async fn provision_reference(
        &self,
        config: AgentConfig,
        case: &ReferenceCase,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let tools = addresses(&tools).await?;
        let script = Some(Script::of(case));
        Ok(Box::new(HttpAgent::new(Arc::clone(&self.endpoint), config.world, tools, script)))
    }
}

#[async_trait]
impl SurfaceIntrospectable for HttpAgents {
    async fn surface(&self, config: &AgentConfig) -> Result<Surface, RuntimeError> {
        let redactor = self.endpoint.redactor(&config.world.redactor);
        Ok(self.endpoint.surface(asker(&config.world, &redactor)).await?.unwrap_or_default())
    }
}
