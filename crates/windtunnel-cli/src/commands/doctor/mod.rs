//! `wt doctor`: starts and stops everything that is configured, and says what is wrong.

mod endpoint;
mod findings;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use camino::Utf8PathBuf;
use tokio::time::timeout;
use windtunnel_api::config::RuntimeSpec;
use windtunnel_api::exit::Exit;
use windtunnel_api::pack::ToolSpec;
use windtunnel_api::secret::Redactor;
use windtunnel_api::{Pack, counted};
use windtunnel_mcp::BenchTools;
use windtunnel_process::scenario::suite;
use windtunnel_runner::Runtimes;
use windtunnel_spi::world::Limits;
use windtunnel_spi::{
    AgentConfig, CaseWorld, RuntimeError, RuntimeErrorKind, ToolError, ToolFactory as _, ToolHandle,
    ToolServer, with_causes,
};

use self::findings::Findings;
use super::execute;
use super::scope::Scope;
use crate::App;
use crate::args::{DoctorArgs, GlobalArgs};
use crate::error::CliError;

pub(crate) fn run(app: &App, global: &GlobalArgs, args: &DoctorArgs) -> Result<Exit, CliError> {
    // An endpoint that is named is meant, and not the packs that happen to be here.
    let mut scope = if args.url.is_some() && args.select.paths.is_empty() {
        Scope::without_scenarios(app, global)?
    } else {
        Scope::resolve_any(app, global, &args.select)?
    };
    if let (Some(name), Some(url)) = (&args.runtime, &args.url) {
        let settings = &mut scope.settings;
        endpoint::set_url(&mut settings.config, name, url)?;
        if let Some(spec) = settings.config.runtimes.get(name) {
            windtunnel_runtimes::plugin(name, spec, &settings.base)?;
        }
    }
    let runtimes = execute::runtimes(app, &scope, &BTreeSet::new())?;
    // One that is configured and broken is a finding; one that nobody knows is a wrong request.
    if let Some(name) =
        args.runtime.as_deref().filter(|name| !scope.settings.config.runtimes.contains_key(*name))
    {
        runtimes.get(name)?;
    }
    let (_folder, workspace) = execute::scratch()?;
    let mut doctor = Doctor {
        scope: &scope,
        runtimes: &runtimes,
        tools: app.tools(),
        asked: args.runtime.as_deref(),
        workspace,
        redactor: execute::redactor(&scope),
        worlds: 0,
        findings: Findings::default(),
    };
    doctor.settings();
    doctor.process(app);
    let interrupted = execute::runtime(1)?.block_on(async {
        let mut interrupts = execute::interrupts()?;
        // What is dropped in the middle is killed.
        tokio::select! {
            () = doctor.everything() => Ok::<_, CliError>(false),
            () = interrupts.next() => Ok(true),
        }
    })?;
    if interrupted {
        return Ok(Exit::Interrupted);
    }
    doctor.findings.conclude(args.format)
}

/// Looks at everything in turn, and keeps what it found.
struct Doctor<'a> {
    scope: &'a Scope,
    runtimes: &'a Runtimes,
    tools: &'a BenchTools,
    /// The runtime that was asked for.
    asked: Option<&'a str>,
    workspace: Utf8PathBuf,
    redactor: Redactor,
    worlds: usize,
    findings: Findings,
}

impl Doctor<'_> {
    fn world(&self, pack: Option<&Pack>) -> CaseWorld {
        let world = CaseWorld::new(format!("doctor-{}", self.worlds), self.workspace.clone());
        let pack_dir = pack.map_or_else(|| world.pack_dir.clone(), |pack| pack.dir.clone());
        let limits = Limits::from(self.scope.settings.config.timeouts);
        CaseWorld { pack_dir, limits, redactor: self.redactor.clone(), ..world }
    }

    fn settings(&mut self) {
        let file = match &self.scope.settings.file {
            Some(file) => self.scope.settings.base.join(file.file_name().unwrap_or_default()).to_string(),
            None => "none, so the defaults hold".to_owned(),
        };
        self.findings.good("wt.toml", &file);
        let (scenarios, packs) = (self.scope.found.len(), self.scope.packs().len());
        self.findings.good("scenarios", &format!("{scenarios} in {}", counted(packs, "pack")));
    }

    /// Reads every process scenario; none is played.
    fn process(&mut self, app: &App) {
        if self.scope.folders.is_empty() {
            return;
        }
        let setup = match app.process_setup() {
            Ok(setup) => setup,
            Err(problems) => return self.findings.bad("process", &problems.to_string()),
        };
        let graph = setup.graph();
        let mut sound = 0;
        for folder in &self.scope.folders {
            match suite::load(folder, graph) {
                Ok(_) => sound += 1,
                Err(error) => {
                    self.findings.bad(&format!("process scenario {}", folder.name), &with_causes(&error));
                }
            }
        }
        self.findings
            .good("process scenarios", &format!("{sound} of {} can be played", self.scope.folders.len()));
    }

    /// Every pack with its runtime, then the runtimes that no pack uses.
    async fn everything(&mut self) {
        let asked = self.asked;
        let mut unseen: BTreeSet<String> = match asked {
            Some(name) => BTreeSet::from([name.to_owned()]),
            None => self.scope.settings.config.runtimes.keys().cloned().collect(),
        };
        for pack in self.scope.packs() {
            let of_pack = self.scope.runtime_of_pack(&pack, asked);
            unseen.remove(&of_pack);
            self.pack(&pack, &of_pack).await;
        }
        for name in unseen {
            self.runtime(&name, None, self.world(None), Vec::new()).await;
        }
    }

    /// Starts the pack's tool servers, gives them to its runtime's agent, and stops it all.
    async fn pack(&mut self, pack: &Pack, runtime: &str) {
        self.worlds += 1;
        let world = self.world(Some(pack));
        let mut servers = Vec::new();
        let mut handles = Vec::new();
        for (name, spec) in &pack.manifest.tools {
            let what = format!("tool server {}/{name}", pack.name());
            match start(self.tools, name, spec, &world).await {
                Ok((server, handle, tools)) => {
                    self.findings.good(&what, &format!("{} tools: {}", tools.len(), tools.join(", ")));
                    servers.push(server);
                    handles.push(handle);
                }
                Err(problem) => self.findings.bad(&what, &problem),
            }
        }
        if handles.len() == pack.manifest.tools.len() {
            self.runtime(runtime, Some(pack), world, handles).await;
        }
        for mut server in servers {
            server.stop().await;
        }
    }

    /// Sets a runtime's agent up. An endpoint that was asked for is also examined, once.
    async fn runtime(
        &mut self,
        name: &str,
        pack: Option<&Pack>,
        world: CaseWorld,
        tools: Vec<Arc<dyn ToolHandle>>,
    ) {
        let what = format!("runtime {name} for {}", pack.map_or("no pack here", Pack::name));
        if !self.set_up(&what, name, &world, &tools).await
            || self.asked != Some(name)
            || self.findings.has_endpoint(name)
        {
            return;
        }
        if let Some(RuntimeSpec::HttpInject(spec)) = self.scope.settings.config.runtimes.get(name) {
            match endpoint::examine(name, spec, &world, &tools, pack).await {
                Ok(conformance) => self.findings.endpoint(name, conformance),
                Err(problem) => self.findings.bad(&what, &problem),
            }
        }
    }

    /// Whether the runtime's agent can be set up.
    async fn set_up(
        &mut self,
        what: &str,
        name: &str,
        world: &CaseWorld,
        tools: &[Arc<dyn ToolHandle>],
    ) -> bool {
        match self.try_set_up(name, world, tools).await {
            Ok(detail) => self.findings.good(what, &detail),
            Err(problem) => {
                self.findings.bad(what, &problem);
                return false;
            }
        }
        true
    }

    async fn try_set_up(
        &self,
        name: &str,
        world: &CaseWorld,
        tools: &[Arc<dyn ToolHandle>],
    ) -> Result<String, String> {
        let settings = &self.scope.settings;
        if let Some(spec) = settings.config.runtimes.get(name) {
            windtunnel_runtimes::plugin(name, spec, &settings.base).map_err(|error| with_causes(&error))?;
        }
        let plugin = self.runtimes.get(name).map_err(|error| with_causes(&error))?;
        let limit = world.limits.start;
        let late = || RuntimeError::new(RuntimeErrorKind::Timeout, not_in_time(limit));
        let built = timeout(limit, plugin.build()).await.unwrap_or_else(|_| Err(late()));
        let runtime = built.map_err(|error| with_causes(&error))?;
        let selftest =
            if runtime.reference().is_some() { "can be self-tested" } else { "cannot be self-tested" };
        if let Err(error) = plugin.check_live() {
            // A self-test brings its own model.
            return Ok(format!("{selftest}; not ready for live runs: {}", with_causes(&error)));
        }
        let config = AgentConfig::new("wt-doctor", world.clone());
        let provisioned = timeout(limit, runtime.provision(config, tools.to_vec())).await;
        let mut agent = provisioned.unwrap_or_else(|_| Err(late())).map_err(|error| with_causes(&error))?;
        // An agent that does not end is killed when it is dropped.
        let _ = timeout(limit, agent.teardown()).await;
        Ok(format!("is set up, {selftest}"))
    }
}

type Started = (Box<dyn ToolServer>, Arc<dyn ToolHandle>, Vec<String>);

/// Starts a tool server and asks for its tools; what does not get that far is stopped again.
async fn start(
    tools: &BenchTools,
    name: &str,
    spec: &ToolSpec,
    world: &CaseWorld,
) -> Result<Started, String> {
    let mut server = tools.server(name, spec, world).map_err(|error| with_causes(&error))?;
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
        Ok(Err(error)) => with_causes(&error),
        Err(_) => not_in_time(limit),
    };
    server.stop().await;
    Err(problem)
}

fn not_in_time(limit: Duration) -> String {
    format!("did not answer within {} s (timeouts.start_s)", limit.as_secs_f64())
}
