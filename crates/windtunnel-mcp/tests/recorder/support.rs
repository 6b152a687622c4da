//! Cases, servers and clients.

#![expect(deprecated, reason = "roots are the simplest thing that a server can ask an agent for")]

use std::sync::{Arc, Mutex};

use camino::Utf8PathBuf;
use indexmap::IndexMap;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ListRootsResult, NumberOrString, ProgressNotificationParam, Root,
};
use rmcp::service::{NotificationContext, RequestContext, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt};
use serde_json::Value;
use windtunnel_api::artifact::evidence::ToolCall;
use windtunnel_api::pack::{StdioTools, ToolSpec, WorkspaceTools};
use windtunnel_mcp::BenchTools;
use windtunnel_spi::{CaseWorld, ToolFactory, ToolHandle, ToolServer};

/// A case with a workspace of its own.
pub(crate) struct Case {
    pub(crate) world: CaseWorld,
    _folder: tempfile::TempDir,
}

impl Case {
    pub(crate) fn new(id: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        Self { world: CaseWorld::new(id, workspace), _folder: folder }
    }

    pub(crate) async fn start(&self, name: &str, spec: &ToolSpec) -> Served {
        self.start_with(&BenchTools::new(), name, spec).await
    }

    pub(crate) async fn start_with(&self, tools: &BenchTools, name: &str, spec: &ToolSpec) -> Served {
        let mut server = tools.server(name, spec, &self.world).unwrap();
        let handle = server.start().await.unwrap();
        Served { server, handle }
    }

    pub(crate) async fn workspace(&self) -> Served {
        self.start("files", &ToolSpec::Workspace(WorkspaceTools::default())).await
    }

    pub(crate) async fn stdio(&self) -> Served {
        self.start("desk", &stdio_spec()).await
    }
}

/// A running server.
pub(crate) struct Served {
    pub(crate) server: Box<dyn ToolServer>,
    pub(crate) handle: Arc<dyn ToolHandle>,
}

impl Served {
    pub(crate) fn calls(&self) -> Vec<ToolCall> {
        self.handle.call_log().unwrap().into_iter().map(|call| call.value).collect()
    }

    pub(crate) async fn connect(&self) -> Agent {
        TestAgent::default().serve(self.handle.connect().await.unwrap()).await.unwrap()
    }

    pub(crate) async fn connect_http(&self) -> Agent {
        http_agent(&self.handle.url().await.unwrap()).await
    }
}

pub(crate) fn stdio_spec() -> ToolSpec {
    let tests = std::env::current_exe().unwrap();
    let server = tests.parent().and_then(|deps| deps.parent()).unwrap().join("examples/stdio_server");
    let server = server.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(server.exists(), "build the examples first: {}", server.display());
    ToolSpec::Stdio(StdioTools {
        command: vec![server.to_str().unwrap().to_owned()],
        env: IndexMap::new(),
        pass_env: Vec::new(),
        effects: IndexMap::new(),
    })
}

/// A client that keeps what it is told.
#[derive(Clone, Default)]
pub(crate) struct TestAgent {
    pub(crate) progress: Arc<Mutex<Vec<(NumberOrString, f64)>>>,
}

impl ClientHandler for TestAgent {
    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.progress.lock().unwrap().push((params.progress_token.0, params.progress));
    }

    async fn list_roots(&self, _context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new("file:///agent")]))
    }
}

pub(crate) type Agent = RunningService<RoleClient, TestAgent>;

pub(crate) async fn http_agent(url: &str) -> Agent {
    install_tls();
    let config = StreamableHttpClientTransportConfig::with_uri(url);
    let transport = StreamableHttpClientTransport::with_client(reqwest::Client::new(), config);
    TestAgent::default().serve(transport).await.unwrap()
}

pub(crate) fn install_tls() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

pub(crate) fn params(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    let params = CallToolRequestParams::new(tool);
    match arguments {
        Value::Object(arguments) => params.with_arguments(arguments),
        _ => params,
    }
}

pub(crate) async fn call(agent: &Agent, tool: &'static str, arguments: Value) -> CallToolResult {
    agent.call_tool(params(tool, arguments)).await.unwrap()
}

pub(crate) async fn call_text(agent: &Agent, tool: &'static str, arguments: Value) -> String {
    text_of(&call(agent, tool, arguments).await)
}

pub(crate) fn text_of(result: &CallToolResult) -> String {
    let result = serde_json::to_value(result).unwrap();
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}
