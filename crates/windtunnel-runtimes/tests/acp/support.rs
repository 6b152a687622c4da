//! Agents of a few lines of Python, in a folder of their own.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use camino::Utf8PathBuf;
use serde_json::{Value, json};
use tempfile::TempDir;
use windtunnel_api::Evidence;
use windtunnel_api::scenario::permission::PermissionRule;
use windtunnel_runtimes::acp::AcpAgents;
use windtunnel_spi::doubles::RecordedTools;
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentReply, AgentRuntime, CaseWorld, Message, RuntimeError, SessionId,
    ToolHandle,
};

/// The folder of a configuration, a workspace, and the runtime's settings.
pub(crate) struct Bench {
    _folder: TempDir,
    pub(crate) dir: Utf8PathBuf,
    pub(crate) world: CaseWorld,
    pub(crate) permissions: Vec<PermissionRule>,
    spec: Value,
}

impl Bench {
    /// A runtime whose agent does what these lines of Python say; none where there is no Python.
    pub(crate) fn agent(code: &str) -> Option<Self> {
        if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: there is no python3");
            return None;
        }
        let bench = Self::new(&["python3", "agent.py"]);
        fs::write(bench.dir.join("told.py"), code).unwrap();
        fs::write(bench.dir.join("agent.py"), include_str!("agent.py")).unwrap();
        Some(bench.with("cwd", json!(".")))
    }

    pub(crate) fn sh(script: &str) -> Self {
        Self::new(&["sh", "-c", script])
    }

    pub(crate) fn new(command: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dir = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        fs::create_dir(dir.join("workspace")).unwrap();
        let world = CaseWorld::new("case-1", dir.join("workspace"));
        Self { _folder: folder, dir, world, permissions: Vec::new(), spec: json!({ "command": command }) }
    }

    pub(crate) fn with(mut self, field: &str, value: Value) -> Self {
        self.spec[field] = value;
        self
    }

    pub(crate) fn rules(mut self, rules: Value) -> Self {
        self.permissions = serde_json::from_value(rules).unwrap();
        self
    }

    pub(crate) fn runtime(&self) -> Result<AcpAgents, RuntimeError> {
        AcpAgents::new("bot", &serde_json::from_value(self.spec.clone()).unwrap(), &self.dir)
    }

    pub(crate) fn config(&self) -> AgentConfig {
        AgentConfig {
            permissions: self.permissions.clone(),
            ..AgentConfig::new("wt-cli", self.world.clone())
        }
    }

    pub(crate) async fn start(&self) -> Box<dyn AgentHandle> {
        self.start_with(&[]).await.unwrap()
    }

    pub(crate) async fn start_with(&self, servers: &[&str]) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let tools = servers.iter().map(|name| addressed(name)).collect();
        self.runtime().unwrap().provision(self.config(), tools).await
    }

    /// How the first turn of a fresh agent ends.
    pub(crate) async fn answer(&self, prompt: &str) -> Result<String, String> {
        let reply = say(self.start().await.as_mut(), prompt).await;
        reply.map(|reply| reply.content).map_err(|error| text(&error))
    }
}

pub(crate) async fn say(agent: &mut dyn AgentHandle, prompt: &str) -> Result<AgentReply, RuntimeError> {
    agent.send(&[Message::user(prompt)], &SessionId::new("s-1")).await
}

/// The requests for permission that an agent made, and the warnings about it.
pub(crate) fn seen(agent: &mut dyn AgentHandle) -> Vec<Value> {
    let evidence = agent.drain_seam().unwrap();
    let seen = evidence.into_iter().filter_map(|entry| match entry.value {
        Evidence::Observation { source, value } => {
            assert_eq!(source, "permission");
            Some(value)
        }
        Evidence::Warning { text } => Some(text.into()),
        _ => None,
    });
    seen.collect()
}

/// The whole message of an error.
pub(crate) fn text(error: &RuntimeError) -> String {
    windtunnel_spi::with_causes(error)
}

/// A tool server that has an address and serves `lookup` and `send_mail`.
pub(crate) fn addressed(name: &str) -> Arc<dyn ToolHandle> {
    Arc::new(RecordedTools::new(name, ["lookup", "send_mail"]).addressed())
}
