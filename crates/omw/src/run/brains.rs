//! Loading the brains of a run.

use std::sync::Arc;

use camino::Utf8PathBuf;
use indexmap::IndexMap;
use windtunnel_doc::{Diagnostics, Fault, Path};

use crate::brain::{Brain, Runtime};
use crate::config::{AgentConfig, Config};
use crate::gate::Gates;
use crate::registry::{BuildContext, FactoryError, Registries, choice};

use super::error::{BrainFault, RunError};

/// An agent that can be started.
pub(super) struct Loaded {
    pub(super) agent: String,
    pub(super) script: Utf8PathBuf,
    pub(super) runtime: Arc<dyn Runtime>,
    pub(super) brain: Arc<dyn Brain>,
}

/// Loads the brain of every agent. It reads files, so it may block.
///
/// # Errors
/// Every fault of the runtimes and of what names them; without one, every script that cannot be loaded.
pub(super) fn load(config: &Config, registries: &Registries) -> Result<Vec<Loaded>, RunError> {
    let runtimes = build_runtimes(config, registries)?;
    let (mut loaded, mut faults) = (Vec::new(), Vec::new());
    for (name, agent) in &config.agents {
        // All of them are there: those that are not were faults.
        let Some(runtime) = runtimes.get(&agent.runtime) else { continue };
        match runtime.load(&agent.script) {
            Ok(brain) => loaded.push(Loaded {
                agent: name.clone(),
                script: agent.script.clone(),
                runtime: Arc::clone(runtime),
                brain,
            }),
            Err(error) => faults.push(BrainFault { agent: name.clone(), error }),
        }
    }
    if faults.is_empty() { Ok(loaded) } else { Err(RunError::Brains(faults)) }
}

fn build_runtimes(
    config: &Config,
    registries: &Registries,
) -> Result<IndexMap<String, Arc<dyn Runtime>>, RunError> {
    let context = BuildContext {
        tunables: Arc::new(config.tunables.clone()),
        gates: Gates::default(),
        keep_everything: false,
    };
    let (mut runtimes, mut diagnostics) = (IndexMap::new(), Vec::new());
    let mut faults: Vec<_> =
        config.agents.iter().filter_map(|(name, agent)| unknown_runtime(config, name, agent)).collect();
    for (name, runtime) in &config.runtimes {
        let Some(make) = registries.runtimes.get(&runtime.kind) else {
            let table = Path::root().then("runtime").then(name.as_str());
            faults.push(registries.runtimes.unknown(&table, &runtime.kind));
            continue;
        };
        match make(&runtime.params, &context) {
            Ok(built) => {
                runtimes.insert(name.clone(), built);
            }
            Err(FactoryError::Params(wrong)) => diagnostics.push(wrong),
            Err(FactoryError::Backend(error)) => {
                return Err(RunError::Backend { what: format!("runtime.{name}"), error: error.to_string() });
            }
        }
    }
    if !faults.is_empty() {
        diagnostics.push(config.origin.diagnostics(faults));
    }
    match Diagnostics::merge(diagnostics) {
        None => Ok(runtimes),
        Some(diagnostics) => Err(diagnostics.into()),
    }
}

fn unknown_runtime(config: &Config, name: &str, agent: &AgentConfig) -> Option<Fault> {
    let wanted = &agent.runtime;
    if config.runtimes.contains_key(wanted) {
        return None;
    }
    let place = Path::root().then("agents").then(name).then("runtime");
    let choice = choice(wanted, config.runtimes.keys().map(String::as_str));
    let fault =
        Fault::new(place, format!("agent \"{name}\" references unknown runtime \"{wanted}\"{choice}"));
    Some(fault.with_help(format!("add a table [runtime.{wanted}] with its kind, or name one that is there")))
}
