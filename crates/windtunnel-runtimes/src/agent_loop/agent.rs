//! An agent: the loop itself.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value};
use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::{ModelCall, ScriptProgress, Usage};
use windtunnel_api::surface::Surface;
use windtunnel_inference::{CallRequest, ChatReply, ChatRequest, ModelError};
use windtunnel_spi::{
    AgentHandle, AgentReply, CaseWorld, ClaimedCall, EvidenceUnavailable, Message, RuntimeError,
    RuntimeErrorKind, SessionId, Stamped,
};

use super::history::{self, History};
use super::inference::Inference;
use super::settings::Settings;
use super::toolbox::Toolbox;

/// What the bench waits beyond the turn limit, so that the agent itself can say what it was at.
const TO_EXPLAIN: Duration = Duration::from_secs(10);

/// An agent of one case.
pub(super) struct LoopAgent {
    settings: Arc<Settings>,
    world: CaseWorld,
    sampler: Map<String, Value>,
    inference: Inference,
    toolbox: Toolbox,
    history: History,
    doing: Doing,
}

/// What an agent is at, for the message of a turn that took too long.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Doing {
    Waiting,
    Connecting,
    Asking { step: usize },
    Calling { step: usize, tools: String },
    TornDown,
}

impl Doing {
    fn text(&self) -> String {
        match self {
            Self::Waiting | Self::TornDown => "between turns".to_owned(),
            Self::Connecting => "connecting to its tool servers".to_owned(),
            Self::Asking { step } => format!("waiting for the model in step {step}"),
            Self::Calling { step, tools } => format!("waiting for {tools} in step {step}"),
        }
    }
}

impl LoopAgent {
    pub(super) fn new(
        settings: Arc<Settings>,
        world: CaseWorld,
        sampler: Map<String, Value>,
        inference: Inference,
        toolbox: Toolbox,
    ) -> Self {
        Self {
            settings,
            world,
            sampler,
            inference,
            toolbox,
            history: History::default(),
            doing: Doing::Waiting,
        }
    }

    /// One turn, as long as it may take.
    async fn turn(&mut self, messages: &[Message], session: &SessionId) -> Result<AgentReply, RuntimeError> {
        self.inference.begin_turn();
        self.doing = Doing::Connecting;
        let offer = self.toolbox.offer().await?;
        let conversation = self.history.session(session, self.settings.system_prompt.as_deref());
        history::add(conversation, messages);
        let mut record = TurnRecord::default();
        for step in 1..=self.settings.max_steps {
            self.doing = Doing::Asking { step };
            let request = ChatRequest { messages: conversation, tools: &offer.tools, sampler: &self.sampler };
            let reply = self.inference.complete(request).await.map_err(|error| no_answer(step, error))?;
            record.asked(session, &reply);
            conversation.push(history::decided(&reply));
            if reply.tool_calls.is_empty() {
                return Ok(record.finish(reply.content.unwrap_or_default()));
            }
            let names: Vec<&str> = reply.tool_calls.iter().map(|call| call.name.as_str()).collect();
            self.doing = Doing::Calling { step, tools: names.join(", ") };
            let texts = self.toolbox.call(&offer, &reply.tool_calls).await;
            for (call, text) in reply.tool_calls.into_iter().zip(texts) {
                conversation.push(history::result(&call.id, &text));
                record.called(call, text);
            }
        }
        let message = format!(
            "the agent asked the model {} times without a final answer; raise max_steps under [runtimes.{}] in wt.toml \
             if the task needs more",
            self.settings.max_steps, self.settings.runtime
        );
        Err(RuntimeError::new(RuntimeErrorKind::Turn, message))
    }
}

/// What a turn reports besides its answer.
#[derive(Default)]
struct TurnRecord {
    calls: Vec<ClaimedCall>,
    model_calls: Vec<ModelCall>,
}

impl TurnRecord {
    fn asked(&mut self, session: &SessionId, reply: &ChatReply) {
        if let Some(usage) = reply.usage {
            self.model_calls.push(ModelCall {
                conversation: session.as_str().to_owned(),
                prompt_tokens: usage.prompt,
                cached_tokens: usage.cached,
                completion_tokens: usage.completion,
            });
        }
    }

    fn called(&mut self, call: CallRequest, text: String) {
        let args = serde_json::from_str(&call.arguments).unwrap_or(Value::String(call.arguments));
        self.calls.push(ClaimedCall { tool: call.name, args, result: Some(text.into()) });
    }

    fn finish(self, content: String) -> AgentReply {
        let usage = Usage {
            input_tokens: self.model_calls.iter().map(|call| call.prompt_tokens).sum(),
            output_tokens: self.model_calls.iter().map(|call| call.completion_tokens).sum(),
        };
        let known = !self.model_calls.is_empty();
        AgentReply {
            content,
            claimed_calls: self.calls,
            usage: known.then_some(usage),
            model_calls: known.then_some(self.model_calls),
        }
    }
}

fn no_answer(step: usize, error: ModelError) -> RuntimeError {
    let kind = match error {
        ModelError::Timeout { .. } => RuntimeErrorKind::Timeout,
        _ => RuntimeErrorKind::Turn,
    };
    RuntimeError::new(kind, format!("no decision in step {step}: {error}")).with_source(error)
}

#[async_trait]
impl AgentHandle for LoopAgent {
    async fn send(&mut self, messages: &[Message], session: &SessionId) -> Result<AgentReply, RuntimeError> {
        if self.doing == Doing::TornDown {
            return Err(RuntimeError::new(RuntimeErrorKind::Turn, "the agent was torn down"));
        }
        let limit = self.world.limits.turn;
        let cancel = self.world.cancel.clone();
        let ended = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(RuntimeErrorKind::Cancelled),
            ended = tokio::time::timeout(limit, self.turn(messages, session)) => ended.map_err(|_| RuntimeErrorKind::Timeout),
        };
        let doing = std::mem::replace(&mut self.doing, Doing::Waiting).text();
        ended.unwrap_or_else(|kind| {
            // Calls of a turn that is over must not reach a server in the next.
            self.toolbox.disconnect();
            let message = match kind {
                RuntimeErrorKind::Timeout => {
                    format!("the turn passed its limit of {} s while {doing}", limit.as_secs_f64())
                }
                _ => format!("the case was cancelled while the agent was {doing}"),
            };
            Err(RuntimeError::new(kind, message))
        })
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        self.history.clear();
        self.inference.rewind();
        Ok(())
    }

    async fn teardown(&mut self) {
        self.toolbox.disconnect();
        self.history.clear();
        self.doing = Doing::TornDown;
    }

    fn turn_limit(&self) -> Option<Duration> {
        Some(self.world.limits.turn.saturating_add(TO_EXPLAIN))
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        self.inference.progress()
    }

    fn drain_seam(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        self.inference.drain()
    }

    fn surface(&self) -> Option<Surface> {
        self.inference.surface()
    }
}
