//! A stub without a loop, for learning the scoring.

use std::sync::Arc;

use async_trait::async_trait;
use windtunnel_api::config::InMemoryRuntime;
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentReply, AgentRuntime, Message, RuntimeError, SessionId, ToolHandle,
};

/// The `in_memory` runtime: answers with a fixed text, or with the user's own words, and calls no tool.
///
/// It is deliberately not reference-capable: it has no loop whose decisions a script could replace.
#[derive(Debug, Clone)]
pub struct InMemory {
    reply: Option<String>,
}

impl InMemory {
    /// The runtime with these settings.
    pub fn new(spec: &InMemoryRuntime) -> Self {
        Self { reply: spec.reply.clone() }
    }
}

#[async_trait]
impl AgentRuntime for InMemory {
    async fn provision(
        &self,
        _config: AgentConfig,
        _tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        Ok(Box::new(self.clone()))
    }

    fn takes_history(&self) -> bool {
        false
    }
}

#[async_trait]
impl AgentHandle for InMemory {
    async fn send(&mut self, messages: &[Message], _session: &SessionId) -> Result<AgentReply, RuntimeError> {
        let said = Message::only(messages)?;
        Ok(AgentReply::says(self.reply.as_deref().unwrap_or(said)))
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        Ok(())
    }

    async fn teardown(&mut self) {}
}
