//! A program that speaks the protocol, as the agent of one case.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;
use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::Surface;
use windtunnel_child::{Child, Ending};
use windtunnel_spi::{
    AgentHandle, AgentReply, CaseWorld, EvidenceUnavailable, Message, RuntimeError, RuntimeErrorKind,
    SessionId, Stamped,
};

use super::client_side::ClientSide;
use super::connection::{Connection, Opening};
use super::runtime::Plan;
use crate::program::{AgentWorld, Exchange, Failure, Outputs, StandIn, TO_EXPLAIN, TurnLimit, explain};

/// The agent of one case.
pub(super) struct AcpAgent {
    plan: Arc<Plan>,
    case: CaseWorld,
    redactor: Redactor,
    client_side: Arc<ClientSide>,
    /// None once it is torn down: with it go the configuration file and its folder.
    world: Option<AgentWorld>,
    stand_in: StandIn,
    connection: Option<Connection>,
    /// The end of the newest process. A turn that nobody waits for any more only asks its process to end.
    ending: Option<Ending>,
    outputs: Outputs,
}

impl AcpAgent {
    pub(super) fn new(
        plan: Arc<Plan>,
        case: CaseWorld,
        world: AgentWorld,
        stand_in: StandIn,
        client_side: ClientSide,
    ) -> Self {
        let redactor = case.redactor.and(world.environment.secrets().iter().cloned());
        Self {
            plan,
            case,
            redactor,
            client_side: Arc::new(client_side),
            world: Some(world),
            stand_in,
            connection: None,
            ending: None,
            outputs: Outputs::default(),
        }
    }

    fn limit(&self) -> TurnLimit {
        TurnLimit::of(self.plan.program.turn_limit, self.case.limits.turn)
    }

    fn spawn(&mut self) -> Result<Child, RuntimeError> {
        let world = self.world()?;
        let program = &self.plan.program;
        let argv = world.argv(program, "")?;
        let command = program.command(argv, &self.case.workspace).env(world.environment.clone());
        let child = command.spawn(&self.case).map_err(|error| {
            RuntimeError::new(RuntimeErrorKind::Start, "the agent could not be started").with_source(error)
        })?;
        self.ending = Some(child.ending());
        Ok(child)
    }

    fn world(&self) -> Result<&AgentWorld, RuntimeError> {
        self.world
            .as_ref()
            .ok_or_else(|| RuntimeError::new(RuntimeErrorKind::Start, "the agent has been torn down"))
    }

    /// One turn over a connection that stands.
    async fn exchange(
        &self,
        connection: &mut Connection,
        session: &SessionId,
        prompt: &str,
        world: &AgentWorld,
    ) -> Exchange {
        let opening = Opening {
            servers: &world.servers,
            auth_method: self.plan.auth_method.as_deref(),
            limit: self.case.limits.start,
        };
        connection.open(session, opening).await?;
        self.stand_in.begin_turn();
        let limit = self.limit();
        let turn = connection.prompt(session, prompt);
        timeout(limit.limit, turn).await.unwrap_or(Err(Failure::Late(limit)))
    }

    /// Leaves no process behind.
    async fn end_processes(&mut self) {
        if let Some(connection) = self.connection.take() {
            connection.child.kill().await;
            self.outputs.keep(connection.child.captured());
        }
        if let Some(ending) = self.ending.take() {
            ending.wait().await;
        }
    }
}

#[async_trait]
impl AgentHandle for AcpAgent {
    async fn send(&mut self, messages: &[Message], session: &SessionId) -> Result<AgentReply, RuntimeError> {
        // A session of the protocol takes prompts only.
        let prompt = Message::only(messages)?;
        let mut connection = if let Some(connection) = self.connection.take() {
            connection
        } else {
            let child = self.spawn()?;
            Connection::new(child, Arc::clone(&self.client_side), self.redactor.clone()).await?
        };
        match self.exchange(&mut connection, session, prompt, self.world()?).await {
            Ok(reply) => {
                self.connection = Some(connection);
                Ok(reply)
            }
            Err(failure) => {
                let error = explain(failure, &connection.child, &self.redactor).await;
                self.outputs.keep(connection.child.captured());
                Err(error)
            }
        }
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        self.end_processes().await;
        self.stand_in.rewind();
        self.client_side.reset();
        Ok(())
    }

    async fn teardown(&mut self) {
        self.end_processes().await;
        self.stand_in.remove();
        self.world = None;
    }

    fn turn_limit(&self) -> Option<Duration> {
        // The start is up to three requests: initialize, authenticate and session/new.
        Some(self.case.limits.start * 3 + self.limit().limit + TO_EXPLAIN)
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        self.stand_in.progress()
    }

    fn drain_seam(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        let (asked, witnessed) = (self.stand_in.drain(), self.client_side.drain());
        Ok([asked?, witnessed?].concat())
    }

    fn surface(&self) -> Option<Surface> {
        self.stand_in.surface()
    }

    fn output(&self) -> Vec<CapturedOutput> {
        self.outputs.with(self.connection.as_ref().map(|connection| connection.child.captured()))
    }
}
