//! What a test has in common with the deployment.

use serde_json::{Map, Value};
use windtunnel_api::secret::Redactor;
use windtunnel_doc::Path;

use super::render;
use crate::config::{Config, Tunables};
use crate::host::trace::to_value;

/// The runtimes with all their parameters, but for the values of environment variables.
pub(super) fn runtimes(config: &Config, warnings: &mut Vec<String>) -> Value {
    let tables = config.runtimes.iter().map(|(name, runtime)| {
        let mut table = Map::from_iter([("kind".to_owned(), Value::from(&*runtime.kind))]);
        if let Value::Object(params) = runtime.params.value() {
            table.extend(params.clone());
        }
        if let Some(Value::Object(variables)) = table.get_mut("env")
            && !variables.is_empty()
        {
            let names: Vec<_> = variables.keys().cloned().collect();
            variables.values_mut().for_each(|value| *value = Value::from(""));
            warnings.push(format!(
                "runtime.{name}.env: the values of {} are left out, since they may be secret",
                names.join(", ")
            ));
        }
        (name.clone(), Value::Object(table))
    });
    Value::Object(tables.collect())
}

/// The agents, with their scripts as they were written.
pub(super) fn agents(config: &Config) -> Value {
    let tables = config.agents.iter().map(|(name, agent)| {
        let place = Path::root().then("agents").then(name.as_str()).then("script");
        let script = config.origin.written(&place).filter(Value::is_string);
        let script = script.unwrap_or_else(|| Value::from(agent.script.as_str()));
        let table = [("runtime".to_owned(), Value::from(&*agent.runtime)), ("script".to_owned(), script)];
        (name.clone(), Value::Object(Map::from_iter(table)))
    });
    Value::Object(tables.collect())
}

/// The seeds, as they were written where that means the same.
pub(super) fn memory(config: &Config, redactor: &Redactor, warnings: &mut Vec<String>) -> Value {
    let tables = config.memory.iter().map(|(agent, seeds)| {
        let seeds = seeds.iter().map(|(key, text)| {
            if redactor.text(text) != *text {
                warnings.push(format!(
                    "memory.{agent}.{key} holds a secret of this config, and is copied as it is"
                ));
            }
            let place = Path::root().then("memory").then(agent.as_str()).then(key.as_str());
            let written = config.origin.written(&place).filter(|written| is_seed(written, text));
            (key.clone(), written.unwrap_or_else(|| Value::from(&**text)))
        });
        (agent.clone(), Value::Object(seeds.collect()))
    });
    Value::Object(tables.collect())
}

/// Whether TOML can hold a value from which the seed comes.
fn is_seed(written: &Value, text: &str) -> bool {
    match written {
        Value::String(written) => written == text,
        Value::Null => false,
        other => {
            let json = other.to_string();
            json == text && render::is_kept(other)
        }
    }
}

/// The tunables that were set.
pub(super) fn tunables(config: &Config) -> Value {
    let (Value::Object(set), default) = (to_value(&config.tunables), to_value(Tunables::default())) else {
        return Value::Null;
    };
    let is_set = |name: &str, value: &Value| {
        default.get(name) != Some(value)
            || config.origin.written(&Path::root().then("tunables").then(name)).is_some()
    };
    Value::Object(set.into_iter().filter(|(name, value)| is_set(name, value)).collect())
}
