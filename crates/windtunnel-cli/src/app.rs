//! The application: what is compiled in, and one call of it.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use camino::Utf8PathBuf;
use clap::Parser;
use windtunnel_api::exit::Exit;
use windtunnel_discovery::Found;
use windtunnel_doc::Diagnostics;
use windtunnel_mcp::BenchTools;
use windtunnel_process::Graph;
use windtunnel_process::graph::work_item_loop;
use windtunnel_process::scenario::Setup;
use windtunnel_spi::{Hook, RuntimePlugin};

use crate::args::{Cli, Command};
use crate::commands;
use crate::error::render;
use crate::log;

/// A `wt`, with whatever is compiled into it besides the built-in runtimes.
#[derive(Default)]
pub struct App {
    runtimes: Vec<Arc<dyn RuntimePlugin>>,
    scenarios: Vec<Found>,
    hooks: Vec<Arc<dyn Hook>>,
    paths: Vec<Utf8PathBuf>,
    graph: Option<Arc<Graph>>,
    tools: BenchTools,
}

impl App {
    /// A `wt` with the built-in runtimes only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a runtime. It is selected by its name, and wins over one of the configuration.
    #[must_use]
    pub fn with_runtime(mut self, runtime: Arc<dyn RuntimePlugin>) -> Self {
        self.runtimes.push(runtime);
        self
    }

    /// Adds a hook.
    #[must_use]
    pub fn with_hook(mut self, hook: Arc<dyn Hook>) -> Self {
        self.hooks.push(hook);
        self
    }

    /// Serves the packs' tools in this way, for example with a function that answers what a universe file has no recording of.
    #[must_use]
    pub fn with_tools(mut self, tools: BenchTools) -> Self {
        self.tools = tools;
        self
    }

    /// Adds a scenario built in Rust, with its closures.
    #[must_use]
    pub fn with_scenario(mut self, scenario: Found) -> Self {
        self.scenarios.push(scenario);
        self
    }

    /// Adds a pack, a folder of packs or of process scenarios, or a scenario file that is meant where the command line names
    /// none; without any that is the working folder.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<Utf8PathBuf>) -> Self {
        self.paths.push(path.into());
        self
    }

    /// Plays process scenarios over this graph instead of the shipped one.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use windtunnel_process::Graph;
    /// use windtunnel_process::hook::HookRegistry;
    ///
    /// let yaml = "
    /// graph: errand
    /// nodes:
    ///   - { id: fetch, actor: agent, required: true }
    ///   - { id: complete, actor: agent, terminal: true }
    /// edges:
    ///   - { from: fetch, to: complete, on: pass }
    /// ";
    /// let graph = Arc::new(Graph::compile("errand.yaml", yaml, &HookRegistry::shipped())?);
    /// let app = windtunnel_cli::App::new().with_graph(graph);
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let at = |name: &str| folder.path().join(name).into_os_string();
    /// # std::fs::create_dir(at("fetched"))?;
    /// std::fs::write(
    ///     at("fetched/scenario.yaml"),
    ///     "name: fetched\nworkItem: issue-1\nsteps: [{complete: {node: fetch}}]\nexpect: {nodes: [fetch, complete]}\n",
    /// )?;
    /// assert_eq!(app.run(["wt".into(), "run".into(), at("fetched"), "--runs-dir".into(), at("runs")]).code(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_graph(mut self, graph: Arc<Graph>) -> Self {
        self.graph = Some(graph);
        self
    }

    /// Runs with this process's arguments.
    pub fn main(self) -> ExitCode {
        // What a case starts lives below a process of this same program, which ends it even when this one is killed.
        if let Some(code) = windtunnel_child::reenter() {
            return ExitCode::from(code);
        }
        ExitCode::from(self.run(std::env::args_os()).code())
    }

    /// Runs with these arguments, the program's name first.
    pub fn run<S: Into<OsString> + Clone>(&self, arguments: impl IntoIterator<Item = S>) -> Exit {
        let cli = match Cli::try_parse_from(arguments) {
            Ok(cli) => cli,
            Err(message) => {
                let exit = if message.use_stderr() { Exit::Usage } else { Exit::Success };
                // A closed pipe is nobody's mistake.
                let _ = message.print();
                return exit;
            }
        };
        log::init();
        let Cli { global, command } = cli;
        let outcome = match command {
            Command::Selftest(args) => commands::selftest::run(self, &global, &args),
            Command::Run(args) => commands::run::run(self, &global, &args),
            Command::List(args) => commands::list::run(self, &global, &args),
            Command::New(args) => commands::new::run(&args),
            Command::Doctor(args) => commands::doctor::run(self, &global, &args),
            Command::Serve(args) => commands::serve::run(&args),
            Command::Record(args) => commands::record::run(self, &global, &args),
            Command::Surface(args) => commands::surface::run(self, &global, &args),
            Command::McpBridge { url } => commands::bridge::run(&url),
            Command::Schema(args) => commands::schema::run(&args),
            Command::Completions { shell } => commands::completions::run(shell),
        };
        outcome.unwrap_or_else(|error| {
            render(&error, global.color);
            error.exit()
        })
    }

    pub(crate) fn runtimes(&self) -> &[Arc<dyn RuntimePlugin>] {
        &self.runtimes
    }

    pub(crate) fn scenarios(&self) -> &[Found] {
        &self.scenarios
    }

    /// What is meant where the command line names no path.
    pub(crate) fn paths(&self) -> Vec<Utf8PathBuf> {
        if self.paths.is_empty() { vec![Utf8PathBuf::from(".")] } else { self.paths.clone() }
    }

    /// What process scenarios are played with.
    pub(crate) fn process_setup(&self) -> Result<Setup, Diagnostics> {
        Ok(Setup::new(match &self.graph {
            Some(graph) => Arc::clone(graph),
            None => work_item_loop()?,
        }))
    }

    pub(crate) fn tools(&self) -> &BenchTools {
        &self.tools
    }

    pub(crate) fn hooks(&self) -> &[Arc<dyn Hook>] {
        &self.hooks
    }
}
