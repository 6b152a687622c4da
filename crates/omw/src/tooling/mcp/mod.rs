//! Tool servers that speak MCP, as programs that are started here or over HTTP.
//!
//! A server is connected to when it is first asked for something, and again when the connection was lost; a call that was under way
//! then fails, one that the server has not seen is made in the new session. Subscriptions are renewed by themselves. Programs die with
//! the tooling, and what they write to standard error goes to the log.
//!
//! ```
//! use std::sync::Arc;
//! use omw::config::{Params, Tunables};
//! use omw::tooling::{Tooling, mcp::McpTooling};
//! use serde_json::json;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let params = Params::of_value(json!({"transport": "stdio", "command": "no-such-program"}));
//! let tooling = McpTooling::new(&params, &Tunables::default())?;
//! let error = tooling.list_tools().await.unwrap_err().to_string();
//! assert!(error.starts_with("tool server no-such-program cannot be reached: program `no-such-program` was not found"));
//! # Ok::<(), omw::registry::FactoryError>(())
//! # }).unwrap();
//! ```

mod backoff;
mod convert;
mod failure;
mod http;
mod link;
mod notices;
mod params;
mod server;
mod session;
mod stdio;
mod updates;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use windtunnel_api::secret::Redactor;

use self::backoff::Backoff;
use self::http::HttpOrigin;
use self::link::{Link, Origin};
use self::notices::Subject;
use self::params::{Settings, Target};
use self::server::Server;
use self::stdio::StdioOrigin;
use super::{CallMode, Tooling, UpdateStream};
use crate::backend::BackendError;
use crate::config::{Params, Tunables};
use crate::exchange::{ResourceContent, ResourceInfo, ResourceTemplate, Tool, ToolResult};
use crate::registry::FactoryError;
use crate::secrets;

pub use params::{McpParams, McpTransport};

/// The kind's name.
pub(crate) const KIND: &str = "mcp";

/// `kind = "mcp"`: a tool server that speaks MCP.
pub struct McpTooling(Arc<Server>);

impl fmt::Debug for McpTooling {
    /// The server's name: how it is started or reached may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("McpTooling").field(&self.0.label()).finish()
    }
}

impl McpTooling {
    /// A server that is not connected to yet. The parameters are those of [`McpParams`].
    ///
    /// # Errors
    /// Parameters that do not decode or do not fit together, or variables that cannot be set.
    pub fn new(params: &Params, tunables: &Tunables) -> Result<Self, FactoryError> {
        let settings = Settings::read(params)?;
        let redactor = Redactor::new(secrets::of_params(params.value()));
        let (label, origin) = match settings.target {
            Target::Stdio { command, args, env, cwd } => {
                let origin = StdioOrigin::new(&command, &args, &env, cwd, redactor.clone())
                    .map_err(BackendError::new)?;
                (origin.label().to_owned(), Origin::Stdio(origin))
            }
            Target::Http { url, auth_token } => {
                let origin = HttpOrigin::new(url, auth_token, redactor.clone());
                (origin.label(), Origin::Http(origin))
            }
        };
        let link = Link::new(origin, Backoff::new(tunables));
        Ok(Self(Arc::new(Server::new(label, link, redactor, settings.timeout))))
    }
}

#[async_trait]
impl Tooling for McpTooling {
    fn kind(&self) -> &str {
        KIND
    }

    async fn list_tools(&self) -> Result<Vec<Tool>, BackendError> {
        self.0.tools().await
    }

    async fn call_tool(
        &self,
        tool: &str,
        arguments: Value,
        _mode: CallMode,
    ) -> Result<ToolResult, BackendError> {
        self.0.call(tool, arguments).await
    }

    async fn list_resources(&self) -> Result<Vec<ResourceInfo>, BackendError> {
        self.0.resources().await
    }

    async fn read_resource(&self, uri: &str) -> Result<Vec<ResourceContent>, BackendError> {
        self.0.read(uri).await
    }

    async fn list_resource_templates(&self) -> Result<Vec<ResourceTemplate>, BackendError> {
        self.0.templates().await
    }

    async fn subscribe_resource_list(&self) -> Result<UpdateStream<Vec<ResourceInfo>>, BackendError> {
        updates::subscribe(Arc::clone(&self.0), Subject::List).await
    }

    async fn subscribe_resource(
        &self,
        uri: &str,
    ) -> Result<UpdateStream<Vec<ResourceContent>>, BackendError> {
        updates::subscribe(Arc::clone(&self.0), Subject::Resource(uri.to_owned())).await
    }

    async fn close(&self) {
        self.0.link().close().await;
    }
}
