//! Runtimes, and the agents that they provision.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value};
use windtunnel_api::artifact::evidence::{Evidence, Role};
use windtunnel_api::artifact::trace::{ModelCall, ScriptProgress, Usage};
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::scenario::permission::PermissionRule;
use windtunnel_api::surface::Surface;
use windtunnel_api::{ReferenceCase, Secret};

use crate::error::{EvidenceUnavailable, RuntimeError, RuntimeErrorKind};
use crate::stamp::Stamped;
use crate::tool::ToolHandle;
use crate::world::CaseWorld;

/// Drives the agents of one platform.
#[async_trait]
pub trait AgentRuntime: Send + Sync {
    /// A fresh agent with these tools. Where the future is dropped before it is done, it leaves nothing behind.
    async fn provision(
        &self,
        config: AgentConfig,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError>;

    /// The capability to be self-tested, where the runtime has an inference seam.
    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        None
    }

    /// The capability to show the prompt surface.
    fn surface(&self) -> Option<&dyn SurfaceIntrospectable> {
        None
    }

    /// What agents know of the tool servers of their case.
    fn tool_access(&self) -> ToolAccess {
        ToolAccess::Told
    }

    /// Whether agents can be given messages before a turn, as [`Message::newest`] takes them apart; else they refuse them with
    /// [`RuntimeErrorKind::History`].
    fn takes_history(&self) -> bool {
        true
    }
}

/// What agents know of tool servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolAccess {
    /// Where they are.
    Told,
    /// Nothing: the settings say that they bring their own tools.
    OwnTools,
    /// Nothing, and the settings do not say whether that is meant.
    Unsaid,
}

/// A runtime whose inference can be replaced by a script while its real agent loop stays.
#[async_trait]
pub trait ReferenceCapableAgentRuntime: AgentRuntime {
    /// An otherwise normal agent whose model decisions are the case's. Tearing the handle down removes the substitution, and
    /// so does dropping the future before it is done.
    async fn provision_reference(
        &self,
        config: AgentConfig,
        case: &ReferenceCase,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError>;

    /// By what the agent is told where its scripted model listens: a variable, or a placeholder of the settings. None where the
    /// decisions come to it by another way.
    fn model_told_by(&self) -> Option<&str> {
        None
    }
}

/// A runtime that can show what the model is told besides the conversation.
#[async_trait]
pub trait SurfaceIntrospectable: Send + Sync {
    /// The surface as the platform tells it.
    async fn surface(&self, config: &AgentConfig) -> Result<Surface, RuntimeError>;
}

/// What an agent is provisioned with.
#[derive(Debug, Clone)]
pub struct AgentConfig {
    /// Who asks: `wt-cli` or `wt-selftest`.
    pub agent_id: String,
    /// The case's folders, limits and secrets.
    pub world: CaseWorld,
    /// Sampler settings of the scenario, as they are.
    pub sampler: Map<String, Value>,
    /// The scenario's answers to an agent that asks for permission.
    pub permissions: Vec<PermissionRule>,
}

impl AgentConfig {
    /// A configuration without sampler settings.
    pub fn new(agent_id: impl Into<String>, world: CaseWorld) -> Self {
        Self { agent_id: agent_id.into(), world, sampler: Map::new(), permissions: Vec::new() }
    }
}

/// An agent of one case.
#[async_trait]
pub trait AgentHandle: Send {
    /// Adds messages to the session and waits for the agent's answer.
    ///
    /// Normally that is the one user message of the turn; perturbations may put earlier turns before it. The agent
    /// keeps the session's history itself.
    async fn send(&mut self, messages: &[Message], session: &SessionId) -> Result<AgentReply, RuntimeError>;

    /// Brings the agent back to its first state; a failure is fatal for the case.
    async fn reset_state(&mut self) -> Result<(), RuntimeError>;

    /// Ends the agent and removes every substitution. May be called more than once and never fails.
    async fn teardown(&mut self);

    /// The longest that one turn may take, where the agent's own settings say so; the bench's limit without it.
    fn turn_limit(&self) -> Option<Duration> {
        None
    }

    /// How far the script was consumed; `None` where the handle cannot tell.
    fn script_progress(&self) -> Option<ScriptProgress> {
        None
    }

    /// Takes what the inference seam saw since the last call: [`Evidence::Inference`], and [`Evidence::ToolCall`] with witness
    /// `seam` for calls that the agent runs itself. Empty where the runtime has no seam.
    fn drain_seam(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        Ok(Vec::new())
    }

    /// Asked after the last turn: which calls of the run nobody saw; none where every call was seen.
    fn unwitnessed_calls(&self) -> Option<UnwitnessedCalls> {
        None
    }

    /// Asked after the last turn: secrets that were seen to pass by and that no setting names, such as a key that the agent has from a file
    /// of its own. Nothing of the run is kept with them in it.
    fn learned_secrets(&self) -> Vec<Secret> {
        Vec::new()
    }

    /// What the model was told besides the conversation since the last reset; none where the handle does not see it.
    fn surface(&self) -> Option<Surface> {
        None
    }

    /// What the agent wrote to its outputs so far: bounded and redacted.
    fn output(&self) -> Vec<CapturedOutput> {
        Vec::new()
    }
}

/// Calls that nobody saw, if there were any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnwitnessedCalls {
    /// Why, and what to do.
    pub reason: String,
    /// Whether those that reach a tool server were seen all the same.
    pub own_only: bool,
}

/// A message to an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The text.
    pub content: String,
    /// Tool calls of an assistant turn in the history, as OpenAI Chat Completions writes them.
    pub tool_calls: Vec<Value>,
    /// The call that a tool turn in the history answers.
    pub tool_call_id: Option<String>,
}

impl Message {
    /// What the user says.
    pub fn user(content: impl Into<String>) -> Self {
        Self::plain(Role::User, content)
    }

    /// What the assistant said, without a call.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::plain(Role::Assistant, content)
    }

    /// What the system message says.
    pub fn system(content: impl Into<String>) -> Self {
        Self::plain(Role::System, content)
    }

    fn plain(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into(), tool_calls: Vec::new(), tool_call_id: None }
    }

    /// What the user says in a turn, and the messages that were put before it.
    ///
    /// # Errors
    /// The turn does not end with a user message.
    pub fn newest(messages: &[Self]) -> Result<(&str, &[Self]), RuntimeError> {
        match messages.split_last() {
            Some((newest, earlier)) if newest.role == Role::User => Ok((&newest.content, earlier)),
            _ => Err(RuntimeError::new(RuntimeErrorKind::Turn, "a turn has to end with what the user says")),
        }
    }

    /// What the user says, to an agent that can be told nothing else.
    ///
    /// # Errors
    /// Other messages were put before it ([`RuntimeErrorKind::History`]).
    pub fn only(messages: &[Self]) -> Result<&str, RuntimeError> {
        match Self::newest(messages)? {
            (newest, []) => Ok(newest),
            _ => Err(RuntimeError::new(
                RuntimeErrorKind::History,
                "this agent cannot be given the earlier messages that the scenario's perturbations put before the turn; \
                 agents of the runtimes loop and omw can, and of command with prompt = \"jsonl\"",
            )),
        }
    }
}

/// Names a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SessionId(String);

impl SessionId {
    /// A session of this name.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What an agent answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgentReply {
    /// The answer's text; may be empty.
    pub content: String,
    /// The tool calls that the agent itself reports.
    pub claimed_calls: Vec<ClaimedCall>,
    /// Tokens used, where the agent tells.
    pub usage: Option<Usage>,
    /// Tokens used by model call, where the agent tells.
    pub model_calls: Option<Vec<ModelCall>>,
}

impl AgentReply {
    /// An answer with nothing but its text.
    pub fn says(content: impl Into<String>) -> Self {
        Self { content: content.into(), ..Self::default() }
    }
}

/// A tool call that an agent reports of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimedCall {
    /// The tool's name.
    pub tool: String,
    /// Its arguments.
    pub args: Value,
    /// Its result, where the agent tells.
    pub result: Option<Value>,
}
