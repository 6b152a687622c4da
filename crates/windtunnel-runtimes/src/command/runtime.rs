//! Any program as a runtime.

use std::sync::Arc;

use async_trait::async_trait;
use camino::Utf8Path;
use windtunnel_api::ReferenceCase;
use windtunnel_api::config::{CommandRuntime, PromptVia};
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentRuntime, ReferenceCapableAgentRuntime, RuntimeError, ToolAccess,
    ToolHandle,
};

use super::agent::CommandAgent;
use super::plan::Plan;
use crate::program::ProgramAgent;

/// The `command` runtime: agents that are programs. Reference-capable where `inference` is set.
#[derive(Clone)]
pub struct CommandAgents {
    plan: Arc<Plan>,
}

impl CommandAgents {
    /// Checks the settings of the runtime of this name; `config_dir` is the folder of the file they stand in.
    ///
    /// # Errors
    /// Kind `Config`, with the field that is wrong.
    pub fn new(name: &str, spec: &CommandRuntime, config_dir: &Utf8Path) -> Result<Self, RuntimeError> {
        Ok(Self { plan: Arc::new(Plan::new(name, spec, config_dir)?) })
    }

    async fn agent(
        &self,
        config: AgentConfig,
        tools: &[Arc<dyn ToolHandle>],
        case: Option<&ReferenceCase>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let program = &self.plan.program;
        let agent = ProgramAgent::provision(program, config.world, tools, case).await?;
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
        self.agent(config, &tools, None).await
    }

    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        self.plan.program.inference.is_some().then_some(self)
    }

    fn tool_access(&self) -> ToolAccess {
        self.plan.program.tool_access()
    }

    fn takes_history(&self) -> bool {
        self.plan.prompt == PromptVia::Jsonl
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
        self.agent(config, &tools, Some(case)).await
    }

    fn model_told_by(&self) -> Option<&str> {
        self.plan.program.model_told_by()
    }
}
