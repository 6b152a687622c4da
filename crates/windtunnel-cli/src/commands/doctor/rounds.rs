//! Looking at everything in turn.

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::Utf8PathBuf;
use windtunnel_api::config::RuntimeSpec;
use windtunnel_api::secret::Redactor;
use windtunnel_api::{Pack, counted};
use windtunnel_mcp::BenchTools;
use windtunnel_process::scenario::suite;
use windtunnel_runner::{Runtimes, out_of_reach};
use windtunnel_spi::world::Limits;
use windtunnel_spi::{AgentRuntime, CaseWorld, ToolHandle, with_causes};

use super::findings::Findings;
use super::{endpoint, runtimes, scenarios, tools};
use crate::App;
use crate::commands::execute;
use crate::commands::scope::Scope;

/// Looks at everything in turn, and keeps what it found.
pub(super) struct Doctor<'a> {
    scope: &'a Scope,
    runtimes: &'a Runtimes,
    tools: &'a BenchTools,
    /// The runtime that was asked for.
    asked: Option<&'a str>,
    workspace: Utf8PathBuf,
    redactor: Redactor,
    worlds: usize,
    pub(super) findings: Findings,
}

impl<'a> Doctor<'a> {
    pub(super) fn new(
        scope: &'a Scope,
        runtimes: &'a Runtimes,
        tools: &'a BenchTools,
        asked: Option<&'a str>,
        workspace: Utf8PathBuf,
    ) -> Self {
        let redactor = execute::redactor(scope);
        Self { scope, runtimes, tools, asked, workspace, redactor, worlds: 0, findings: Findings::default() }
    }

    fn world(&self, pack: Option<&Pack>) -> CaseWorld {
        let world = CaseWorld::new(format!("doctor-{}", self.worlds), self.workspace.clone());
        let pack_dir = pack.map_or_else(|| world.pack_dir.clone(), |pack| pack.dir.clone());
        let limits = Limits::from(self.scope.settings.config.timeouts);
        CaseWorld { pack_dir, limits, redactor: self.redactor.clone(), ..world }
    }

    pub(super) fn settings(&mut self) {
        let file = match &self.scope.settings.file {
            Some(file) => self.scope.settings.base.join(file.file_name().unwrap_or_default()).to_string(),
            None => "none, so the defaults hold".to_owned(),
        };
        self.findings.good("wt.toml", &file);
        let (scenarios, packs) = (self.scope.found.len(), self.scope.packs().len());
        self.findings.good("scenarios", &format!("{scenarios} in {}", counted(packs, "pack")));
        for pack in &self.scope.bare {
            let said = "can be read, and has no scenario yet; one is a file *.scenario.toml below it";
            self.findings.good(&format!("pack {}", pack.name()), said);
        }
    }

    /// Reads every process scenario; none is played.
    pub(super) fn process(&mut self, app: &App) {
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

    /// Every runtime of the settings, then every pack with its runtime.
    pub(super) async fn everything(&mut self) {
        let packs = self.scope.packs();
        let used: BTreeSet<String> =
            packs.iter().map(|pack| self.scope.runtime_of_pack(pack, self.asked)).collect();
        let broken = self.configured(&used).await;
        for pack in packs {
            let runtime = self.scope.runtime_of_pack(&pack, self.asked);
            let runtime = (!broken.contains(&runtime)).then_some(runtime);
            self.pack(&pack, runtime.as_deref()).await;
        }
    }

    /// Says what there is to say of the runtimes of the settings, and sets up those that no pack uses. The names of those whose
    /// settings are wrong.
    async fn configured(&mut self, used: &BTreeSet<String>) -> BTreeSet<String> {
        let settings = &self.scope.settings;
        let mut broken = BTreeSet::new();
        for (name, spec) in &settings.config.runtimes {
            if self.asked.is_some_and(|asked| asked != name) {
                continue;
            }
            let what = format!("runtime {name}");
            let said = match runtimes::described(name, spec, &settings.base) {
                Ok(said) => said,
                Err(problem) => {
                    self.findings.bad(&what, &problem);
                    broken.insert(name.clone());
                    continue;
                }
            };
            if used.contains(name) {
                self.findings.good(&what, &said);
            } else {
                self.runtime(&what, Some(&said), name, None, &self.world(None), &[]).await;
            }
        }
        // One that is built in, or compiled into this program.
        if let Some(name) = self.asked.filter(|name| !settings.config.runtimes.contains_key(*name))
            && !used.contains(name)
        {
            self.runtime(&format!("runtime {name}"), None, name, None, &self.world(None), &[]).await;
        }
        broken
    }

    /// Starts the pack's tool servers, gives them to its runtime's agent, and stops it all. Without a runtime there is no agent.
    async fn pack(&mut self, pack: &Pack, runtime: Option<&str>) {
        self.worlds += 1;
        let world = self.world(Some(pack));
        let mut servers = Vec::new();
        let mut handles = Vec::new();
        for (name, spec) in &pack.manifest.tools {
            let what = format!("tool server {}/{name}", pack.name());
            match tools::start(self.tools, name, spec, &world).await {
                Ok((server, handle, tools)) => {
                    self.findings.good(&what, &format!("{} tools: {}", tools.len(), tools.join(", ")));
                    servers.push(server);
                    handles.push(handle);
                }
                Err(problem) => self.findings.bad(&what, &problem),
            }
        }
        let mut built = None;
        if handles.len() == pack.manifest.tools.len()
            && let Some(name) = runtime
        {
            let what = format!("runtime {name} for {}", pack.name());
            built = self.runtime(&what, None, name, Some(pack), &world, &handles).await;
        }
        self.scenarios(pack, built.as_deref(), &handles, &world).await;
        for mut server in servers {
            server.stop().await;
        }
    }

    /// Whether the scenarios of a pack can be run as they stand.
    async fn scenarios(
        &mut self,
        pack: &Pack,
        runtime: Option<&dyn AgentRuntime>,
        handles: &[Arc<dyn ToolHandle>],
        world: &CaseWorld,
    ) {
        for found in self.scope.found.iter().filter(|found| found.pack.name() == pack.name()) {
            let scenario = found.scenario();
            let mut problems: Vec<String> = scenarios::unobserved(scenario, pack).into_iter().collect();
            if let Some(runtime) = runtime {
                problems.extend(scenarios::unperturbed(scenario, runtime, handles, world).await);
            }
            if !problems.is_empty() {
                let what = format!("scenario {}/{}", pack.name(), scenario.name);
                self.findings.bad(&what, &problems.join("\n"));
            }
        }
    }

    /// Sets a runtime's agent up, and keeps what was found with what was `said` of it before. An endpoint that was asked for is also
    /// examined, once.
    async fn runtime(
        &mut self,
        what: &str,
        said: Option<&str>,
        name: &str,
        pack: Option<&Pack>,
        world: &CaseWorld,
        tools: &[Arc<dyn ToolHandle>],
    ) -> Option<Arc<dyn AgentRuntime>> {
        let (runtime, detail) = match runtimes::set_up(self.runtimes, name, world, tools).await {
            Ok(found) => found,
            Err(problem) => {
                self.findings.bad(what, &runtimes::without_name(name, problem));
                return None;
            }
        };
        let notes = pack.and_then(|pack| out_of_reach(runtime.as_ref(), pack));
        let parts = said.map(str::to_owned).into_iter().chain([detail]).chain(notes);
        self.findings.good(what, &parts.collect::<Vec<_>>().join("; "));
        if self.asked == Some(name)
            && !self.findings.has_endpoint(name)
            && let Some(RuntimeSpec::HttpInject(spec)) = self.scope.settings.config.runtimes.get(name)
        {
            match endpoint::examine(name, spec, world, tools, pack).await {
                Ok(conformance) => self.findings.endpoint(name, conformance),
                Err(problem) => self.findings.bad(what, &problem),
            }
        }
        Some(runtime)
    }
}
