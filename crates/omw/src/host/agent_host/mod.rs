//! The host of one run of a brain: every call of [`Host`], recorded and carried out.

mod call;
mod clock;
mod detail;
mod endpoint;
mod messages;
mod providers;
mod tools;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use crate::exchange::{
    ChatDelta, ChatReply, ChatRequest, Envelope, ResourceContent, ResourceInfo, ResourceTemplate, Tool,
    ToolResult,
};

use super::agent::Agent;
use super::sources::SourceKind;
use super::whereabouts::Place;
use super::{Host, HostResult, StopSignal, calendar};

/// What one run of an agent's brain calls.
pub(super) struct AgentHost {
    agent: Arc<Agent>,
    stop: StopSignal,
    place: Arc<Place>,
    /// Which of the agent's runs it is.
    run: u64,
    /// Whether a stop has ended a sleep that does not raise.
    was_roused: AtomicBool,
}

impl AgentHost {
    pub(super) fn new(agent: Arc<Agent>, stop: StopSignal, place: Arc<Place>, run: u64) -> Self {
        Self { agent, stop, place, run, was_roused: AtomicBool::new(false) }
    }

    fn memory_get(&self, key: &str) -> HostResult<Option<String>> {
        let call = self.begin("memory_get", None, || detail::key(key))?;
        let value = self.agent.memory.get(key).map(|value| value.as_ref().to_owned());
        call.end(Ok(value), |value| value.as_deref().into())
    }

    fn memory_set(&self, key: &str, value: &str) -> HostResult<()> {
        let call = self.begin("memory_set", None, || detail::key_value(key, value))?;
        call.done(self.agent.memory.set(key, value))
    }

    fn memory_remove(&self, key: &str) -> HostResult<bool> {
        let call = self.begin("memory_remove", None, || detail::key(key))?;
        call.end(Ok(self.agent.memory.remove(key)), |removed| (*removed).into())
    }
}

impl Host for AgentHost {
    fn stop(&self) -> &StopSignal {
        &self.stop
    }

    fn provider_kind(&self, provider: &str) -> HostResult<String> {
        Ok(self.provider(provider)?.kind().to_owned())
    }

    fn list_models(&self, provider: &str) -> HostResult<Vec<String>> {
        self.list_models(provider)
    }

    fn chat(&self, provider: &str, request: ChatRequest) -> HostResult<ChatReply> {
        self.chat(provider, request)
    }

    fn chat_stream(&self, provider: &str, request: ChatRequest) -> HostResult<String> {
        self.chat_stream(provider, request)
    }

    fn is_open(&self, id: &str) -> bool {
        self.agent.sources.is_open(id)
    }

    fn cancel(&self, id: &str) {
        if !self.stop.is_interrupted() {
            let _boundary = self.boundary();
            self.agent.sources.cancel(id, &[SourceKind::ChatStream, SourceKind::ToolCall]);
        }
    }

    fn tooling_kind(&self, tooling: &str) -> HostResult<String> {
        Ok(self.tooling(tooling)?.kind().to_owned())
    }

    fn list_tools(&self, tooling: &str) -> HostResult<Vec<Tool>> {
        self.list_tools(tooling)
    }

    fn call_tool(&self, tooling: &str, tool: &str, arguments: Value) -> HostResult<String> {
        self.call_tool(tooling, tool, arguments)
    }

    fn call_tool_blocking(&self, tooling: &str, tool: &str, arguments: Value) -> HostResult<ToolResult> {
        self.call_tool_blocking(tooling, tool, arguments)
    }

    fn list_resources(&self, tooling: &str) -> HostResult<Vec<ResourceInfo>> {
        self.list_resources(tooling)
    }

    fn read_resource(&self, tooling: &str, uri: &str) -> HostResult<Vec<ResourceContent>> {
        self.read_resource(tooling, uri)
    }

    fn list_resource_templates(&self, tooling: &str) -> HostResult<Vec<ResourceTemplate>> {
        self.list_resource_templates(tooling)
    }

    fn subscribe_resource_list(&self, tooling: &str) -> HostResult<String> {
        self.subscribe_resource_list(tooling)
    }

    fn unsubscribe_resource_list(&self, tooling: &str, id: &str) -> HostResult<()> {
        self.unsubscribe_resources("unsubscribe_resource_list", SourceKind::ResourceList, tooling, id)
    }

    fn subscribe_resource(&self, tooling: &str, uri: &str) -> HostResult<String> {
        self.subscribe_resource(tooling, uri)
    }

    fn unsubscribe_resource(&self, tooling: &str, id: &str) -> HostResult<()> {
        self.unsubscribe_resources("unsubscribe_resource", SourceKind::Resource, tooling, id)
    }

    fn log(&self, level: &str, message: &str) {
        let agent = &*self.agent.name;
        match level {
            "trace" => tracing::trace!(target: "omw::brain", agent, "{message}"),
            "debug" => tracing::debug!(target: "omw::brain", agent, "{message}"),
            "warn" => tracing::warn!(target: "omw::brain", agent, "{message}"),
            "error" => tracing::error!(target: "omw::brain", agent, "{message}"),
            _ => tracing::info!(target: "omw::brain", agent, "{message}"),
        }
    }

    fn whoami(&self) -> String {
        let name = self.agent.name.as_ref().to_owned();
        if let Ok(call) = self.begin("whoami", None, detail::nothing) {
            // It cannot raise: a brain that was stopped by what recorded it hears so from its next call.
            let _ = call.end(Ok(()), |()| name.as_str().into());
        }
        name
    }

    fn time_now(&self) -> i64 {
        self.agent.shared.seam.now()
    }

    fn time_format(&self, ts: i64, format: &str) -> HostResult<String> {
        calendar::format(ts, format)
    }

    fn wait_for(&self, ms: u64) -> HostResult<String> {
        self.wait_for(ms)
    }

    fn wait_until(&self, ts: i64) -> HostResult<String> {
        self.wait_until(ts)
    }

    fn wait_cron(&self, spec: &str) -> HostResult<String> {
        self.wait_cron(spec)
    }

    fn cancel_timer(&self, id: &str) -> HostResult<()> {
        self.let_go("cancel_timer", SourceKind::Timer, id)
    }

    fn sleep_for(&self, ms: u64) -> HostResult<()> {
        self.sleep_for(ms)
    }

    fn sleep_until(&self, ts: i64) -> HostResult<()> {
        self.sleep_until(ts)
    }

    fn sleep_cron(&self, spec: &str) -> HostResult<()> {
        self.sleep_cron(spec)
    }

    fn subscribe_lifecycle(&self) -> HostResult<String> {
        self.subscribe_lifecycle()
    }

    fn unsubscribe_lifecycle(&self, id: &str) -> HostResult<()> {
        self.let_go("unsubscribe_lifecycle", SourceKind::Lifecycle, id)
    }

    fn subscribe_agent(&self, agent: &str) -> HostResult<String> {
        self.subscribe_agent(agent)
    }

    fn unsubscribe_agent(&self, id: &str) -> HostResult<()> {
        self.let_go("unsubscribe_agent", SourceKind::Agent, id)
    }

    fn send_agent(&self, agent: &str, payload: &str) -> HostResult<()> {
        self.send_agent(agent, payload)
    }

    fn subscribe_endpoint(&self, model: &str) -> HostResult<String> {
        self.subscribe_endpoint(model)
    }

    fn unsubscribe_endpoint(&self, id: &str) -> HostResult<()> {
        self.router()?;
        self.let_go("unsubscribe_endpoint", SourceKind::Endpoint, id)
    }

    fn stream_endpoint(&self, session: &str, delta: ChatDelta) -> HostResult<()> {
        self.stream_endpoint(session, delta)
    }

    fn recv(&self) -> HostResult<Envelope> {
        self.recv()
    }

    fn try_recv(&self) -> HostResult<Option<Envelope>> {
        self.try_recv()
    }

    fn new_uuid(&self) -> String {
        self.agent.shared.seam.new_id()
    }

    fn memory_get(&self, key: &str) -> HostResult<Option<String>> {
        self.memory_get(key)
    }

    fn memory_set(&self, key: &str, value: &str) -> HostResult<()> {
        self.memory_set(key, value)
    }

    fn memory_remove(&self, key: &str) -> HostResult<bool> {
        self.memory_remove(key)
    }
}
