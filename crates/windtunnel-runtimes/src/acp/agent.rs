//! A program that speaks the protocol, as the agent of one case.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use windtunnel_api::Secret;
use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::surface::Surface;
use windtunnel_spi::{
    AgentHandle, AgentReply, EvidenceUnavailable, Message, RuntimeError, SessionId, Stamped, UnwitnessedCalls,
};

use super::client_side::ClientSide;
use super::connection::{Connection, Opening};
use super::plan::Plan;
use crate::program::{AgentWorld, Exchange, ProgramAgent, TO_EXPLAIN};

/// The agent of one case.
pub(super) struct AcpAgent {
    plan: Arc<Plan>,
    agent: ProgramAgent,
    client_side: Arc<ClientSide>,
    connection: Option<Connection>,
}

impl AcpAgent {
    pub(super) fn new(plan: Arc<Plan>, agent: ProgramAgent, client_side: ClientSide) -> Self {
        Self { plan, agent, client_side: Arc::new(client_side), connection: None }
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
            limit: self.agent.case.limits.start,
        };
        connection.open(session, opening).await?;
        self.agent.model.begin_turn();
        self.agent.in_time(connection.prompt(session, prompt)).await
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
            let child = self.agent.spawn(None)?;
            Connection::new(child, Arc::clone(&self.client_side), self.agent.redactor.clone()).await?
        };
        match self.exchange(&mut connection, session, prompt, self.agent.world()?).await {
            Ok(reply) => {
                self.connection = Some(connection);
                Ok(reply)
            }
            Err(failure) => Err(self.agent.explain(failure, &connection.child).await),
        }
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        let connection = self.connection.take();
        self.agent.reset(connection.as_ref().map(|connection| &connection.child)).await;
        self.client_side.reset();
        Ok(())
    }

    async fn teardown(&mut self) {
        let connection = self.connection.take();
        self.agent.teardown(connection.as_ref().map(|connection| &connection.child)).await;
    }

    fn turn_limit(&self) -> Option<Duration> {
        // The start is up to three requests: initialize, authenticate and session/new.
        Some(self.agent.case.limits.start * 3 + self.agent.limit().limit + TO_EXPLAIN)
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        self.agent.model.progress()
    }

    fn drain_seam(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        let (asked, witnessed) = (self.agent.model.drain(), self.client_side.drain());
        let mut seen = asked?;
        seen.extend(witnessed?);
        Ok(seen)
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
        self.agent.output(self.connection.as_ref().map(|connection| &connection.child))
    }
}
