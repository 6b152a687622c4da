//! Its tool servers.

use std::fs;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use camino::Utf8PathBuf;
use serde_json::{Value, json};
use tokio::io::DuplexStream;
use windtunnel_api::ReferenceToolCall;
use windtunnel_api::artifact::evidence::{ToolCall, Witness};
use windtunnel_api::event::CapturedOutput;
use windtunnel_api::pack::ToolSpec;
use windtunnel_spi::{
    CaseWorld, EvidenceUnavailable, InjectedFailure, ServedTool, Stamp, Stamped, ToolError, ToolFactory,
    ToolHandle, ToolServer,
};

use super::Platform;

impl ToolFactory for Platform {
    fn server(
        &self,
        name: &str,
        _spec: &ToolSpec,
        world: &CaseWorld,
    ) -> Result<Box<dyn ToolServer>, ToolError> {
        self.step_now(&format!("make server {name}")).map_err(|text| ToolError::new(name, text))?;
        Ok(Box::new(StagedServer { platform: self.clone(), name: name.to_owned(), world: world.clone() }))
    }
}

struct StagedServer {
    platform: Platform,
    name: String,
    world: CaseWorld,
}

#[async_trait]
impl ToolServer for StagedServer {
    fn name(&self) -> &str {
        &self.name
    }

    async fn start(&mut self) -> Result<Arc<dyn ToolHandle>, ToolError> {
        let step = self.platform.step(&format!("start {}", self.name)).await;
        step.map_err(|text| ToolError::new(&self.name, text))?;
        let server = Arc::new(Server {
            platform: self.platform.clone(),
            name: self.name.clone(),
            workspace: self.world.workspace.clone(),
            calls: Mutex::default(),
            memory: Mutex::default(),
        });
        self.platform.servers.lock().unwrap().insert(self.world.case_id.clone(), Arc::clone(&server));
        Ok(server)
    }

    async fn stop(&mut self) {
        let _ = self.platform.step(&format!("stop {}", self.name)).await;
    }
}

/// A running server: `write_file` writes into the workspace, `remember` keeps a word until the server is fresh again.
pub(crate) struct Server {
    platform: Platform,
    name: String,
    workspace: Utf8PathBuf,
    calls: Mutex<Vec<Stamped<ToolCall>>>,
    memory: Mutex<Vec<String>>,
}

impl Server {
    pub(super) fn call(&self, call: ReferenceToolCall) {
        let text = |key: &str| call.arguments.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let result = if call.name == "write_file" {
            fs::write(self.workspace.join(text("path")), text("content")).unwrap();
            json!("written")
        } else {
            let mut memory = self.memory.lock().unwrap();
            memory.push(text("word"));
            json!(memory.join(" "))
        };
        let value = ToolCall {
            server: self.name.clone(),
            tool: call.name,
            args: Value::Object(call.arguments),
            result,
            error: None,
            ms: 0.0,
            witness: Witness::Recorder,
            extra: None,
        };
        self.calls.lock().unwrap().push(Stamped { stamp: Stamp::next(), at_ms: 0.0, value });
    }
}

#[async_trait]
impl ToolHandle for Server {
    fn server(&self) -> &str {
        &self.name
    }

    async fn url(&self) -> Result<String, ToolError> {
        Err(ToolError::new(&self.name, "it has no address"))
    }

    async fn connect(&self) -> Result<DuplexStream, ToolError> {
        Err(ToolError::new(&self.name, "it takes no connections"))
    }

    async fn served_tools(&self) -> Result<Vec<ServedTool>, ToolError> {
        self.platform.step("list tools").await.map_err(|text| ToolError::new(&self.name, text))?;
        let tool = |name: &str| ServedTool {
            name: name.to_owned(),
            definition: json!({ "name": name, "inputSchema": { "type": "object" } }),
            effect: None,
        };
        Ok(vec![tool("write_file"), tool("remember")])
    }

    fn call_log(&self) -> Result<Vec<Stamped<ToolCall>>, EvidenceUnavailable> {
        self.platform.step_now("drain log").map_err(|text| EvidenceUnavailable::new(&self.name, text))?;
        Ok(self.calls.lock().unwrap().clone())
    }

    fn reset_call_log(&self) {
        self.platform.note("reset log");
        self.calls.lock().unwrap().clear();
    }

    async fn refresh(&self) -> Result<(), ToolError> {
        self.memory.lock().unwrap().clear();
        self.platform.step("refresh").await.map_err(|text| ToolError::new(&self.name, text))
    }

    fn inject_failure(&self, tool: &str, failure: InjectedFailure) {
        self.platform.note(&format!("inject {} into {tool}", failure.name()));
    }

    fn output(&self) -> Vec<CapturedOutput> {
        let source = format!("{} stderr", self.name);
        vec![CapturedOutput { source, text: "a line of the server".to_owned(), omitted_bytes: 0 }]
    }
}
