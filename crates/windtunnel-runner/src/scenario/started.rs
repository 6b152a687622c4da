//! What was started for a case, so that it is ended on every path.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use tokio::time::timeout;
use windtunnel_api::Pack;
use windtunnel_api::event::CapturedOutput;
use windtunnel_spi::{AgentHandle, CaseWorld, ToolError, ToolFactory, ToolHandle, ToolServer};

use super::error::ScenarioError;

/// How long the agent may take to tear down, and after it the servers to stop. Together shorter than the grace of a
/// cancelled case, so that both get their turn.
const TEARDOWN: Duration = Duration::from_secs(3);

/// What was started. It lives outside of the work that starts it, so that the work can be dropped at any point and
/// [`Started::end`] still finds everything.
#[derive(Default)]
pub(super) struct Started {
    servers: Vec<Box<dyn ToolServer>>,
    pub(super) handles: Vec<Arc<dyn ToolHandle>>,
    pub(super) agent: Option<Box<dyn AgentHandle>>,
}

impl Started {
    /// Makes and starts the pack's tool servers, all at once. Every failure is reported.
    pub(super) async fn start_servers(
        &mut self,
        factory: &dyn ToolFactory,
        pack: &Pack,
        world: &CaseWorld,
    ) -> Result<(), ScenarioError> {
        let mut errors = Vec::new();
        for (name, spec) in &pack.manifest.tools {
            match factory.server(name, spec, world) {
                Ok(server) => self.servers.push(server),
                Err(error) => errors.push(error),
            }
        }
        if !errors.is_empty() {
            return Err(ScenarioError::Tools(errors));
        }
        let limit = world.limits.start;
        let starts = self.servers.iter_mut().map(|server| async move {
            match timeout(limit, server.start()).await {
                Ok(started) => started,
                Err(_) => Err(passed(server.name(), "starting it", limit)),
            }
        });
        for started in join_all(starts).await {
            match started {
                Ok(handle) => self.handles.push(handle),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(ScenarioError::Tools(errors)) }
    }

    /// Tears the agent down, then stops the servers, each within a limit. Returns what they wrote to their outputs.
    pub(super) async fn end(mut self) -> Vec<CapturedOutput> {
        if let Some(agent) = &mut self.agent
            && timeout(TEARDOWN, agent.teardown()).await.is_err()
        {
            tracing::warn!("the agent's teardown took longer than {} s and was given up", TEARDOWN.as_secs());
        }
        // Read before the servers go, and after the agent can write no more.
        let agent = self.agent.iter().flat_map(|agent| agent.output());
        let output = agent.chain(self.handles.iter().flat_map(|handle| handle.output())).collect();
        let stops = self.servers.iter_mut().map(|server| async move {
            if timeout(TEARDOWN, server.stop()).await.is_err() {
                tracing::warn!(
                    server = server.name(),
                    "stopping took longer than {} s and was given up",
                    TEARDOWN.as_secs()
                );
            }
        });
        join_all(stops).await;
        output
    }
}

/// Fresh servers behind their unchanged addresses.
pub(super) async fn refresh(handles: &[Arc<dyn ToolHandle>], limit: Duration) -> Result<(), ScenarioError> {
    let refreshes = handles.iter().map(|handle| async move {
        match timeout(limit, handle.refresh()).await {
            Ok(refreshed) => refreshed,
            Err(_) => Err(passed(handle.server(), "refreshing it", limit)),
        }
    });
    let errors: Vec<ToolError> = join_all(refreshes).await.into_iter().filter_map(Result::err).collect();
    if errors.is_empty() { Ok(()) } else { Err(ScenarioError::Tools(errors)) }
}

fn passed(server: &str, what: &str, limit: Duration) -> ToolError {
    ToolError::new(
        server,
        format!("{what} passed the start limit of {} s (timeouts.start_s)", limit.as_secs_f64()),
    )
}
