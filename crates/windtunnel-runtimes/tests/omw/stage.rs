//! Agents in a folder of their own.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use tempfile::TempDir;
use windtunnel_api::config::OmwRuntime;
use windtunnel_api::{ReferenceCase, ReferenceDecision, ReferenceKind};
use windtunnel_runtimes::omw::OmwAgents;
use windtunnel_spi::doubles::RecordedTools;
use windtunnel_spi::{
    AgentConfig, AgentHandle, AgentRuntime, CaseWorld, Message, RuntimeError, SessionId, ToolHandle,
};

/// Longer than anything takes on a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// What every config begins with.
const CONFIG: &str = "runtime.rhai.kind = \"rhai\"\n";

/// Answers requests with `reply(request, count)`, where `count` is which one it is: that is kept in the agent's memory.
const SERVES: &str = r#"
omw::host::subscribe_endpoint("desk");
loop {
    let event = omw::host::recv();
    if event.kind != "endpoint-message" { continue; }
    let request = event.payload;
    let before = omw::host::memory_get("count");
    let count = if before == () { 1 } else { parse_int(before) + 1 };
    omw::host::memory_set("count", `${count}`);
    let text = reply(request, count);
    omw::host::stream_endpoint(request.session, #{ content: text });
    omw::host::stream_endpoint(request.session, #{ finish_reason: "stop" });
}
"#;

/// A folder with a config, and a case.
pub(crate) struct Stage {
    _folder: TempDir,
    pub(crate) dir: Utf8PathBuf,
    pub(crate) world: CaseWorld,
}

impl Stage {
    /// The agent `alice`, whose brain is a script.
    pub(crate) fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dir = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        fs::create_dir(dir.join("workspace")).unwrap();
        let world = CaseWorld::new("case-1", dir.join("workspace"));
        fs::write(dir.join("omw.toml"), CONFIG).unwrap();
        Self { _folder: folder, dir, world }.agent("alice", script)
    }

    /// The agent `alice`, which serves the model and replies with what this function body makes of `request` and `count`.
    pub(crate) fn replying(reply: &str) -> Self {
        Self::new(&format!("fn reply(request, count) {{ {reply} }}{SERVES}"))
    }

    pub(crate) fn agent(self, name: &str, script: &str) -> Self {
        fs::write(self.dir.join(format!("{name}.rhai")), script).unwrap();
        self.config(&format!("agents.{name} = {{ runtime = \"rhai\", script = \"{name}.rhai\" }}\n"))
    }

    /// With more of a config.
    pub(crate) fn config(self, more: &str) -> Self {
        let path = self.dir.join("omw.toml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, text + more).unwrap();
        self
    }

    pub(crate) fn turn_limit(mut self, limit: Duration) -> Self {
        self.world.limits.turn = limit;
        self
    }

    pub(crate) fn runtime(&self) -> Result<OmwAgents, RuntimeError> {
        OmwAgents::new("bot", &OmwRuntime { config: "omw.toml".into(), model: "desk".to_owned() }, &self.dir)
    }

    pub(crate) fn agent_config(&self) -> AgentConfig {
        AgentConfig::new("wt-cli", self.world.clone())
    }

    pub(crate) async fn provision(&self, servers: &[&str]) -> Result<Box<dyn AgentHandle>, RuntimeError> {
        let runtime = self.runtime().unwrap();
        runtime.provision(self.agent_config(), servers.iter().map(|name| server(name)).collect()).await
    }

    pub(crate) async fn start(&self) -> Box<dyn AgentHandle> {
        self.provision(&[]).await.unwrap()
    }

    /// In a self-test, with a model that says this, one answer for each turn.
    pub(crate) async fn start_scripted(&self, turns: &[&str]) -> Box<dyn AgentHandle> {
        let mut case = ReferenceCase::new("known-good", ReferenceKind::Golden, []);
        case.turns = turns.iter().map(|&turn| vec![ReferenceDecision::says(turn)]).collect();
        let runtime = self.runtime().unwrap();
        let reference = runtime.reference().unwrap();
        reference.provision_reference(self.agent_config(), &case, Vec::new()).await.unwrap()
    }
}

/// One turn, which has to end soon.
pub(crate) async fn say(agent: &mut dyn AgentHandle, prompt: &str) -> Result<String, RuntimeError> {
    say_in("s-1", agent, prompt).await
}

pub(crate) async fn say_in(
    session: &str,
    agent: &mut dyn AgentHandle,
    prompt: &str,
) -> Result<String, RuntimeError> {
    let (messages, session) = ([Message::user(prompt)], SessionId::new(session));
    let turn = agent.send(&messages, &session);
    Ok(tokio::time::timeout(SOON, turn).await.unwrap()?.content)
}

/// Waits for something that another thread is about to do.
pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < SOON, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// A tool server that has an address where nothing is.
fn server(name: &str) -> Arc<dyn ToolHandle> {
    Arc::new(RecordedTools::new(name, [""; 0]).addressed())
}
