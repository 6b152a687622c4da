//! The tools of a session: those of its MCP servers.

use agent_client_protocol::v1::schema::McpServer;
use rmcp::RoleClient;
use rmcp::model::{CallToolRequestParams, ContentBlock, JsonObject, Tool};
use rmcp::service::{RunningService, ServiceExt as _};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

type Server = RunningService<RoleClient, ()>;

/// The tools, each with the server that has it.
pub(crate) struct Tools {
    servers: Vec<(String, Server)>,
    tools: Vec<(usize, Tool)>,
}

impl Tools {
    pub(crate) async fn connect(servers: Vec<McpServer>) -> Result<Self, String> {
        let mut tools = Self { servers: Vec::new(), tools: Vec::new() };
        for server in servers {
            let McpServer::Http(server) = server else {
                return Err("only MCP servers over HTTP are known".to_owned());
            };
            let config = StreamableHttpClientTransportConfig::with_uri(server.url);
            let transport = StreamableHttpClientTransport::with_client(reqwest::Client::new(), config);
            let running = ().serve(transport).await.map_err(|error| error.to_string())?;
            let listed = running.list_all_tools().await.map_err(|error| error.to_string())?;
            let index = tools.servers.len();
            tools.servers.push((server.name, running));
            tools.tools.extend(listed.into_iter().map(|tool| (index, tool)));
        }
        Ok(tools)
    }

    /// The tools as the model sees them.
    pub(crate) fn offered(&self) -> Vec<Value> {
        let offered = |(_, tool): &(usize, Tool)| {
            let (name, description) = (&tool.name, &tool.description);
            let function = json!({"name": name, "description": description, "parameters": tool.input_schema});
            json!({"type": "function", "function": function})
        };
        self.tools.iter().map(offered).collect()
    }

    /// Whether the tool says of itself that it changes nothing.
    pub(crate) fn is_read_only(&self, name: &str) -> bool {
        let hints = self.find(name).and_then(|(_, tool)| tool.annotations.as_ref());
        hints.and_then(|hints| hints.read_only_hint) == Some(true)
    }

    /// What the tool answers, in words.
    pub(crate) async fn call(&self, name: &str, arguments: Option<JsonObject>) -> Result<String, String> {
        let server = self.find(name).and_then(|(server, _)| self.servers.get(*server));
        let (_, server) = server.ok_or_else(|| format!("there is no tool {name}"))?;
        let mut params = CallToolRequestParams::new(name.to_owned());
        params.arguments = arguments;
        let result = server.call_tool(params).await.map_err(|error| error.to_string())?;
        let texts = result.content.into_iter().filter_map(|content| match content {
            ContentBlock::Text(text) => Some(text.text),
            _ => None,
        });
        let text = texts.collect::<Vec<_>>().join("\n");
        if result.is_error == Some(true) { Err(text) } else { Ok(text) }
    }

    fn find(&self, name: &str) -> Option<&(usize, Tool)> {
        self.tools.iter().find(|(_, tool)| tool.name == name)
    }
}
