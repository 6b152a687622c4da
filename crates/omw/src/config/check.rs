//! What is wrong with a config whose values are all of the right type.

use indexmap::IndexMap;
use windtunnel_doc::{Diagnostics, Fault, Path, nearest};

use super::{BackendConfig, Config};
use crate::registry::{Kinds, Registries};

/// The kinds of runtimes that know the parameters below.
const SCRIPT_KINDS: [&str; 4] = ["rhai", "js", "python", "wasm"];

/// What the script runtimes may be given. Scripts run without any of it; configs that are shared with programs that sandbox their
/// scripts in WebAssembly have it.
pub(super) const RUNTIME_PARAMS: [&str; 18] = [
    "inherit_stdio",
    "inherit_stdin",
    "inherit_stdout",
    "inherit_stderr",
    "inherit_env",
    "env",
    "inherit_args",
    "args",
    "initial_cwd",
    "preopens",
    "allow_blocking_current_thread",
    "insecure_random_seed",
    "max_random_size",
    "allow_ip_name_lookup",
    "allow_udp",
    "allow_tcp",
    "inherit_network",
    "interpreter",
];

impl Config {
    /// Says whether the config can be run with these kinds of back ends and runtimes.
    ///
    /// # Errors
    /// Every unknown kind, and what [`load`](super::load) refuses too: agents whose runtime there is none of, empty names, bounds that
    /// make no sense.
    pub fn check(&self, registries: &Registries) -> Result<(), Diagnostics> {
        let mut faults = self.faults();
        let Registries { providers, tooling, endpoints, runtimes } = registries;
        unknown_kinds(&mut faults, "providers", "provider", &self.providers, providers);
        unknown_kinds(&mut faults, "tooling", "tooling", &self.tooling, tooling);
        unknown_kinds(&mut faults, "runtime", "runtime", &self.runtimes, runtimes);
        if let Some(endpoint) = &self.endpoint {
            faults.extend(unknown_kind("the endpoint", &Path::root().then("endpoint"), endpoint, endpoints));
        }
        if faults.is_empty() { Ok(()) } else { Err(self.origin.diagnostics(faults)) }
    }

    /// What is wrong whatever kinds there are.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (name, agent) in &self.agents {
            let at = Path::root().then("agents").then(name.as_str());
            if !self.runtimes.contains_key(&agent.runtime) {
                faults.push(self.unknown_runtime(name, &agent.runtime, at.clone().then("runtime")));
            }
            if agent.script.as_str().is_empty() {
                faults.push(Fault::new(at.then("script"), "an agent needs the file of a script"));
            }
        }
        empty_name(&mut faults, "agents", "an agent", &self.agents);
        empty_name(&mut faults, "providers", "a provider", &self.providers);
        empty_name(&mut faults, "tooling", "tooling", &self.tooling);
        empty_name(&mut faults, "runtime", "a runtime", &self.runtimes);
        faults.extend(self.tunables.faults());
        faults
    }

    fn unknown_runtime(&self, agent: &str, runtime: &str, at: Path) -> Fault {
        let fault = Fault::new(at, format!("agent {agent:?} references unknown runtime {runtime:?}"));
        let known = self.runtimes.keys().map(String::as_str);
        match nearest(runtime, known.clone()) {
            Some(known) => fault.with_help(format!("did you mean {known:?}?")),
            None if self.runtimes.is_empty() => {
                fault.with_help(format!("there is none; add [runtime.{runtime}] with kind = \"rhai\""))
            }
            None => fault.with_help(format!("there are {}", known.collect::<Vec<_>>().join(", "))),
        }
    }

    /// What is written for nothing: parameters that no script runtime knows, and memory of agents that there are none of.
    pub(super) fn useless(&self) -> Vec<Fault> {
        let mut useless = Vec::new();
        for (name, runtime) in &self.runtimes {
            if !SCRIPT_KINDS.contains(&runtime.kind.as_str()) {
                continue;
            }
            for key in runtime.params.keys().filter(|key| !RUNTIME_PARAMS.contains(key)) {
                let at = Path::root().then("runtime").then(name.as_str()).then(key);
                let fault = Fault::new(at, format!("unknown field {key:?}; it is ignored")).at_key();
                useless.push(match nearest(key, RUNTIME_PARAMS) {
                    Some(known) => fault.with_help(format!("did you mean {known:?}?")),
                    None => fault
                        .with_help(format!("a runtime of the kind {:?} needs no parameters", runtime.kind)),
                });
            }
        }
        for agent in self.memory.keys().filter(|agent| !self.agents.contains_key(*agent)) {
            let at = Path::root().then("memory").then(agent.as_str());
            let fault =
                Fault::new(at, format!("there is no agent {agent:?}; its memory is ignored")).at_key();
            useless.push(match nearest(agent, self.agents.keys().map(String::as_str)) {
                Some(known) => fault.with_help(format!("did you mean {known:?}?")),
                None => fault,
            });
        }
        useless
    }
}

fn empty_name<T>(faults: &mut Vec<Fault>, table: &str, what: &str, entries: &IndexMap<String, T>) {
    if entries.contains_key("") {
        faults.push(Fault::new(Path::root().then(table).then(""), format!("{what} needs a name")).at_key());
    }
}

fn unknown_kinds<T: ?Sized>(
    faults: &mut Vec<Fault>,
    table: &str,
    what: &str,
    backends: &IndexMap<String, BackendConfig>,
    kinds: &Kinds<T>,
) {
    for (name, backend) in backends {
        let at = Path::root().then(table).then(name.as_str());
        faults.extend(unknown_kind(&format!("{what} {name:?}"), &at, backend, kinds));
    }
}

fn unknown_kind<T: ?Sized>(
    what: &str,
    at: &Path,
    backend: &BackendConfig,
    kinds: &Kinds<T>,
) -> Option<Fault> {
    let kind = backend.kind.as_str();
    if kinds.get(kind).is_some() {
        return None;
    }
    let known: Vec<&str> = kinds.names().collect();
    let expected = match known.as_slice() {
        [] => "none is built in".to_owned(),
        [known] => format!("expected {known}"),
        known => format!("expected one of {}", known.join(", ")),
    };
    let fault =
        Fault::new(at.clone().then("kind"), format!("{what} has the unknown kind {kind:?}; {expected}"));
    Some(match nearest(kind, known) {
        Some(known) => fault.with_help(format!("did you mean {known:?}?")),
        None => fault,
    })
}
