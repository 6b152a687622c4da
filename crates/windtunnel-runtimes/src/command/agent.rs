//! A program as the agent of one case.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use windtunnel_api::Secret;
use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::config::PromptVia;
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::surface::Surface;
use windtunnel_spi::{
    AgentHandle, AgentReply, EvidenceUnavailable, Message, RuntimeError, SessionId, Stamped, UnwitnessedCalls,
};

use super::one_shot::Turn;
use super::plan::Plan;
use super::session::Session;
use crate::program::{ProgramAgent, TO_EXPLAIN};

/// The agent of one case.
pub(super) struct CommandAgent {
    plan: Arc<Plan>,
    agent: ProgramAgent,
    session: Option<Session>,
}

impl CommandAgent {
    pub(super) fn new(plan: Arc<Plan>, agent: ProgramAgent) -> Self {
        Self { plan, agent, session: None }
    }

    /// One turn in a process of its own.
    async fn run_once(&mut self, prompt: &str) -> Result<AgentReply, RuntimeError> {
        let of = |via| (self.plan.prompt == via).then_some(prompt);
        let (argument, stdin) = (of(PromptVia::Arg), of(PromptVia::Stdin));
        let mut child = self.agent.spawn(argument)?;
        let turn = Turn { prompt: stdin, reply: self.plan.reply, redactor: &self.agent.redactor };
        let mut printed = Vec::new();
        match self.agent.in_time(turn.exchange(&mut child, &mut printed)).await {
            Ok(reply) => {
                self.agent.keep(child.captured());
                Ok(reply)
            }
            Err(failure) => {
                self.keep_printed(&printed);
                Err(self.agent.explain(failure, &child).await)
            }
        }
    }

    /// One turn of the process that stays.
    async fn ask(
        &mut self,
        prompt: &str,
        id: &SessionId,
        history: &[Message],
    ) -> Result<AgentReply, RuntimeError> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::new(self.agent.spawn(None)?)?,
        };
        let exchange = session.exchange(prompt, id, history, &self.agent.redactor);
        match self.agent.in_time(exchange).await {
            Ok(reply) => {
                self.session = Some(session);
                Ok(reply)
            }
            Err(failure) => Err(self.agent.explain(failure, &session.child).await),
        }
    }

    /// Keeps the end of an answer that did not become one.
    fn keep_printed(&mut self, printed: &[u8]) {
        const SHOWN: usize = 64 * 1024;
        let text = self.agent.redactor.text(&String::from_utf8_lossy(printed));
        let cut = text.len().saturating_sub(SHOWN);
        let cut = (cut..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        let (_, shown) = text.split_at(cut);
        self.agent.keep(CapturedOutput {
            source: "agent stdout".to_owned(),
            text: shown.to_owned(),
            omitted_bytes: cut as u64,
        });
    }
}

#[async_trait]
impl AgentHandle for CommandAgent {
    async fn send(&mut self, messages: &[Message], session: &SessionId) -> Result<AgentReply, RuntimeError> {
        let (prompt, history) = match self.plan.prompt {
            // A program that is started for every turn knows no earlier ones.
            PromptVia::Stdin | PromptVia::Arg => (Message::only(messages)?, None),
            PromptVia::Jsonl => {
                let (prompt, history) = Message::newest(messages)?;
                (prompt, Some(history))
            }
        };
        self.agent.model.begin_turn();
        match history {
            None => self.run_once(prompt).await,
            Some(history) => self.ask(prompt, session, history).await,
        }
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        let session = self.session.take();
        self.agent.reset(session.as_ref().map(|session| &session.child)).await;
        Ok(())
    }

    async fn teardown(&mut self) {
        let session = self.session.take();
        self.agent.teardown(session.as_ref().map(|session| &session.child)).await;
    }

    fn turn_limit(&self) -> Option<Duration> {
        Some(self.agent.limit().limit + TO_EXPLAIN)
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        self.agent.model.progress()
    }

    fn drain_seam(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        self.agent.model.drain()
    }

    fn unwitnessed_calls(&self) -> Option<UnwitnessedCalls> {
        self.agent.unwitnessed_calls()
    }

    fn learned_secrets(&self) -> Vec<Secret> {
        self.agent.model.secrets()
    }

    fn surface(&self) -> Option<Surface> {
        self.agent.model.surface()
    }

    fn output(&self) -> Vec<CapturedOutput> {
        self.agent.output(self.session.as_ref().map(|session| &session.child))
    }
}
