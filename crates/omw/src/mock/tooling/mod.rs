//! A server whose tools and resources answer from a script.

mod calls;
mod params;
mod resources;
mod snapshot;
#[cfg(test)]
mod tests;
mod updates;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use windtunnel_doc::Path;

pub use params::{ContentUpdate, ListUpdate, ScriptedAnswer, ToolingParams};

use super::KIND;
use super::build::build;
use super::shapes::exchanged;
use crate::backend::{BackendError, Pace};
use crate::config::Params;
use crate::exchange::{ResourceContent, ResourceInfo, ResourceTemplate, Tool, ToolResult};
use crate::host::trace::to_value;
use crate::registry::{BuildContext, FactoryError};
use crate::tooling::{CallMode, Tooling, UpdateStream};
use calls::{Answer, Calls};
use resources::Resources;
use snapshot::Snapshot;

/// A tool server that answers from a script.
pub(super) struct MockTooling {
    tools: Vec<Tool>,
    templates: Vec<ResourceTemplate>,
    calls: Calls,
    resources: Arc<Resources>,
    /// Of blocking calls.
    delay: Duration,
}

impl MockTooling {
    /// Compiles the script.
    pub(super) fn new(params: &Params, context: &BuildContext) -> Result<Self, FactoryError> {
        let tooling = build(params, &context.gates, |params: ToolingParams, compiler| {
            let root = Path::root();
            let calls = Calls::compile(
                params.tool_calls,
                &root.clone().then("tool_calls"),
                compiler,
                context.keep_everything,
            );
            let resources = Resources::new(
                exchanged(params.initial_resource_list),
                params.initial_resource_contents,
                updates::of_list(
                    params.resource_list_updates,
                    &root.clone().then("resource_list_updates"),
                    compiler,
                ),
                updates::of_contents(
                    params.resource_content_updates,
                    &root.then("resource_content_updates"),
                    compiler,
                ),
            );
            Self {
                tools: exchanged(params.tools),
                templates: exchanged(params.resource_templates),
                calls,
                resources: Arc::new(resources),
                delay: Duration::from_millis(params.delay_ms),
            }
        })?;
        Ok(tooling)
    }
}

#[async_trait]
impl Tooling for MockTooling {
    fn kind(&self) -> &str {
        KIND
    }

    fn pace(&self) -> Pace {
        Pace::Stepped
    }

    async fn list_tools(&self) -> Result<Vec<Tool>, BackendError> {
        Ok(self.tools.clone())
    }

    async fn call_tool(
        &self,
        tool: &str,
        arguments: Value,
        mode: CallMode,
    ) -> Result<ToolResult, BackendError> {
        let text = arguments.to_string();
        let call = self.calls.take(tool, arguments, text.len(), mode)?;
        call.entry.cue.gate.opened().await;
        if mode == CallMode::Blocking && !self.delay.is_zero() {
            tokio::time::sleep(self.delay).await;
        }
        match &call.entry.answer {
            Answer::Result { content, structured_content, is_error, .. } => {
                self.calls.answered(&call);
                Ok(ToolResult {
                    name: tool.to_owned(),
                    arguments: text,
                    content: content.clone(),
                    structured_content: structured_content.clone(),
                    is_error: *is_error,
                })
            }
            Answer::Error(error) => Err(error.clone()),
            Answer::Pending => std::future::pending().await,
        }
    }

    async fn list_resources(&self) -> Result<Vec<ResourceInfo>, BackendError> {
        Ok(self.resources.list())
    }

    async fn read_resource(&self, uri: &str) -> Result<Vec<ResourceContent>, BackendError> {
        self.resources.read(uri)
    }

    async fn list_resource_templates(&self) -> Result<Vec<ResourceTemplate>, BackendError> {
        Ok(self.templates.clone())
    }

    async fn subscribe_resource_list(&self) -> Result<UpdateStream<Vec<ResourceInfo>>, BackendError> {
        Ok(self.resources.list_updates())
    }

    async fn subscribe_resource(
        &self,
        uri: &str,
    ) -> Result<UpdateStream<Vec<ResourceContent>>, BackendError> {
        Ok(self.resources.updates_of(uri))
    }

    fn snapshot(&self) -> Option<Value> {
        Some(to_value(Snapshot::of(&self.calls, &self.calls.called(), &self.resources)))
    }
}
