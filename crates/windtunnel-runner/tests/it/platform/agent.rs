//! Its runtime, and the agents that follow a script to the letter.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::surface::Surface;
use windtunnel_api::{Evidence, ReferenceCase};
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentReply, AgentRuntime, EvidenceUnavailable, Message,
    ReferenceCapableAgentRuntime, RuntimeError, RuntimeErrorKind, SessionId, Stamp, Stamped,
    SurfaceIntrospectable, ToolHandle,
};

use super::tools::Server;
use super::{History, Platform};

#[async_trait]
impl AgentRuntime for Platform {
    async fn provision(
        &self,
        config: AgentConfig,
        _tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        self.agent(config, None).await
    }

    fn reference(&self) -> Option<&dyn ReferenceCapableAgentRuntime> {
        self.reference_capable.then_some(self)
    }

    fn surface(&self) -> Option<&dyn SurfaceIntrospectable> {
        self.surface.is_some().then_some(self)
    }
}

#[async_trait]
impl SurfaceIntrospectable for Platform {
    async fn surface(&self, _config: &AgentConfig) -> Result<Surface, RuntimeError> {
        let failed = |text| RuntimeError::new(RuntimeErrorKind::Turn, text);
        self.step("show surface").await.map_err(failed)?;
        Ok(self.surface.clone().unwrap_or_default())
    }
}

#[async_trait]
impl ReferenceCapableAgentRuntime for Platform {
    async fn provision_reference(
        &self,
        config: AgentConfig,
        case: &ReferenceCase,
        _tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        self.agent(config, Some(case.clone())).await
    }
}

impl Platform {
    async fn agent(
        &self,
        config: AgentConfig,
        case: Option<ReferenceCase>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        self.step("provision").await.map_err(|text| RuntimeError::new(RuntimeErrorKind::Start, text))?;
        let server = self.servers.lock().unwrap().get(&config.world.case_id).cloned();
        Ok(Box::new(Agent { platform: self.clone(), server, case, turn: 0, consumed: 0, seen: Vec::new() }))
    }
}

struct Agent {
    platform: Platform,
    server: Option<Arc<Server>>,
    case: Option<ReferenceCase>,
    turn: usize,
    consumed: usize,
    seen: Vec<Stamped<Evidence>>,
}

#[async_trait]
impl AgentHandle for Agent {
    async fn send(&mut self, messages: &[Message], _session: &SessionId) -> Result<AgentReply, RuntimeError> {
        let failed = |text| RuntimeError::new(RuntimeErrorKind::Turn, text);
        let (asked, earlier) = if self.platform.history == History::Refused {
            (Message::only(messages)?, &[][..])
        } else {
            Message::newest(messages)?
        };
        for message in earlier {
            self.platform.note(&format!("before it {:?} {:?}", message.role, message.content));
        }
        self.platform.step(&format!("send {asked}")).await.map_err(failed)?;
        if self.platform.history == History::LeftOut {
            let value = Evidence::Inference {
                wire: "openai-chat".to_owned(),
                model: "m".to_owned(),
                messages: vec![json!({ "role": "user", "content": asked })],
                tools: Vec::new(),
                decision: json!({}),
            };
            self.seen.push(Stamped { stamp: Stamp::next(), at_ms: 0.0, value });
        }
        let mut decisions = match &self.case {
            None => self.platform.live.clone(),
            Some(case) if case.turns.is_empty() => case.decisions.clone(),
            Some(case) => case.turns[self.turn].clone(),
        };
        self.turn += 1;
        decisions.truncate(decisions.len() - self.platform.stops_before.min(decisions.len()));
        let mut answer = String::new();
        for decision in decisions {
            self.consumed += 1;
            for call in decision.tool_calls {
                self.server.as_ref().expect("a server to call").call(call);
            }
            answer = decision.content.unwrap_or_default();
        }
        Ok(AgentReply::says(answer))
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        (self.turn, self.consumed) = (0, 0);
        let failed = |text| RuntimeError::new(RuntimeErrorKind::Reset, text);
        self.platform.step("reset agent").await.map_err(failed)
    }

    async fn teardown(&mut self) {
        let _ = self.platform.step("teardown").await;
    }

    fn turn_limit(&self) -> Option<Duration> {
        self.platform.turn_limit
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        let decisions = self.case.as_ref()?.all_decisions().count();
        Some(ScriptProgress { decisions, consumed: self.consumed, ..ScriptProgress::default() })
    }

    fn drain_seam(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        Ok(std::mem::take(&mut self.seen))
    }

    fn output(&self) -> Vec<CapturedOutput> {
        let text = "a line of the agent".to_owned();
        vec![CapturedOutput { source: "agent stderr".to_owned(), text, omitted_bytes: 0 }]
    }
}
