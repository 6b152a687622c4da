//! A program as the agent of one case.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;
use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::config::PromptVia;
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::Surface;
use windtunnel_child::{Child, Ending};
use windtunnel_spi::{
    AgentHandle, AgentReply, CaseWorld, EvidenceUnavailable, Message, RuntimeError, RuntimeErrorKind,
    SessionId, Stamped,
};

use super::one_shot::Turn;
use super::plan::Plan;
use super::session::Session;
use crate::program::{AgentWorld, Failure, Outputs, StandIn, TO_EXPLAIN, TurnLimit, explain};

/// The agent of one case.
pub(super) struct CommandAgent {
    plan: Arc<Plan>,
    case: CaseWorld,
    redactor: Redactor,
    /// None once it is torn down: with it go the configuration file and its folder.
    world: Option<AgentWorld>,
    stand_in: StandIn,
    session: Option<Session>,
    /// The end of the newest process. A turn that nobody waits for any more only asks its process to end.
    ending: Option<Ending>,
    outputs: Outputs,
}

impl CommandAgent {
    pub(super) fn new(plan: Arc<Plan>, case: CaseWorld, world: AgentWorld, stand_in: StandIn) -> Self {
        let redactor = case.redactor.and(world.environment.secrets().iter().cloned());
        Self {
            plan,
            case,
            redactor,
            world: Some(world),
            stand_in,
            session: None,
            ending: None,
            outputs: Outputs::default(),
        }
    }

    fn limit(&self) -> TurnLimit {
        TurnLimit::of(self.plan.program.turn_limit, self.case.limits.turn)
    }

    fn spawn(&mut self, prompt: &str) -> Result<Child, RuntimeError> {
        let world = self
            .world
            .as_ref()
            .ok_or_else(|| RuntimeError::new(RuntimeErrorKind::Start, "the agent has been torn down"))?;
        let program = &self.plan.program;
        let argv = world.argv(program, prompt)?;
        let mut command = program.command(argv, &self.case.workspace).env(world.environment.clone());
        if self.plan.prompt == PromptVia::Arg {
            command = command.without_stdin();
        }
        let child = command.spawn(&self.case).map_err(|error| {
            RuntimeError::new(RuntimeErrorKind::Start, "the agent could not be started").with_source(error)
        })?;
        self.ending = Some(child.ending());
        Ok(child)
    }

    /// One turn in a process of its own.
    async fn run_once(&mut self, prompt: &str) -> Result<AgentReply, RuntimeError> {
        let mut child = self.spawn(prompt)?;
        let stdin = (self.plan.prompt == PromptVia::Stdin).then_some(prompt);
        let turn = Turn { prompt: stdin, reply: self.plan.reply, redactor: &self.redactor };
        let limit = self.limit();
        let mut printed = Vec::new();
        let exchange = timeout(limit.limit, turn.exchange(&mut child, &mut printed)).await;
        let result = match exchange.unwrap_or(Err(Failure::Late(limit))) {
            Ok(reply) => Ok(reply),
            Err(failure) => {
                self.keep_printed(&printed);
                Err(explain(failure, &child, &self.redactor).await)
            }
        };
        self.outputs.keep(child.captured());
        result
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
            None => Session::new(self.spawn("")?)?,
        };
        let limit = self.limit();
        let exchange = timeout(limit.limit, session.exchange(prompt, id, history, &self.redactor)).await;
        match exchange.unwrap_or(Err(Failure::Late(limit))) {
            Ok(reply) => {
                self.session = Some(session);
                Ok(reply)
            }
            Err(failure) => {
                let error = explain(failure, &session.child, &self.redactor).await;
                self.outputs.keep(session.child.captured());
                Err(error)
            }
        }
    }

    /// Leaves no process behind.
    async fn end_processes(&mut self) {
        if let Some(session) = self.session.take() {
            session.child.kill().await;
            self.outputs.keep(session.child.captured());
        }
        if let Some(ending) = self.ending.take() {
            ending.wait().await;
        }
    }

    /// Keeps the end of an answer that did not become one.
    fn keep_printed(&mut self, printed: &[u8]) {
        const SHOWN: usize = 64 * 1024;
        let text = self.redactor.text(&String::from_utf8_lossy(printed));
        let cut = text.len().saturating_sub(SHOWN);
        let cut = (cut..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        let (_, shown) = text.split_at(cut);
        self.outputs.keep(CapturedOutput {
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
        self.stand_in.begin_turn();
        match history {
            None => self.run_once(prompt).await,
            Some(history) => self.ask(prompt, session, history).await,
        }
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        self.end_processes().await;
        self.stand_in.rewind();
        Ok(())
    }

    async fn teardown(&mut self) {
        self.end_processes().await;
        self.stand_in.remove();
        self.world = None;
    }

    fn turn_limit(&self) -> Option<Duration> {
        Some(self.limit().limit + TO_EXPLAIN)
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        self.stand_in.progress()
    }

    fn drain_seam(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        self.stand_in.drain()
    }

    fn surface(&self) -> Option<Surface> {
        self.stand_in.surface()
    }

    fn output(&self) -> Vec<CapturedOutput> {
        self.outputs.with(self.session.as_ref().map(|session| session.child.captured()))
    }
}
