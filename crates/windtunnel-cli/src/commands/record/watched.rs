//! A runtime whose agents are watched: when turns begin, and which calls reach the tool servers.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::surface::Surface;
use windtunnel_api::{Evidence, Secret};
use windtunnel_inference::record::Witnessed;
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentReply, AgentRuntime, EvidenceUnavailable, Message, ModelLabel,
    PackBinding, RuntimeError, RuntimePlugin, SessionId, Stamp, Stamped, ToolAccess, ToolHandle,
    UnwitnessedCalls,
};

/// What is seen of the agents.
#[derive(Clone, Default)]
pub(super) struct Watch(Arc<Mutex<Witnessed>>);

impl Watch {
    /// What was seen.
    pub(super) fn witnessed(&self) -> Witnessed {
        self.seen().clone()
    }

    /// A run begins, and what was before it belongs to none.
    fn forget(&self) {
        let mut seen = self.seen();
        seen.turns.clear();
        seen.calls.clear();
    }

    fn seen(&self) -> MutexGuard<'_, Witnessed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The plugin of a runtime that is watched.
pub(super) struct WatchedPlugin {
    plugin: Arc<dyn RuntimePlugin>,
    watch: Watch,
    built: OnceLock<Arc<dyn AgentRuntime>>,
}

impl WatchedPlugin {
    pub(super) fn new(plugin: Arc<dyn RuntimePlugin>, watch: Watch) -> Self {
        Self { plugin, watch, built: OnceLock::new() }
    }
}

#[async_trait]
impl RuntimePlugin for WatchedPlugin {
    fn name(&self) -> &str {
        self.plugin.name()
    }

    async fn build(&self) -> Result<Arc<dyn AgentRuntime>, RuntimeError> {
        let runtime = self.plugin.build().await?;
        let runtime = Arc::clone(self.built.get_or_init(|| runtime));
        Ok(Arc::new(WatchedRuntime { runtime, watch: self.watch.clone() }))
    }

    fn check_live(&self) -> Result<(), RuntimeError> {
        self.plugin.check_live()
    }

    fn lock_key(&self) -> Option<String> {
        self.plugin.lock_key()
    }

    fn model_label(&self) -> ModelLabel {
        self.plugin.model_label()
    }

    async fn pre_run(
        &self,
        runtime: &dyn AgentRuntime,
        packs: &mut [PackBinding],
        runtime_name: &str,
    ) -> Result<(), RuntimeError> {
        let runtime = self.built.get().map_or(runtime, |built| built.as_ref());
        self.plugin.pre_run(runtime, packs, runtime_name).await
    }

    async fn post_run(&self, runtime: &dyn AgentRuntime, packs: &[PackBinding]) {
        let runtime = self.built.get().map_or(runtime, |built| built.as_ref());
        self.plugin.post_run(runtime, packs).await;
    }
}

struct WatchedRuntime {
    runtime: Arc<dyn AgentRuntime>,
    watch: Watch,
}

#[async_trait]
impl AgentRuntime for WatchedRuntime {
    async fn provision(
        &self,
        config: AgentConfig,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let agent = self.runtime.provision(config, tools.clone()).await?;
        let mut served = Vec::new();
        // What an agent calls that knows no server is its own, whatever it is called.
        let known = if self.runtime.tool_access() == ToolAccess::Told { &tools[..] } else { &[] };
        for tool in known {
            // A server that does not say what it serves is told by the bench.
            served.push((tool.server().to_owned(), tool.served_tools().await.unwrap_or_default()));
        }
        self.watch.seen().served = served;
        Ok(Box::new(WatchedAgent { agent, tools, watch: self.watch.clone() }))
    }

    fn tool_access(&self) -> ToolAccess {
        self.runtime.tool_access()
    }

    fn takes_history(&self) -> bool {
        self.runtime.takes_history()
    }
}

struct WatchedAgent {
    agent: Box<dyn AgentHandle>,
    tools: Vec<Arc<dyn ToolHandle>>,
    watch: Watch,
}

#[async_trait]
impl AgentHandle for WatchedAgent {
    async fn send(&mut self, messages: &[Message], session: &SessionId) -> Result<AgentReply, RuntimeError> {
        let said = messages.last().map(|message| message.content.clone()).unwrap_or_default();
        self.watch.seen().turns.push((Stamp::next(), said));
        self.agent.send(messages, session).await
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        self.watch.forget();
        self.agent.reset_state().await
    }

    async fn teardown(&mut self) {
        self.agent.teardown().await;
    }

    fn turn_limit(&self) -> Option<Duration> {
        self.agent.turn_limit()
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        self.agent.script_progress()
    }

    /// Asked after the last turn, when the calls are all there.
    fn drain_seam(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        let calls = self.tools.iter().filter_map(|tool| tool.call_log().ok()).flatten().collect();
        self.watch.seen().calls = calls;
        self.agent.drain_seam()
    }

    fn unwitnessed_calls(&self) -> Option<UnwitnessedCalls> {
        self.agent.unwitnessed_calls()
    }

    fn learned_secrets(&self) -> Vec<Secret> {
        self.agent.learned_secrets()
    }

    fn surface(&self) -> Option<Surface> {
        self.agent.surface()
    }

    fn output(&self) -> Vec<CapturedOutput> {
        self.agent.output()
    }
}
