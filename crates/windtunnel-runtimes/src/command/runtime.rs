//! Any program as a runtime.

use std::sync::Arc;

use async_trait::async_trait;
use camino::Utf8Path;
use windtunnel_api::ReferenceCase;
use windtunnel_api::config::CommandRuntime;
use windtunnel_inference::ScriptedServer;
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentRuntime, ReferenceCapableAgentRuntime, RuntimeError, ToolHandle,
};

use super::agent::CommandAgent;
use super::plan::Plan;
use crate::program::{AgentWorld, ProgramAgent, StandIn};

/// The `command` runtime: agents that are programs. Reference-capable where `inference` is set.
#[derive(Clone)]
pub struct CommandAgents {
    plan: Arc<Plan>,
    server: ScriptedServer,
}

impl CommandAgents {
    /// Checks the settings of the runtime of this name; `config_dir` is the folder of the file they stand in.
    ///
    /// # Errors
    /// Kind `Config`, with the field that is wrong.
    pub fn new(name: &str, spec: &CommandRuntime, config_dir: &Utf8Path) -> Result<Self, RuntimeError> {
        Ok(Self { plan: Arc::new(Plan::new(name, spec, config_dir)?), server: ScriptedServer::new() })
    }

    async fn agent(
        &self,
        config: AgentConfig,
        tools: &[Arc<dyn ToolHandle>],
        stand_in: StandIn,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let program = &self.plan.program;
        let world = AgentWorld::new(program, tools, stand_in.base_url(), &config.world.workspace).await?;
        let agent = ProgramAgent::new(Arc::clone(program), config.world, world, stand_in);
        Ok(Box::new(CommandAgent::new(Arc::clone(&self.plan), agent)))
    }
}

#[async_trait]
impl AgentRuntime for CommandAgents {
    async fn provision(
        &self,
        config: AgentConfig,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        self.agent(config, &tools, StandIn::default()).await
    }

    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        self.plan.program.inference.is_some().then_some(self)
    }
}

#[async_trait]
impl ReferenceCapableAgentRuntime for CommandAgents {
    async fn provision_reference(
        &self,
        config: AgentConfig,
        case: &ReferenceCase,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let redactor = config.world.redactor.clone();
        let stand_in = StandIn::serve(&self.server, case, &self.plan.program, redactor, &tools).await?;
        self.agent(config, &tools, stand_in).await
    }

    fn model_told_by(&self) -> Option<&str> {
        self.plan.program.model_told_by()
    }
}
