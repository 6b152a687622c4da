//! Tooling: servers of tools and resources.

#[cfg(feature = "mcp")]
pub mod mcp;

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde_json::Value;

use crate::backend::{BackendError, Pace};
use crate::exchange::{ResourceContent, ResourceInfo, ResourceTemplate, Tool, ToolResult};

/// Updates as they come. It ends with the subscription; an error is its last item.
pub type UpdateStream<T> = BoxStream<'static, Result<T, BackendError>>;

/// Whether the brain waits for a call's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallMode {
    /// The brain waits.
    Blocking,
    /// The result goes to the inbox.
    Queued,
}

/// A server of tools and resources. Dropping a future or a stream cancels the request.
///
/// A kind of one's own, for `kind = "clock"`:
///
/// ```
/// use std::sync::Arc;
///
/// use async_trait::async_trait;
/// use omw::prelude::*;
/// use serde_json::{Value, json};
///
/// struct Clock;
///
/// #[async_trait]
/// impl Tooling for Clock {
///     fn kind(&self) -> &str {
///         "clock"
///     }
///
///     async fn list_tools(&self) -> Result<Vec<Tool>, BackendError> {
///         Ok(vec![Tool { name: "now".to_owned(), input_schema: json!({"type": "object"}), ..Tool::default() }])
///     }
///
///     async fn call_tool(&self, tool: &str, arguments: Value, _: CallMode) -> Result<ToolResult, BackendError> {
///         if tool != "now" {
///             return Err(BackendError::new(format_args!("there is no tool \"{tool}\"")));
///         }
///         Ok(ToolResult {
///             name: tool.to_owned(),
///             arguments: arguments.to_string(),
///             content: json!([{"type": "text", "text": "noon"}]).to_string(),
///             ..ToolResult::default()
///         })
///     }
/// }
///
/// let mut registries = Registries::deployment();
/// registries.tooling.add("clock", |_params, _context| Ok(Arc::new(Clock)));
/// assert!(registries.tooling.names().any(|kind| kind == "clock"));
/// ```
#[async_trait]
pub trait Tooling: Send + Sync {
    /// The kind's name, as in `kind = "…"`.
    fn kind(&self) -> &str;

    /// Who drives its queued calls and subscriptions.
    fn pace(&self) -> Pace {
        Pace::Free
    }

    /// Its tools.
    async fn list_tools(&self) -> Result<Vec<Tool>, BackendError>;

    /// Calls a tool. A result that says it is an error is a result; an error is a call that could not be made.
    async fn call_tool(
        &self,
        tool: &str,
        arguments: Value,
        mode: CallMode,
    ) -> Result<ToolResult, BackendError>;

    /// Its resources; by default none.
    async fn list_resources(&self) -> Result<Vec<ResourceInfo>, BackendError> {
        Ok(Vec::new())
    }

    /// The contents of a resource.
    async fn read_resource(&self, uri: &str) -> Result<Vec<ResourceContent>, BackendError> {
        Err(BackendError::new(format_args!("there is no resource \"{uri}\"")))
    }

    /// Its resource templates; by default none.
    async fn list_resource_templates(&self) -> Result<Vec<ResourceTemplate>, BackendError> {
        Ok(Vec::new())
    }

    /// The list of resources, again each time it changes; by default never.
    async fn subscribe_resource_list(&self) -> Result<UpdateStream<Vec<ResourceInfo>>, BackendError> {
        Ok(Box::pin(futures::stream::pending()))
    }

    /// The contents of a resource, again each time they change; by default never.
    async fn subscribe_resource(
        &self,
        uri: &str,
    ) -> Result<UpdateStream<Vec<ResourceContent>>, BackendError> {
        let _ = uri;
        Ok(Box::pin(futures::stream::pending()))
    }

    /// Ends what it holds: connections, processes. Called once, after the last agent.
    async fn close(&self) {}

    /// What it was called with and what it has left, for the dump of a test and the message of a failure. Scripted ones have it.
    fn snapshot(&self) -> Option<Value> {
        None
    }
}
