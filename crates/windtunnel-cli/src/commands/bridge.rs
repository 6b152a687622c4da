//! `wt mcp-bridge`: MCP on standard input and output for a server at a URL.

use windtunnel_api::exit::Exit;

use super::execute::runtime;
use crate::error::CliError;

pub(crate) fn run(url: &str) -> Result<Exit, CliError> {
    runtime(1)?.block_on(windtunnel_mcp::bridge(url)).map_err(|error| {
        CliError::usage(error.to_string(), "give the streamable-HTTP address of an MCP server")
    })?;
    Ok(Exit::Success)
}
