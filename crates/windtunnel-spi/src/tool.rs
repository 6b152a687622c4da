//! Tool servers, and the recorder's handle on a running one.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use tokio::io::DuplexStream;
use windtunnel_api::EffectClass;
use windtunnel_api::artifact::evidence::ToolCall;
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::pack::ToolSpec;

use crate::error::{EvidenceUnavailable, ToolError};
use crate::stamp::Stamped;
use crate::world::CaseWorld;

/// Makes the tool servers of a pack, fresh for every case.
pub trait ToolFactory: Send + Sync {
    /// The server of this name, not yet started.
    fn server(
        &self,
        name: &str,
        spec: &ToolSpec,
        world: &CaseWorld,
    ) -> Result<Box<dyn ToolServer>, ToolError>;
}

/// A tool server that the bench starts and stops.
#[async_trait]
pub trait ToolServer: Send {
    /// Its name in the pack.
    fn name(&self) -> &str;

    /// Starts it and puts a recorder in front of it. Where the future is dropped before it is done, [`ToolServer::stop`]
    /// still ends what was started.
    async fn start(&mut self) -> Result<Arc<dyn ToolHandle>, ToolError>;

    /// Stops it and everything it started. May be called more than once and never fails.
    async fn stop(&mut self);
}

/// A running tool server with its recorder.
#[async_trait]
pub trait ToolHandle: Send + Sync {
    /// The server's name in the pack.
    fn server(&self) -> &str;

    /// The recorder's address: MCP over streamable HTTP on loopback. Stays the same across [`ToolHandle::refresh`].
    async fn url(&self) -> Result<String, ToolError>;

    /// A connection to the recorder inside this process: MCP as newline-delimited JSON-RPC, for agents that live here.
    async fn connect(&self) -> Result<DuplexStream, ToolError>;

    /// The tools that are served, in the server's order.
    async fn served_tools(&self) -> Result<Vec<ServedTool>, ToolError>;

    /// The calls that were witnessed since the start or the last reset, in order.
    fn call_log(&self) -> Result<Vec<Stamped<ToolCall>>, EvidenceUnavailable>;

    /// Forgets the witnessed calls.
    fn reset_call_log(&self);

    /// Whether the server is as it was started: nothing that it was asked, by the bench or an agent, can have left a trace in it
    /// or in the workspace.
    fn is_fresh(&self) -> bool {
        true
    }

    /// A fresh server behind the unchanged address; nothing to do where its freshness is its owner's.
    async fn refresh(&self) -> Result<(), ToolError>;

    /// Makes the recorder misbehave for one tool from now on.
    fn inject_failure(&self, tool: &str, failure: InjectedFailure);

    /// What the server wrote to its error output so far: bounded and redacted.
    fn output(&self) -> Vec<CapturedOutput> {
        Vec::new()
    }
}

/// A tool as its server describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct ServedTool {
    /// Its name.
    pub name: String,
    /// The whole definition as MCP `tools/list` gives it.
    pub definition: Value,
    /// What it does to the world: declared in the pack, else from its MCP annotations, else unknown.
    pub effect: Option<EffectClass>,
}

/// How the recorder misbehaves in place of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InjectedFailure {
    /// A text result that is not JSON.
    MalformedJson,
    /// No answer for this long, and then the error of a request that timed out.
    Timeout(Duration),
    /// An empty result.
    EmptyUnexpected,
    /// An error that rejects the arguments.
    SchemaError,
}

impl InjectedFailure {
    /// The name as it is written in files and in evidence.
    pub fn name(self) -> &'static str {
        match self {
            Self::MalformedJson => "malformed_json",
            Self::Timeout(_) => "timeout",
            Self::EmptyUnexpected => "empty_unexpected",
            Self::SchemaError => "schema_error",
        }
    }
}
