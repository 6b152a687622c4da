//! The agent of one case behind an endpoint.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::{Surface, SurfaceStatus};
use windtunnel_spi::{
    AgentHandle, AgentReply, CaseWorld, Message, RuntimeError, RuntimeErrorKind, SessionId,
};

use super::endpoint::{Asker, Endpoint, GRACE};
use super::script::Script;
use crate::addresses::ToolAddress;

/// What the bench waits beyond that, so that the endpoint's failure is told in its own words.
const TO_EXPLAIN: Duration = Duration::from_secs(5);

/// The longest that giving the agent its own model back may take.
const FAREWELL: Duration = Duration::from_secs(2);

/// The agent of one case.
pub(super) struct HttpAgent {
    endpoint: Arc<Endpoint>,
    case: CaseWorld,
    redactor: Redactor,
    tools: Vec<ToolAddress>,
    script: Option<Script>,
    /// What the endpoint told after the last reset, when it knows its tools.
    surface: Option<Surface>,
}

impl HttpAgent {
    pub(super) fn new(
        endpoint: Arc<Endpoint>,
        case: CaseWorld,
        tools: Vec<ToolAddress>,
        script: Option<Script>,
    ) -> Self {
        let redactor = endpoint.redactor(&case.redactor);
        Self { endpoint, case, redactor, tools, script, surface: None }
    }

    fn limit(&self) -> Duration {
        self.endpoint.settings.turn_limit.unwrap_or(self.case.limits.turn)
    }

    async fn hand_over_decisions(&mut self) -> Result<(), RuntimeError> {
        let Some(script) = &mut self.script else { return Ok(()) };
        match script.begin_turn() {
            Ok(Some(decisions)) => {
                let asker = asker(&self.case, &self.redactor);
                unless_cancelled(&self.case, self.endpoint.script(asker, decisions)).await
            }
            Ok(None) => Ok(()),
            Err(message) => Err(RuntimeError::new(RuntimeErrorKind::Turn, message)),
        }
    }
}

/// Gives up when the case is cancelled.
async fn unless_cancelled<T>(
    case: &CaseWorld,
    work: impl Future<Output = Result<T, RuntimeError>>,
) -> Result<T, RuntimeError> {
    tokio::select! {
        done = work => done,
        () = case.cancel.cancelled() => {
            Err(RuntimeError::new(RuntimeErrorKind::Cancelled, "the case was cancelled"))
        }
    }
}

/// This case, which waits for anything but a turn as long as for a start.
pub(super) fn asker<'a>(case: &'a CaseWorld, redactor: &'a Redactor) -> Asker<'a> {
    // A little less than the bench waits, so that the route is named.
    Asker { case_id: &case.case_id, limit: case.limits.start.mul_f64(0.9), redactor }
}

#[async_trait]
impl AgentHandle for HttpAgent {
    async fn send(&mut self, messages: &[Message], session: &SessionId) -> Result<AgentReply, RuntimeError> {
        // An endpoint is told one user message per turn.
        let text = Message::only(messages)?;
        self.hand_over_decisions().await?;
        let asker = asker(&self.case, &self.redactor);
        let turn = self.endpoint.inject(asker, session.as_str(), text, self.limit());
        let reply = unless_cancelled(&self.case, turn).await?;
        if let Some(script) = &mut self.script {
            script.told(reply.decisions_left);
        }
        match reply.error {
            Some(error) => {
                let message = self.redactor.text(&format!("the agent reports: {error}"));
                Err(RuntimeError::new(RuntimeErrorKind::Turn, message))
            }
            None => {
                Ok(AgentReply { content: reply.text, claimed_calls: reply.calls, ..AgentReply::default() })
            }
        }
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        let asker = asker(&self.case, &self.redactor);
        unless_cancelled(&self.case, self.endpoint.reset(asker, &self.tools)).await?;
        if let Some(script) = &mut self.script {
            script.rewind();
        }
        // One that cannot be read hinders no run.
        let told = unless_cancelled(&self.case, self.endpoint.surface(asker)).await;
        let invalid = || Surface { status: SurfaceStatus::Invalid, ..Surface::default() };
        self.surface = told.unwrap_or_else(|_| Some(invalid()));
        Ok(())
    }

    async fn teardown(&mut self) {
        if !self.endpoint.is_scripted(&self.case.case_id) {
            return;
        }
        let asker = Asker { limit: FAREWELL, ..asker(&self.case, &self.redactor) };
        if let Err(error) = self.endpoint.unscript(asker).await {
            tracing::warn!("{error}; it is tried once more when the suite ends");
        }
    }

    fn turn_limit(&self) -> Option<Duration> {
        // The decisions are handed over first.
        Some(asker(&self.case, &self.redactor).limit + self.limit() + GRACE + TO_EXPLAIN)
    }

    fn surface(&self) -> Option<Surface> {
        self.surface.clone()
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        self.script.as_ref().and_then(Script::progress)
    }
}
