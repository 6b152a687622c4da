//! What `selftest` and `run` share: the bench and the runtimes wired together, and reporters that listen.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use windtunnel_api::config::Config;
use windtunnel_api::pack::{Pack, ToolSpec};
use windtunnel_api::secret::{Redactor, Secret};
use windtunnel_child::Environment;
use windtunnel_runner::{Bench, Interrupts, RuntimeChoice, Runtimes, SuiteOptions};
use windtunnel_runtimes::probe;
use windtunnel_spi::ProbeFactory;
use windtunnel_spi::world::Limits;
use windtunnel_store::RunStore;

use super::judges::Judges;
use super::scope::Scope;
use crate::App;
use crate::args::ExecuteArgs;
use crate::error::CliError;

/// The async runtime that a command runs on.
pub(crate) fn runtime(jobs: usize) -> Result<Runtime, CliError> {
    let mut builder = if jobs > 1 {
        tokio::runtime::Builder::new_multi_thread()
    } else {
        // One case at a time needs no second thread, and loses time to it.
        tokio::runtime::Builder::new_current_thread()
    };
    builder.enable_all().build().map_err(|error| CliError::io("cannot start the async runtime", error))
}

/// How long what a case left behind may take to end, when the suite is over.
const LAST_WORK: Duration = Duration::from_millis(500);

/// Runs a suite on a runtime of its own. A case that was given up may still compute: that ends with the process.
pub(crate) fn block_on<T>(
    jobs: usize,
    suite: impl Future<Output = Result<T, CliError>>,
) -> Result<T, CliError> {
    let runtime = runtime(jobs)?;
    let outcome = runtime.block_on(suite);
    runtime.shutdown_timeout(LAST_WORK);
    outcome
}

/// A folder that nobody keeps, with its path. It is removed when it is dropped.
pub(crate) fn scratch() -> Result<(TempDir, Utf8PathBuf), CliError> {
    let folder =
        tempfile::tempdir().map_err(|error| CliError::io("cannot make a temporary folder", error))?;
    let path = Utf8PathBuf::from_path_buf(folder.path().to_path_buf()).map_err(|path| {
        CliError::usage(format!("{} is not UTF-8", path.display()), "set TMPDIR to a folder that is")
    })?;
    Ok((folder, path))
}

/// Ctrl-C, from here on. Has to be called on an async runtime.
pub(crate) fn interrupts() -> Result<Interrupts, CliError> {
    Interrupts::from_signals().map_err(|error| CliError::io("cannot wait for Ctrl-C", error))
}

/// How many cases run side by side: the flag's number, else the settings', else one per core.
pub(crate) fn jobs(args: &ExecuteArgs, config: &Config) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    args.jobs.map(NonZeroUsize::get).or(config.jobs).unwrap_or(cores)
}

/// How the suite is run.
pub(crate) fn suite_options(args: &ExecuteArgs, scope: &Scope) -> SuiteOptions {
    SuiteOptions {
        jobs: jobs(args, &scope.settings.config),
        fail_fast: args.fail_fast,
        runtime: RuntimeChoice { asked: args.runtime.clone(), default: scope.default_runtime().to_owned() },
    }
}

/// The runtimes by name: the built-in ones, those of the settings, those compiled in; a later one wins.
pub(crate) fn runtimes(app: &App, scope: &Scope, wanted: &BTreeSet<String>) -> Result<Runtimes, CliError> {
    let mut runtimes = windtunnel_runtimes::builtin().into_iter().fold(Runtimes::new(), Runtimes::with);
    for (name, spec) in &scope.settings.config.runtimes {
        // A runtime that nobody asked for may be broken.
        match windtunnel_runtimes::plugin(name, spec, &scope.settings.base) {
            Ok(plugin) => runtimes = runtimes.with(plugin),
            Err(error) if wanted.contains(name) => return Err(error.into()),
            Err(_) => runtimes = runtimes.with_unusable(name),
        }
    }
    Ok(app.runtimes().iter().cloned().fold(runtimes, Runtimes::with))
}

/// The bench of a suite: real tool servers, probes and judge, and the store that runs go to.
pub(crate) fn bench(
    app: &App,
    scope: &Scope,
    args: &ExecuteArgs,
    runs_dir: &Utf8Path,
) -> Result<Bench, CliError> {
    let store = RunStore::open(runs_dir)
        .map_err(|error| CliError::Usage { message: error.to_string(), help: None })?;
    let mut probes: HashMap<String, Arc<dyn ProbeFactory>> = HashMap::new();
    for pack in scope.packs() {
        let factory = probe::factory(&pack).map_err(|error| {
            CliError::usage(format!("pack {}: {error}", pack.name()), "correct [probe] in its pack.toml")
        })?;
        probes.extend(factory.map(|factory| (pack.name().to_owned(), factory)));
    }
    let mut bench = Bench::new(Arc::new(app.tools().clone()), Arc::new(store))
        .with_probes(move |pack| probes.get(pack.name()).cloned())
        .with_judge(Arc::new(Judges::new(&scope.settings.config)))
        .with_limits(Limits::from(scope.settings.config.timeouts))
        .with_redactor(redactor(scope))
        .keep_workspaces(args.keep_workspace);
    for hook in app.hooks() {
        bench = bench.with_hook(Arc::clone(hook));
    }
    Ok(bench)
}

/// Knows every secret that the settings and the selected packs take from the environment. A variable that is not set is said by
/// whoever needs it.
pub(crate) fn redactor(scope: &Scope) -> Redactor {
    let mut secrets: Vec<Secret> = Vec::new();
    for (name, spec) in &scope.settings.config.runtimes {
        secrets.extend(windtunnel_runtimes::secrets(name, spec).unwrap_or_default());
    }
    secrets.extend(std::env::var("OPENAI_API_KEY").map(Secret::new));
    for pack in scope.packs() {
        secrets.extend(pack_secrets(&pack));
    }
    Redactor::new(secrets)
}

fn pack_secrets(pack: &Pack) -> Vec<Secret> {
    let mut secrets = probe::secrets(pack).unwrap_or_default();
    for spec in pack.manifest.tools.values() {
        match spec {
            ToolSpec::Workspace(_) | ToolSpec::Universe(_) => {}
            ToolSpec::Stdio(tools) => {
                secrets.extend_from_slice(Environment::allowed().pass(&tools.pass_env).secrets());
                secrets.extend(in_templates(&tools.env));
            }
            ToolSpec::Http(tools) => secrets.extend(in_templates(&tools.headers)),
        }
    }
    secrets
}

fn in_templates(templates: &IndexMap<String, String>) -> impl Iterator<Item = Secret> {
    templates
        .iter()
        .filter_map(|(name, template)| windtunnel_child::expand(template, name).ok())
        .flat_map(|expanded| expanded.secrets)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_case_that_computes_on_does_not_keep_the_command() {
        for threads in [1, 2] {
            let began = Instant::now();
            let outcome = block_on(threads, async {
                let computes = Arc::new(tokio::sync::Notify::new());
                let told = Arc::clone(&computes);
                tokio::task::spawn_blocking(move || {
                    told.notify_one();
                    std::thread::sleep(Duration::from_secs(20));
                });
                computes.notified().await;
                Ok(())
            });
            assert!(outcome.is_ok());
            assert!(began.elapsed() < Duration::from_secs(10));
        }
    }
}
