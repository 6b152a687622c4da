//! Tool servers that an agent is not told of.

use windtunnel_api::Pack;
use windtunnel_spi::{AgentRuntime, ToolAccess};

/// What to say of a pack's tool servers where the settings of a runtime do not say that its agents know them, or have tools of their own;
/// nothing where there are none.
pub fn out_of_reach(runtime: &dyn AgentRuntime, pack: &Pack) -> Option<String> {
    let servers: Vec<&str> = pack.manifest.tools.keys().map(String::as_str).collect();
    if servers.is_empty() || runtime.tool_access() != ToolAccess::Unsaid {
        return None;
    }
    Some(format!(
        "nothing tells the agent where the tool servers of the pack {} are ({}): add `tools` to its settings, or {{mcp_url}} to \
         its command; `tools = {{}}` says that it brings these tools itself",
        pack.name(),
        servers.join(", ")
    ))
}
