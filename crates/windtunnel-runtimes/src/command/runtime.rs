//! Any program as a runtime.

use std::sync::Arc;

use async_trait::async_trait;
use camino::Utf8Path;
use windtunnel_api::ReferenceCase;
use windtunnel_api::config::CommandRuntime;
use windtunnel_inference::{CaseScript, ScriptedServer, ServedNames};
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentRuntime, ReferenceCapableAgentRuntime, RuntimeError, RuntimeErrorKind,
    ToolHandle,
};

use super::agent::CommandAgent;
use super::plan::Plan;
use super::world::AgentWorld;

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
}

#[async_trait]
impl AgentRuntime for CommandAgents {
    async fn provision(
        &self,
        config: AgentConfig,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let world = AgentWorld::new(&self.plan, &tools, None, &config.world.workspace).await?;
        Ok(Box::new(CommandAgent::new(Arc::clone(&self.plan), config.world, world, None)))
    }

    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        self.plan.spec.inference.is_some().then_some(self)
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
        let served = if self.plan.tells_servers() {
            ServedNames::of(&tools).await.map_err(|error| {
                RuntimeError::new(RuntimeErrorKind::Start, "a tool server does not say what it serves")
                    .with_source(error)
            })?
        } else {
            // No call of a program that knows no server passes a recorder: its tools are its own, whatever they are called.
            ServedNames::default()
        };
        let script = CaseScript {
            served,
            asides: self.plan.asides.clone(),
            redactor: config.world.redactor.clone(),
            ..CaseScript::of(case)
        };
        let scripted = self.server.register(script).await.map_err(|error| {
            RuntimeError::new(RuntimeErrorKind::Start, "the scripted model could not be started")
                .with_source(error)
        })?;
        let base_url = Some(scripted.base_url());
        let world = AgentWorld::new(&self.plan, &tools, base_url, &config.world.workspace).await?;
        Ok(Box::new(CommandAgent::new(Arc::clone(&self.plan), config.world, world, Some(scripted))))
    }
}
