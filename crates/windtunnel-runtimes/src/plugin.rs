//! Runtimes by name.

use std::sync::Arc;

use camino::Utf8Path;
use indexmap::IndexMap;
use windtunnel_api::Secret;
use windtunnel_api::config::{InMemoryRuntime, LoopRuntime, RuntimeSpec};
use windtunnel_child::Environment;
use windtunnel_spi::{AgentRuntime, ReadyPlugin, RuntimeError, RuntimePlugin};

use crate::acp::AcpAgents;
use crate::agent_loop;
use crate::command::CommandAgents;
use crate::http_inject;
use crate::in_memory::InMemory;
use crate::omw::OmwAgents;
use crate::settings::wrong;

/// The runtime of a configuration under its name. Its settings are checked here; nothing is started.
///
/// `config_dir` is the folder of the configuration file: relative paths in it resolve against that.
///
/// # Errors
/// Kind `Config`, with the field that is wrong.
pub fn plugin(
    name: &str,
    spec: &RuntimeSpec,
    config_dir: &Utf8Path,
) -> Result<Arc<dyn RuntimePlugin>, RuntimeError> {
    Ok(match spec {
        RuntimeSpec::InMemory(spec) => in_memory(name, spec),
        RuntimeSpec::Loop(spec) => agent_loop::plugin(name, spec.clone()),
        RuntimeSpec::Command(spec) => ready(name, CommandAgents::new(name, spec, config_dir)?),
        RuntimeSpec::Omw(spec) => ready(name, OmwAgents::new(name, spec, config_dir)?),
        RuntimeSpec::Acp(spec) => ready(name, AcpAgents::new(name, spec, config_dir)?),
        RuntimeSpec::HttpInject(spec) => http_inject::plugin(name, spec)?,
    })
}

/// The runtimes that exist without any configuration: `loop` and `in_memory`.
pub fn builtin() -> [Arc<dyn RuntimePlugin>; 2] {
    [agent_loop::plugin("loop", LoopRuntime::default()), in_memory("in_memory", &InMemoryRuntime::default())]
}

fn in_memory(name: &str, spec: &InMemoryRuntime) -> Arc<dyn RuntimePlugin> {
    ready(name, InMemory::new(spec))
}

/// The secrets that a runtime's settings take from our environment, for the redactors of its cases.
///
/// # Errors
/// Kind `Config`, with the variable that is not set.
pub fn secrets(name: &str, spec: &RuntimeSpec) -> Result<Vec<Secret>, RuntimeError> {
    match spec {
        RuntimeSpec::InMemory(_) | RuntimeSpec::Omw(_) => Ok(Vec::new()),
        RuntimeSpec::HttpInject(spec) => http_inject::secrets(name, spec),
        RuntimeSpec::Loop(spec) => {
            Ok(std::env::var(&spec.api_key_env).map(Secret::new).into_iter().collect())
        }
        RuntimeSpec::Command(spec) => of_environment(name, &spec.pass_env, &spec.env),
        RuntimeSpec::Acp(spec) => of_environment(name, &spec.pass_env, &spec.env),
    }
}

fn of_environment(
    name: &str,
    pass_env: &[String],
    env: &IndexMap<String, String>,
) -> Result<Vec<Secret>, RuntimeError> {
    let environment = Environment::of(pass_env, env).map_err(|error| wrong(name, &error.to_string()))?;
    Ok(environment.secrets().to_vec())
}

/// A runtime that stands once its settings are checked, for any number of cases at once.
fn ready(name: &str, runtime: impl AgentRuntime + 'static) -> Arc<dyn RuntimePlugin> {
    Arc::new(ReadyPlugin::new(name, Arc::new(runtime)).with_max_concurrency(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loop_and_in_memory_always_exist() {
        let plugins = builtin();
        let names: Vec<&str> = plugins.iter().map(|plugin| plugin.name()).collect();
        assert_eq!(names, ["loop", "in_memory"]);
        assert!(plugins.iter().all(|plugin| plugin.max_concurrency() > 1));
    }

    #[test]
    fn the_secrets_of_a_command_are_those_of_its_variables() {
        let spec: RuntimeSpec = serde_json::from_value(serde_json::json!({
            "command": {"command": ["sh"], "env": {"KEY": "k-${CARGO_PKG_NAME}", "MODE": "test"}},
        }))
        .unwrap();
        assert_eq!(secrets("bot", &spec).unwrap(), [Secret::new("windtunnel-runtimes")]);
    }
}
