//! The shape of a config.

use camino::Utf8PathBuf;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Origin, Params, Tunables};

/// The tables of a config; whatever else stands at the top level is a section of somebody else's.
pub(super) const TABLES: [&str; 7] =
    ["agents", "providers", "tooling", "runtime", "endpoint", "memory", "tunables"];

/// A loaded config. Scripts are absolute.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The agents by name.
    pub agents: IndexMap<String, AgentConfig>,
    /// `[providers.<name>]`.
    pub providers: IndexMap<String, BackendConfig>,
    /// `[tooling.<name>]`.
    pub tooling: IndexMap<String, BackendConfig>,
    /// `[runtime.<name>]`.
    pub runtimes: IndexMap<String, BackendConfig>,
    /// `[endpoint]`.
    pub endpoint: Option<BackendConfig>,
    /// `[memory.<agent>]`: seeds; values that are no strings are their compact JSON.
    pub memory: IndexMap<String, IndexMap<String, String>>,
    /// `[tunables]`.
    pub tunables: Tunables,
    /// Where all this was written.
    pub origin: Origin,
}

/// One agent.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentConfig {
    /// The runtime that loads the script: a name under `[runtime]`.
    pub runtime: String,
    /// The file of the script. A relative path starts at the folder of the config.
    #[schemars(with = "String")]
    pub script: Utf8PathBuf,
}

/// A back end or a runtime: its kind and the parameters of that kind.
#[derive(Debug, Clone)]
pub struct BackendConfig {
    /// The kind.
    pub kind: String,
    /// The parameters.
    pub params: Params,
}
