//! Programs as agents, in a folder of their own.

use std::fs;
use std::sync::Arc;

use camino::Utf8PathBuf;
use serde_json::{Value, json};
use tempfile::TempDir;
use windtunnel_api::config::CommandRuntime;
use windtunnel_runtimes::command::CommandAgents;
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
    spec: Value,
}

impl Bench {
    /// A runtime whose program is `sh` with this script.
    pub(crate) fn sh(script: &str) -> Self {
        Self::new(&["sh", "-c", script])
    }

    pub(crate) fn new(command: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dir = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        fs::create_dir(dir.join("workspace")).unwrap();
        let world = CaseWorld::new("case-1", dir.join("workspace"));
        Self { _folder: folder, dir, world, spec: json!({ "command": command }) }
    }

    pub(crate) fn with(mut self, field: &str, value: Value) -> Self {
        self.spec[field] = value;
        self
    }

    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        fs::write(self.dir.join(name), text).unwrap();
        self
    }

    pub(crate) fn spec(&self) -> CommandRuntime {
        serde_json::from_value(self.spec.clone()).unwrap()
    }

    pub(crate) fn runtime(&self) -> Result<CommandAgents, RuntimeError> {
        CommandAgents::new("bot", &self.spec(), &self.dir)
    }

    pub(crate) fn config(&self) -> AgentConfig {
        AgentConfig::new("wt-cli", self.world.clone())
    }

    pub(crate) async fn agent(&self) -> Box<dyn AgentHandle> {
        self.agent_with(&[]).await.unwrap()
    }

    pub(crate) async fn agent_with(&self, servers: &[&str]) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        self.runtime()
            .unwrap()
            .provision(self.config(), servers.iter().map(|name| addressed(name)).collect())
            .await
    }

    /// What the program answers in one turn.
    pub(crate) async fn answer(&self, prompt: &str) -> Result<String, RuntimeError> {
        say(self.agent().await.as_mut(), prompt).await.map(|reply| reply.content)
    }
}

pub(crate) async fn say(agent: &mut dyn AgentHandle, prompt: &str) -> Result<AgentReply, RuntimeError> {
    agent.send(&[Message::user(prompt)], &SessionId::new("s-1")).await
}

/// The whole message of an error.
pub(crate) fn text(error: &RuntimeError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}

/// How many processes have this word in their command line, where that can be seen.
pub(crate) fn alive(word: &str) -> usize {
    let has_word = |folder: std::path::PathBuf| {
        fs::read(folder.join("cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(word))
    };
    fs::read_dir("/proc").into_iter().flatten().flatten().filter(|entry| has_word(entry.path())).count()
}

/// A tool server that has an address and serves `lookup`.
pub(crate) fn addressed(name: &str) -> Arc<dyn ToolHandle> {
    Arc::new(RecordedTools::new(name, ["lookup"]).addressed())
}
