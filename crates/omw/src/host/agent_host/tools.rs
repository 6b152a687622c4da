//! Calls of tool servers.

use std::sync::Arc;

use serde_json::Value;

use crate::exchange::{ResourceContent, ResourceInfo, ResourceTemplate, Tool, ToolResult};
use crate::host::delivery::Delivery;
use crate::host::sources::SourceKind;
use crate::host::trace::to_value;
use crate::host::{HostError, HostResult, pump};
use crate::tooling::{CallMode, Tooling};

use super::{AgentHost, detail};

impl AgentHost {
    pub(super) fn tooling(&self, name: &str) -> HostResult<&Arc<dyn Tooling>> {
        let found = self.agent.shared.tooling.get(name);
        found.ok_or_else(|| HostError::failed(format!("no such tooling \"{name}\"")))
    }

    pub(super) fn list_tools(&self, tooling: &str) -> HostResult<Vec<Tool>> {
        let call = self.begin("list_tools", None, || detail::tooling(tooling))?;
        let tools = self.tooling(tooling).and_then(|tooling| call.ask(tooling.list_tools()));
        call.end(tools, |tools| to_value(tools))
    }

    pub(super) fn call_tool(&self, tooling: &str, tool: &str, arguments: Value) -> HostResult<String> {
        let id = self.agent.shared.seam.new_id();
        let call = self.begin("call_tool", Some(&id), || detail::tool_call(tooling, tool, &arguments))?;
        let tool = tool.to_owned();
        let pump = |server, to| pump::call(server, tool, arguments, to);
        call.end_with_id(self.start_on(tooling, &id, SourceKind::ToolCall, pump))
    }

    pub(super) fn call_tool_blocking(
        &self,
        tooling: &str,
        tool: &str,
        arguments: Value,
    ) -> HostResult<ToolResult> {
        let call = self.begin("call_tool_blocking", None, || detail::tool_call(tooling, tool, &arguments))?;
        let result = self
            .tooling(tooling)
            .and_then(|tooling| call.ask(tooling.call_tool(tool, arguments, CallMode::Blocking)));
        call.end(result, detail::tool_result)
    }

    pub(super) fn list_resources(&self, tooling: &str) -> HostResult<Vec<ResourceInfo>> {
        let call = self.begin("list_resources", None, || detail::tooling(tooling))?;
        let resources = self.tooling(tooling).and_then(|tooling| call.ask(tooling.list_resources()));
        call.end(resources, |resources| to_value(resources))
    }

    pub(super) fn read_resource(&self, tooling: &str, uri: &str) -> HostResult<Vec<ResourceContent>> {
        let call = self.begin("read_resource", None, || detail::resource(tooling, uri))?;
        let contents = self.tooling(tooling).and_then(|tooling| call.ask(tooling.read_resource(uri)));
        call.end(contents, |contents| to_value(contents))
    }

    pub(super) fn list_resource_templates(&self, tooling: &str) -> HostResult<Vec<ResourceTemplate>> {
        let call = self.begin("list_resource_templates", None, || detail::tooling(tooling))?;
        let templates = self.tooling(tooling).and_then(|tooling| call.ask(tooling.list_resource_templates()));
        call.end(templates, |templates| to_value(templates))
    }

    pub(super) fn subscribe_resource_list(&self, tooling: &str) -> HostResult<String> {
        let id = self.agent.shared.seam.new_id();
        let call = self.begin("subscribe_resource_list", Some(&id), || detail::tooling(tooling))?;
        call.end_with_id(self.start_on(tooling, &id, SourceKind::ResourceList, pump::resource_list))
    }

    pub(super) fn subscribe_resource(&self, tooling: &str, uri: &str) -> HostResult<String> {
        let id = self.agent.shared.seam.new_id();
        let call = self.begin("subscribe_resource", Some(&id), || detail::resource(tooling, uri))?;
        let uri = uri.to_owned();
        let pump = |server, to| pump::resource(server, uri, to);
        call.end_with_id(self.start_on(tooling, &id, SourceKind::Resource, pump))
    }

    pub(super) fn unsubscribe_resources(
        &self,
        op: &'static str,
        kind: SourceKind,
        tooling: &str,
        id: &str,
    ) -> HostResult<()> {
        let call = self.begin(op, None, || detail::unsubscribe(tooling, id))?;
        let found = self.tooling(tooling).map(|_| self.agent.sources.cancel(id, &[kind]));
        call.done(found)
    }

    fn start_on<F>(
        &self,
        tooling: &str,
        id: &str,
        kind: SourceKind,
        pump: impl FnOnce(Arc<dyn Tooling>, Delivery) -> F,
    ) -> HostResult<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let server = self.tooling(tooling)?;
        let what = format!("tooling \"{tooling}\"");
        self.start(id, kind, server.pace(), what, |to| pump(Arc::clone(server), to))
    }
}
