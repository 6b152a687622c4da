//! The fields of `pack.toml`, as data.

use camino::Utf8PathBuf;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A pack as it was found on disk, or built in Rust.
#[derive(Debug, Clone, PartialEq)]
pub struct Pack {
    /// What `pack.toml` says.
    pub manifest: PackManifest,
    /// The folder that relative paths and commands of the manifest resolve against.
    pub dir: Utf8PathBuf,
}

impl Pack {
    /// The pack's name.
    pub fn name(&self) -> &str {
        &self.manifest.name
    }
}

/// The contents of `pack.toml`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Wind Tunnel pack")]
pub struct PackManifest {
    /// Selectable with `--pack`.
    pub name: String,
    /// Selectable with `--owner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Tags of every scenario in the pack, selectable with `--tag`.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The default runtime of the pack; `--runtime` wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Tool servers that the bench starts, records and stops, by name.
    #[serde(default)]
    pub tools: IndexMap<String, ToolSpec>,
    /// What the workspace of every run starts from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<WorkspaceSpec>,
    /// State probes, by the name of their observation.
    #[serde(default)]
    pub probe: IndexMap<String, ProbeSpec>,
}

/// The workspace that every run starts from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceSpec {
    /// A folder, relative to the pack, copied into a fresh folder before every run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub files: Option<Utf8PathBuf>,
}

/// A tool server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(tag = "kind")]
pub enum ToolSpec {
    /// Built in: read, write, list and delete files inside the workspace of the case.
    Workspace(WorkspaceTools),
    /// An MCP server started as a child process.
    Stdio(StdioTools),
    /// A streamable-HTTP MCP server that is already running; its freshness is its owner's.
    Http(HttpTools),
    /// Recorded calls, served again.
    Universe(UniverseTools),
}

impl ToolSpec {
    /// Declared effect classes by tool name.
    pub fn effects(&self) -> &IndexMap<String, EffectClass> {
        match self {
            Self::Workspace(tools) => &tools.effects,
            Self::Stdio(tools) => &tools.effects,
            Self::Http(tools) => &tools.effects,
            Self::Universe(tools) => &tools.effects,
        }
    }
}

/// The built-in tools over the workspace: `read_file`, `write_file`, `list_files`, `delete_file`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceTools {
    /// Effect classes by tool, over the MCP annotations.
    #[serde(default)]
    pub effects: IndexMap<String, EffectClass>,
}

/// An MCP server over stdio.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StdioTools {
    /// Program and arguments; never a shell. The working folder is the pack's.
    pub command: Vec<String>,
    /// Variables added to the allowed environment; `${NAME}` takes one of ours, as a secret.
    #[serde(default)]
    pub env: IndexMap<String, String>,
    /// Names of our variables that are passed on.
    #[serde(default)]
    pub pass_env: Vec<String>,
    /// Effect classes by tool, over the MCP annotations.
    #[serde(default)]
    pub effects: IndexMap<String, EffectClass>,
}

/// An MCP server over streamable HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpTools {
    /// The address of its MCP endpoint.
    pub url: String,
    /// Headers of every request; `${NAME}` takes a variable of ours, as a secret that is never printed or saved.
    #[serde(default)]
    pub headers: IndexMap<String, String>,
    /// Effect classes by tool, over the MCP annotations.
    #[serde(default)]
    pub effects: IndexMap<String, EffectClass>,
}

/// Tools that answer with recorded results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UniverseTools {
    /// The universe file, relative to the pack.
    #[schemars(with = "String")]
    pub file: Utf8PathBuf,
    /// Effect classes by tool, over the annotations in the file.
    #[serde(default)]
    pub effects: IndexMap<String, EffectClass>,
}

/// What a tool does to the world, in rising order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// Changes nothing.
    Read,
    /// Prepares something that a person still has to release.
    Draft,
    /// Changes our own records.
    InternalUpdate,
    /// Reaches somebody outside.
    ExternalSend,
    /// Cannot be undone.
    Destructive,
}

/// A state probe: where the observed state of the world is read from, after the last turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(tag = "kind")]
pub enum ProbeSpec {
    /// The files of the workspace: `{ files = { "<path>" = { text | base64, size } } }`.
    Workspace(WorkspaceProbe),
    /// A program that prints one JSON value.
    Command(CommandProbe),
    /// A URL that answers GET with one JSON value.
    Http(HttpProbe),
    /// The rows of a query: `{ rows = [{ <column> = … }] }`.
    Sqlite(SqliteProbe),
}

/// Which files of the workspace are captured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceProbe {
    /// Globs over paths relative to the workspace; `*` stays within a folder.
    #[serde(default = "everything")]
    pub include: Vec<String>,
    /// Globs of files left out.
    #[serde(default)]
    pub exclude: Vec<String>,
}

impl Default for WorkspaceProbe {
    fn default() -> Self {
        Self { include: everything(), exclude: Vec::new() }
    }
}

fn everything() -> Vec<String> {
    vec!["**".to_owned()]
}

/// A program whose standard output is the observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandProbe {
    /// Program and arguments; never a shell. Runs in the pack's folder with `WT_WORKSPACE` set.
    pub command: Vec<String>,
    /// Program and arguments run before each run, to bring the observed system to its first state.
    #[serde(default)]
    pub reset: Vec<String>,
    /// Variables added to the allowed environment.
    #[serde(default)]
    pub env: IndexMap<String, String>,
    /// Names of our variables that are passed on.
    #[serde(default)]
    pub pass_env: Vec<String>,
}

/// A URL whose answer is the observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpProbe {
    /// Read with GET.
    pub url: String,
    /// Called with POST before each run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset_url: Option<String>,
    /// Headers of both requests; `${NAME}` takes a variable of ours, as a secret.
    #[serde(default)]
    pub headers: IndexMap<String, String>,
}

/// A query whose rows are the observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SqliteProbe {
    /// The database file, opened read only: relative to the pack, or `${WT_WORKSPACE}/…`.
    #[schemars(with = "String")]
    pub file: Utf8PathBuf,
    /// One SELECT statement.
    pub query: String,
}
