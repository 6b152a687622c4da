//! Tool servers, started once to see whether they do.

use std::sync::Arc;

use tokio::time::timeout;
use windtunnel_api::pack::ToolSpec;
use windtunnel_mcp::BenchTools;
use windtunnel_spi::{CaseWorld, ToolError, ToolFactory as _, ToolHandle, ToolServer};

use super::runtimes::not_in_time;

type Started = (Box<dyn ToolServer>, Arc<dyn ToolHandle>, Vec<String>);

/// Starts a tool server and asks for its tools; what does not get that far is stopped again. The finding names the server already.
pub(super) async fn start(
    tools: &BenchTools,
    name: &str,
    spec: &ToolSpec,
    world: &CaseWorld,
) -> Result<Started, String> {
    let mut server = tools.server(name, spec, world).map_err(|error| error.message().to_owned())?;
    let limit = world.limits.start;
    let listed = timeout(limit, async {
        let handle = server.start().await?;
        let tools = handle.served_tools().await?;
        Ok::<_, ToolError>((handle, tools))
    })
    .await;
    let problem = match listed {
        Ok(Ok((handle, tools))) => {
            return Ok((server, handle, tools.into_iter().map(|tool| tool.name).collect()));
        }
        Ok(Err(error)) => error.message().to_owned(),
        Err(_) => not_in_time(limit),
    };
    server.stop().await;
    Err(problem)
}
