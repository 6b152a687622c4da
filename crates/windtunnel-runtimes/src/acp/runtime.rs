//! Programs that speak the protocol, as a runtime.

use std::sync::Arc;

use async_trait::async_trait;
use camino::Utf8Path;
use windtunnel_api::ReferenceCase;
use windtunnel_api::config::AcpRuntime;
use windtunnel_gate::Permissions;
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentRuntime, ReferenceCapableAgentRuntime, RuntimeError, RuntimeErrorKind,
    ToolHandle,
};

use super::agent::AcpAgent;
use super::client_side::ClientSide;
use super::files::Files;
use super::permission::Policy;
use super::plan::Plan;
use crate::program::{ProgramAgent, served};

/// The `acp` runtime. Reference-capable where `inference` is set.
#[derive(Clone)]
pub struct AcpAgents {
    plan: Arc<Plan>,
}

impl AcpAgents {
    /// Checks the settings of the runtime of this name; `config_dir` is the folder of the file they stand in.
    ///
    /// # Errors
    /// Kind `Config`, with the field that is wrong.
    pub fn new(name: &str, spec: &AcpRuntime, config_dir: &Utf8Path) -> Result<Self, RuntimeError> {
        Ok(Self { plan: Arc::new(Plan::new(name, spec, config_dir)?) })
    }

    async fn agent(
        &self,
        config: AgentConfig,
        tools: &[Arc<dyn ToolHandle>],
        case: Option<&ReferenceCase>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let rules = Permissions::compile(&config.permissions).map_err(|faults| {
            let faults = faults.iter().map(|fault| format!("{}: {}", fault.path, fault.message));
            RuntimeError::new(RuntimeErrorKind::Config, faults.collect::<Vec<_>>().join("\n"))
        })?;
        let policy = Policy::new(rules, self.plan.permission);
        let files = Files::of(&config.world.workspace).map_err(|error| {
            RuntimeError::new(RuntimeErrorKind::Start, "the workspace cannot be read").with_source(error)
        })?;
        let program = &self.plan.program;
        let client_side = ClientSide::new(policy, files, served(program, tools).await?);
        let agent = ProgramAgent::provision(program, config.world, tools, case).await?;
        Ok(Box::new(AcpAgent::new(Arc::clone(&self.plan), agent, client_side)))
    }
}

#[async_trait]
impl AgentRuntime for AcpAgents {
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

    fn takes_history(&self) -> bool {
        false
    }
}

#[async_trait]
impl ReferenceCapableAgentRuntime for AcpAgents {
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
