//! Tool servers that an agent is not told of.

use windtunnel_api::Pack;
use windtunnel_spi::AgentRuntime;

/// What to say of a pack's tool servers where the agents of a runtime are not told where they are; nothing where they are told, or
/// there are none.
pub fn out_of_reach(runtime: &dyn AgentRuntime, pack: &Pack) -> Option<String> {
    let servers: Vec<&str> = pack.manifest.tools.keys().map(String::as_str).collect();
    if servers.is_empty() || runtime.tells_tools() {
        return None;
    }
    Some(format!(
        "nothing tells the agent where the tool servers of the pack {} are ({}): add `tools` to its settings, or {{mcp_url}} to \
         its command; `tools = {{}}` says that it brings these tools itself",
        pack.name(),
        servers.join(", ")
    ))
}
