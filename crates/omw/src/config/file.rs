//! A config as it is written.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use windtunnel_doc::{Format, Node, NodeValue, Path};

use super::{AgentConfig, BackendConfig, Config, Origin, Params, Tunables};

/// What agents there are, and what they reach.
///
/// Of back ends only the kind is known here; [`schema`](super::schema) adds the parameters.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "omw config")]
pub(super) struct File {
    /// The agents by name.
    agents: IndexMap<String, AgentConfig>,
    /// The models that agents chat with, by the name that scripts use.
    providers: IndexMap<String, Backend>,
    /// The tool servers that agents call, by the name that scripts use.
    tooling: IndexMap<String, Backend>,
    /// What runs scripts, by the name that agents refer to.
    runtime: IndexMap<String, Backend>,
    /// Where clients reach agents as if they were models.
    endpoint: Option<Backend>,
    /// What agents remember before they first run: by agent, then by key. Values that are no strings are kept as their JSON.
    memory: IndexMap<String, IndexMap<String, Value>>,
    /// Timings, bounds and back-offs.
    tunables: Tunables,
}

/// A back end or a runtime; the rest of it is up to the kind.
#[derive(Default, Deserialize, JsonSchema)]
#[schemars(inline)]
struct Backend {
    kind: String,
}

impl File {
    /// The config, with the parameters of back ends taken from the tree that this was decoded from.
    pub(super) fn into_config(self, tree: Node, format: Format, origin: Origin) -> Config {
        let mut tree = Tree { tables: entries(tree), format, origin };
        let endpoint = self.endpoint.zip(tree.take("endpoint"));
        Config {
            agents: self.agents,
            providers: tree.backends("providers", self.providers),
            tooling: tree.backends("tooling", self.tooling),
            runtimes: tree.backends("runtime", self.runtime),
            endpoint: endpoint
                .map(|(backend, node)| tree.backend(backend, node, Path::root().then("endpoint"))),
            memory: self.memory.into_iter().map(|(agent, seeds)| (agent, texts(seeds))).collect(),
            tunables: self.tunables,
            origin: tree.origin,
        }
    }
}

fn texts(seeds: IndexMap<String, Value>) -> IndexMap<String, String> {
    let text = |value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    seeds.into_iter().map(|(key, value)| (key, text(value))).collect()
}

fn entries(node: Node) -> IndexMap<String, Node> {
    match node.value {
        NodeValue::Map(entries) => entries.into_iter().map(|(key, node)| (key.name, node)).collect(),
        _ => IndexMap::new(),
    }
}

/// The tree of a config, from which tables are taken one by one.
struct Tree {
    tables: IndexMap<String, Node>,
    format: Format,
    origin: Origin,
}

impl Tree {
    fn take(&mut self, table: &str) -> Option<Node> {
        self.tables.swap_remove(table)
    }

    fn backends(&mut self, table: &str, kinds: IndexMap<String, Backend>) -> IndexMap<String, BackendConfig> {
        let mut nodes = self.take(table).map(entries).unwrap_or_default();
        let at = Path::root().then(table);
        kinds
            .into_iter()
            .filter_map(|(name, backend)| {
                let node = nodes.swap_remove(&name)?;
                let config = self.backend(backend, node, at.clone().then(name.as_str()));
                Some((name, config))
            })
            .collect()
    }

    fn backend(&self, Backend { kind }: Backend, mut node: Node, at: Path) -> BackendConfig {
        if let NodeValue::Map(entries) = &mut node.value {
            entries.retain(|(key, _)| key.name != "kind");
        }
        BackendConfig { kind, params: Params::new(node, self.format, self.origin.clone(), at) }
    }
}
