//! The clerk as a runtime of `wt`: live with its rules, and in a self-test with a script in their place.

use std::sync::Arc;

use rmcp::model::Tool;
use windtunnel_core::api::artifact::evidence::Role;
use windtunnel_core::api::artifact::trace::ScriptProgress;
use windtunnel_core::inference::{
    CaseScript, ChatRequest, InferenceSeam, Model, ScriptedModel, ServedNames, Tools,
};
use windtunnel_core::prelude::*;
use windtunnel_core::serde_json::{Map, Value, from_str, json};

use crate::clerk::{Call, Clerk, ClerkError, Decision, Desk, Mind};
use crate::rules::Rules;

// ANCHOR: runtime
/// Makes clerks.
pub(crate) struct Clerks;

#[async_trait]
impl AgentRuntime for Clerks {
    async fn provision(
        &self,
        _config: AgentConfig,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        Ok(Box::new(ClerkHandle::new(Arc::new(Rules), None, tools)?))
    }

    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        Some(self)
    }
}

#[async_trait]
impl ReferenceCapableAgentRuntime for Clerks {
    async fn provision_reference(
        &self,
        config: AgentConfig,
        case: &ReferenceCase,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let served = ServedNames::of(&tools).await.map_err(|error| start(&error))?;
        let script = CaseScript { served, redactor: config.world.redactor, ..CaseScript::of(case) };
        let seam = Arc::new(InferenceSeam::new(script));
        let mind = Scripted(ScriptedModel::new(Arc::clone(&seam)));
        Ok(Box::new(ClerkHandle::new(Arc::new(mind), Some(seam), tools)?))
    }
}
// ANCHOR_END: runtime

// ANCHOR: scripted
/// The script as a mind. The clerk cannot tell it from another one.
struct Scripted(ScriptedModel);

#[async_trait]
impl Mind for Scripted {
    async fn decide(&self, conversation: &[Value], tools: &[Tool]) -> Result<Decision, ClerkError> {
        let mut offered = Tools::none();
        for tool in tools {
            let schema = Value::Object((*tool.input_schema).clone());
            offered.offer(&*tool.name, tool.description.as_deref(), schema);
        }
        let request = ChatRequest { messages: conversation, tools: &offered, sampler: &Map::new() };
        let reply = self.0.complete(request).await.map_err(|error| ClerkError::Mind(error.to_string()))?;
        let calls = reply.tool_calls.into_iter().map(|call| {
            let arguments = from_str(&call.arguments)
                .map_err(|error| ClerkError::Mind(format!("arguments of {}: {error}", call.name)))?;
            Ok(Call { id: call.id, tool: call.name, arguments })
        });
        Ok(Decision { text: reply.content, calls: calls.collect::<Result<_, ClerkError>>()? })
    }
}
// ANCHOR_END: scripted

// ANCHOR: handle
/// The clerk of one case.
struct ClerkHandle {
    mind: Arc<dyn Mind>,
    seam: Option<Arc<InferenceSeam>>,
    files: Arc<dyn ToolHandle>,
    clerk: Option<Clerk>,
}

impl ClerkHandle {
    fn new(
        mind: Arc<dyn Mind>,
        seam: Option<Arc<InferenceSeam>>,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Self, RuntimeError> {
        let [files] = <[_; 1]>::try_from(tools).map_err(|tools| {
            let message = format!("a clerk needs exactly one tool server, and the pack has {}", tools.len());
            RuntimeError::new(RuntimeErrorKind::Start, message)
        })?;
        Ok(Self { mind, seam, files, clerk: None })
    }
}

#[async_trait]
impl AgentHandle for ClerkHandle {
    async fn send(&mut self, messages: &[Message], _session: &SessionId) -> Result<AgentReply, RuntimeError> {
        let clerk = match &mut self.clerk {
            Some(clerk) => clerk,
            vacant => {
                // The recorder is at the other end, so every call is witnessed where the clerk cannot touch it.
                let connection = self.files.connect().await.map_err(|error| start(&error))?;
                let desk = Desk::open(connection).await.map_err(|error| start(&error))?;
                vacant.insert(Clerk::new(Arc::clone(&self.mind), desk))
            }
        };
        if let Some(seam) = &self.seam {
            seam.begin_turn();
        }
        let answer = clerk.answer(messages.iter().map(spoken)).await;
        let failed = |error: ClerkError| RuntimeError::new(RuntimeErrorKind::Turn, error.to_string());
        answer.map(AgentReply::says).map_err(failed)
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        // The tool server is fresh for every run, so the connection has to be as well.
        self.clerk = None;
        if let Some(seam) = &self.seam {
            seam.rewind();
        }
        Ok(())
    }

    async fn teardown(&mut self) {
        self.clerk = None;
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        self.seam.as_ref().map(|seam| seam.progress())
    }

    fn drain_seam(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        self.seam.as_ref().map_or_else(|| Ok(Vec::new()), |seam| seam.drain_evidence())
    }
}
// ANCHOR_END: handle

/// A message as the clerk's conversation writes it.
fn spoken(message: &Message) -> Value {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let mut spoken = json!({"role": role, "content": message.content});
    if !message.tool_calls.is_empty() {
        spoken["tool_calls"] = message.tool_calls.clone().into();
    }
    if let Some(id) = &message.tool_call_id {
        spoken["tool_call_id"] = id.as_str().into();
    }
    spoken
}

fn start(error: &dyn std::error::Error) -> RuntimeError {
    RuntimeError::new(RuntimeErrorKind::Start, error.to_string())
}
