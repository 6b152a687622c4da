//! Test doubles of the traits, for the tests of whoever implements or drives them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::io::DuplexStream;
use windtunnel_api::ReferenceCase;
use windtunnel_api::artifact::evidence::{ToolCall, Witness};
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::pack::ToolSpec;
use windtunnel_api::scenario::LlmJudge;

use crate::agent::{
    AgentConfig, AgentHandle, AgentReply, AgentRuntime, Message, ReferenceCapableAgentRuntime, SessionId,
};
use crate::error::{EvidenceUnavailable, ProbeError, RuntimeError, RuntimeErrorKind, ToolError};
use crate::judge::Judge;
use crate::probe::{ProbeFactory, StateProbe};
use crate::stamp::{Stamp, Stamped};
use crate::tool::{InjectedFailure, ServedTool, ToolFactory, ToolHandle, ToolServer};
use crate::world::CaseWorld;

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A runtime whose agents give canned answers and call no tool. Not reference-capable.
#[derive(Debug, Clone)]
pub struct CannedRuntime {
    replies: Vec<String>,
}

impl CannedRuntime {
    /// Agents answer with these, in order; the last one repeats.
    pub fn new<S: Into<String>>(replies: impl IntoIterator<Item = S>) -> Self {
        Self { replies: replies.into_iter().map(Into::into).collect() }
    }
}

#[async_trait]
impl AgentRuntime for CannedRuntime {
    async fn provision(
        &self,
        _config: AgentConfig,
        _tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        Ok(Box::new(CannedAgent { replies: self.replies.clone().into() }))
    }
}

struct CannedAgent {
    replies: VecDeque<String>,
}

#[async_trait]
impl AgentHandle for CannedAgent {
    async fn send(
        &mut self,
        _messages: &[Message],
        _session: &SessionId,
    ) -> Result<AgentReply, RuntimeError> {
        let reply =
            if self.replies.len() > 1 { self.replies.pop_front() } else { self.replies.front().cloned() };
        reply
            .map(AgentReply::says)
            .ok_or_else(|| RuntimeError::new(RuntimeErrorKind::Turn, "the canned agent has no reply"))
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        Ok(())
    }

    async fn teardown(&mut self) {}
}

/// A reference-capable runtime that plays a script without any loop: its tool calls land in the log of the
/// [`RecordedTools`] it was given, its last content is the answer. For testing what drives a runtime.
#[derive(Debug, Clone, Default)]
pub struct ScriptedRuntime {
    /// What happens to its agents; shared, so that a test can read it afterwards.
    pub log: Arc<Mutex<Vec<String>>>,
    /// The tools that its scripts call.
    pub tools: Option<RecordedTools>,
    /// Decisions it leaves unserved, as if the agent stopped early.
    pub stop_before: usize,
    /// Whether resetting fails.
    pub reset_fails: bool,
}

#[async_trait]
impl AgentRuntime for ScriptedRuntime {
    async fn provision(
        &self,
        _config: AgentConfig,
        _tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        Err(RuntimeError::new(RuntimeErrorKind::Start, "the scripted runtime has no model to run live"))
    }

    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        Some(self)
    }
}

#[async_trait]
impl ReferenceCapableAgentRuntime for ScriptedRuntime {
    async fn provision_reference(
        &self,
        _config: AgentConfig,
        case: &ReferenceCase,
        _tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        lock(&self.log).push(format!("provision {}", case.name));
        Ok(Box::new(ScriptedAgent { runtime: self.clone(), case: case.clone(), turn: 0, consumed: 0 }))
    }
}

struct ScriptedAgent {
    runtime: ScriptedRuntime,
    case: ReferenceCase,
    turn: usize,
    consumed: usize,
}

#[async_trait]
impl AgentHandle for ScriptedAgent {
    async fn send(
        &mut self,
        _messages: &[Message],
        _session: &SessionId,
    ) -> Result<AgentReply, RuntimeError> {
        let decisions = match self.case.turns.get(self.turn) {
            Some(turn) => turn.clone(),
            None => self.case.decisions.clone(),
        };
        self.turn += 1;
        let served = decisions.len().saturating_sub(self.runtime.stop_before);
        let mut answer = String::new();
        for decision in decisions.into_iter().take(served) {
            self.consumed += 1;
            if let Some(tools) = &self.runtime.tools {
                for call in decision.tool_calls {
                    tools.record(&call.name, Value::Object(call.arguments));
                }
            }
            answer = decision.content.unwrap_or_default();
        }
        Ok(AgentReply::says(answer))
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        if self.runtime.reset_fails {
            return Err(RuntimeError::new(RuntimeErrorKind::Reset, "the scripted agent cannot be reset"));
        }
        Ok(())
    }

    async fn teardown(&mut self) {
        lock(&self.runtime.log).push(format!("teardown {}", self.case.name));
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        Some(ScriptProgress {
            decisions: self.case.all_decisions().count(),
            consumed: self.consumed,
            ..ScriptProgress::default()
        })
    }
}

/// A tool server without a process: it serves names, and its log holds what a test puts in.
#[derive(Debug, Clone, Default)]
pub struct RecordedTools {
    name: String,
    served: Vec<String>,
    log: Arc<Mutex<Vec<Stamped<ToolCall>>>>,
    address: Option<String>,
    /// Makes the log unreadable.
    pub unavailable: bool,
}

impl RecordedTools {
    /// A server of this name that serves these tools.
    pub fn new<S: Into<String>>(name: impl Into<String>, served: impl IntoIterator<Item = S>) -> Self {
        Self { name: name.into(), served: served.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Has an address, at which nothing is.
    #[must_use]
    pub fn addressed(mut self) -> Self {
        self.address = Some(format!("http://127.0.0.1:1/{}", self.name));
        self
    }

    /// Puts a call into the log, as if it had been witnessed.
    pub fn record(&self, tool: &str, args: Value) {
        let value = ToolCall {
            server: self.name.clone(),
            tool: tool.to_owned(),
            args,
            result: Value::String("ok".to_owned()),
            error: None,
            ms: 0.0,
            witness: Witness::Recorder,
            extra: None,
        };
        lock(&self.log).push(Stamped { stamp: Stamp::next(), at_ms: 0.0, value });
    }
}

/// Every server it makes is itself, with the one shared log.
impl ToolFactory for RecordedTools {
    fn server(
        &self,
        _name: &str,
        _spec: &ToolSpec,
        _world: &CaseWorld,
    ) -> Result<Box<dyn ToolServer>, ToolError> {
        Ok(Box::new(self.clone()))
    }
}

#[async_trait]
impl ToolServer for RecordedTools {
    fn name(&self) -> &str {
        &self.name
    }

    async fn start(&mut self) -> Result<Arc<dyn ToolHandle>, ToolError> {
        Ok(Arc::new(self.clone()))
    }

    async fn stop(&mut self) {}
}

#[async_trait]
impl ToolHandle for RecordedTools {
    fn server(&self) -> &str {
        &self.name
    }

    async fn url(&self) -> Result<String, ToolError> {
        self.address.clone().ok_or_else(|| ToolError::new(&self.name, "recorded tools have no address"))
    }

    async fn connect(&self) -> Result<DuplexStream, ToolError> {
        Err(ToolError::new(&self.name, "recorded tools cannot be connected to"))
    }

    async fn served_tools(&self) -> Result<Vec<ServedTool>, ToolError> {
        let tool = |name: &String| ServedTool {
            name: name.clone(),
            definition: serde_json::json!({ "name": name }),
            effect: None,
        };
        Ok(self.served.iter().map(tool).collect())
    }

    fn call_log(&self) -> Result<Vec<Stamped<ToolCall>>, EvidenceUnavailable> {
        if self.unavailable {
            return Err(EvidenceUnavailable::new(&self.name, "the test said so"));
        }
        Ok(lock(&self.log).clone())
    }

    fn reset_call_log(&self) {
        lock(&self.log).clear();
    }

    async fn refresh(&self) -> Result<(), ToolError> {
        Ok(())
    }

    fn inject_failure(&self, _tool: &str, _failure: InjectedFailure) {}
}

/// A probe that captures the same value every time, or fails.
#[derive(Debug, Clone)]
pub struct FixedProbe(pub Result<Map<String, Value>, String>);

#[async_trait]
impl StateProbe for FixedProbe {
    async fn reset(&self) -> Result<(), ProbeError> {
        Ok(())
    }

    async fn capture(&self) -> Result<Map<String, Value>, ProbeError> {
        self.0.clone().map_err(|message| ProbeError::new("fixed", message))
    }
}

impl ProbeFactory for FixedProbe {
    fn probe(&self, _world: &CaseWorld) -> Result<Box<dyn StateProbe>, ProbeError> {
        Ok(Box::new(self.clone()))
    }
}

/// A judge that always says the same.
#[derive(Debug, Clone)]
pub struct FixedJudge(pub String);

#[async_trait]
impl Judge for FixedJudge {
    async fn ask(&self, _judge: &LlmJudge, _prompt: &str, _answer: &str) -> Result<String, RuntimeError> {
        Ok(self.0.clone())
    }
}
