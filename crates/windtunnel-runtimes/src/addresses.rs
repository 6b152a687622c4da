//! Where the tool servers of a case are, for agents that ask them themselves.

use std::sync::Arc;

use serde::Serialize;
use windtunnel_spi::{RuntimeError, RuntimeErrorKind, ToolHandle};

/// Where a recorded tool server is: MCP over streamable HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ToolAddress {
    pub(crate) name: String,
    pub(crate) url: String,
}

/// Where the recorders of the case's tool servers are.
pub(crate) async fn addresses(tools: &[Arc<dyn ToolHandle>]) -> Result<Vec<ToolAddress>, RuntimeError> {
    let mut addresses = Vec::with_capacity(tools.len());
    for tool in tools {
        let url = tool.url().await.map_err(|error| {
            RuntimeError::new(RuntimeErrorKind::Start, "a tool server has no address for the agent")
                .with_source(error)
        })?;
        addresses.push(ToolAddress { name: tool.server().to_owned(), url });
    }
    Ok(addresses)
}
