//! The fields of `wt.toml`, as data.

use camino::Utf8PathBuf;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scenario::permission::PermissionAnswer;

/// The contents of `wt.toml`, found from the working folder upward.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Wind Tunnel configuration")]
pub struct Config {
    /// The runtime of packs that name none; `loop` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_runtime: Option<String>,
    /// Where runs are stored; `runs` without it. Relative to this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub runs_dir: Option<Utf8PathBuf>,
    /// How many cases run side by side where the runtime allows it; the number of cores without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<usize>,
    /// Time limits.
    #[serde(default)]
    pub timeouts: Timeouts,
    /// The runtimes of the project, by name.
    #[serde(default)]
    pub runtimes: IndexMap<String, RuntimeSpec>,
}

/// Time limits, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Timeouts {
    /// Starting a tool server or an agent.
    pub start_s: f64,
    /// One turn of the agent.
    pub turn_s: f64,
    /// One case, everything included.
    pub case_s: f64,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { start_s: 30.0, turn_s: 120.0, case_s: 300.0 }
    }
}

/// A runtime: what drives the agent under test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(tag = "kind")]
pub enum RuntimeSpec {
    /// A stub without a loop, for learning the scoring; not reference-capable.
    InMemory(InMemoryRuntime),
    /// An agent loop in this process: system prompt, model, MCP tools.
    Loop(LoopRuntime),
    /// Any program.
    Command(CommandRuntime),
    /// The agents of an `omw.toml`, in this process.
    Omw(OmwRuntime),
    /// An agent behind an endpoint that takes turns over HTTP.
    HttpInject(HttpInjectRuntime),
    /// A program that speaks the Agent Client Protocol on its standard input and output.
    Acp(AcpRuntime),
}

impl RuntimeSpec {
    /// The kind as it is written in files.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::InMemory(_) => "in_memory",
            Self::Loop(_) => "loop",
            Self::Command(_) => "command",
            Self::Omw(_) => "omw",
            Self::HttpInject(_) => "http_inject",
            Self::Acp(_) => "acp",
        }
    }
}

/// Settings of the `in_memory` runtime.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InMemoryRuntime {
    /// What it answers every turn; without it, it repeats the user's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
}

/// Settings of the `loop` runtime.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LoopRuntime {
    /// The system message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// The model's name; `OPENAI_MODEL` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// An OpenAI-compatible base URL, with `/v1`; `OPENAI_BASE_URL` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The variable that holds the key; none has to be set.
    pub api_key_env: String,
    /// The most model requests of one turn.
    pub max_steps: usize,
}

impl Default for LoopRuntime {
    fn default() -> Self {
        Self {
            system_prompt: None,
            model: None,
            base_url: None,
            api_key_env: "OPENAI_API_KEY".to_owned(),
            max_steps: 50,
        }
    }
}

/// Settings of the `command` runtime.
///
/// Arguments of `command` may hold `{prompt}` (with `prompt = "arg"`), `{base_url}`, `{api_key}`, `{config_file}`, and `{mcp_url}` or
/// `{mcp_url:<server>}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandRuntime {
    /// Program and arguments; never a shell. Relative programs with a slash resolve against this file.
    pub command: Vec<String>,
    /// The working folder, relative to this file; the case's workspace without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub cwd: Option<Utf8PathBuf>,
    /// Variables added to the allowed environment (PATH, HOME, LANG, TMPDIR, TERM); `${NAME}` takes one of ours, as a secret.
    #[serde(default)]
    pub env: IndexMap<String, String>,
    /// Names of our variables that are passed on.
    #[serde(default)]
    pub pass_env: Vec<String>,
    /// How it is installed, for whoever does not have it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub install: Option<Install>,
    /// How a user turn goes in.
    #[serde(default)]
    pub prompt: PromptVia,
    /// How the answer comes out.
    #[serde(default)]
    pub reply: ReplyVia,
    /// Where the model endpoint goes; without it the agent cannot be self-tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inference: Option<InferenceVia>,
    /// Where the tool servers go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<ToolsVia>,
    /// Seconds for one turn; `timeouts.turn_s` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_timeout_s: Option<f64>,
    /// Answers to requests that are not part of the script, such as titles and summaries.
    #[serde(default)]
    pub aside: Vec<Aside>,
}

/// Settings of the `omw` runtime.
///
/// Each user turn is a request to the endpoint, for the model that the agent under test serves. In a self-test every provider of the
/// config is the scripted model; in any run, `[tooling.<name>]` is the pack's tool server of that name, behind its recorder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OmwRuntime {
    /// The config, relative to this file.
    #[serde(default = "omw_toml")]
    #[schemars(with = "String")]
    pub config: Utf8PathBuf,
    /// The model name that the agent under test serves with `subscribe_endpoint`.
    pub model: String,
}

fn omw_toml() -> Utf8PathBuf {
    Utf8PathBuf::from("omw.toml")
}

/// Settings of the `http_inject` runtime.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpInjectRuntime {
    /// Where the endpoint is; `/wt/inject` and the other routes are below it.
    pub url: String,
    /// Headers of every request; `${NAME}` takes a variable of ours, as a secret that is never printed or saved.
    #[serde(default)]
    pub headers: IndexMap<String, String>,
    /// Seconds for one turn; `timeouts.turn_s` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_timeout_s: Option<f64>,
    /// How many cases the endpoint takes side by side. Above 1 every request says its `case_id`, and the endpoint keeps the
    /// sessions, tools and decisions of each case apart.
    #[serde(default = "one_case")]
    pub max_concurrency: usize,
}

impl HttpInjectRuntime {
    /// An endpoint at this address, for one case at a time.
    pub fn at(url: impl Into<String>) -> Self {
        Self { url: url.into(), headers: IndexMap::new(), turn_timeout_s: None, max_concurrency: one_case() }
    }
}

fn one_case() -> usize {
    1
}

/// Settings of the `acp` runtime.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcpRuntime {
    /// Program and arguments; never a shell. Relative programs with a slash resolve against this file. Arguments may hold
    /// `{base_url}`, `{api_key}`, `{config_file}`, and `{mcp_url}` or `{mcp_url:<server>}`.
    pub command: Vec<String>,
    /// The working folder of the process, relative to this file; the case's workspace without it. The session's is always the
    /// workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub cwd: Option<Utf8PathBuf>,
    /// Variables added to the allowed environment (PATH, HOME, LANG, TMPDIR, TERM); `${NAME}` takes one of ours, as a secret.
    #[serde(default)]
    pub env: IndexMap<String, String>,
    /// Names of our variables that are passed on.
    #[serde(default)]
    pub pass_env: Vec<String>,
    /// How it is installed, for whoever does not have it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub install: Option<Install>,
    /// Where the model endpoint goes; without it the agent cannot be self-tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inference: Option<InferenceVia>,
    /// Where the tool servers go besides the session, which always names them; its `config_file` is for agents that read their
    /// model endpoint from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<ToolsVia>,
    /// The login that the agent is asked for before a session, by the id that it offers it under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_method: Option<String>,
    /// The answer to permission requests that no rule of the scenario matches.
    #[serde(default)]
    pub permission: PermissionAnswer,
    /// Seconds for one turn; `timeouts.turn_s` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_timeout_s: Option<f64>,
    /// Answers to requests that are not part of the script, such as titles and summaries.
    #[serde(default)]
    pub aside: Vec<Aside>,
}

/// How an agent is installed. It is never done here: where the agent is missing, this is said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// The file or folder that is there once it is installed, relative to this file.
    #[schemars(with = "String")]
    pub makes: Utf8PathBuf,
    /// The command that installs it, as it is typed in the folder of this file.
    pub command: String,
}

/// How a user turn reaches a program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptVia {
    /// On standard input, closed after it; one process per turn.
    #[default]
    Stdin,
    /// As `{prompt}` in the arguments; one process per turn.
    Arg,
    /// As a JSON line; the process stays for the whole case.
    Jsonl,
}

/// How a program's answer is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplyVia {
    /// All of standard output, without the white space around it.
    #[default]
    Stdout,
    /// A JSON line per turn.
    Jsonl,
}

/// Where a program is told its model endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InferenceVia {
    /// The wire that the program speaks.
    #[serde(default)]
    pub wire: Wire,
    /// The variable that gets the base URL; `{base_url}` in the arguments works too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url_env: Option<String>,
    /// The variable that gets a placeholder key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// The base URL of the real model, which live runs ask through us so that what is asked is witnessed: `https://api.openai.com/v1`.
    /// Without it, what the variable of `base_url_env` holds, or what the provider's own clients take where it is not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upstream: Option<String>,
}

/// A provider's wire protocol.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Wire {
    /// OpenAI Chat Completions.
    #[default]
    #[serde(rename = "openai-chat")]
    OpenAiChat,
    /// OpenAI Responses, over HTTP.
    #[serde(rename = "openai-responses")]
    OpenAiResponses,
    /// Anthropic Messages.
    #[serde(rename = "anthropic-messages")]
    AnthropicMessages,
}

impl Wire {
    /// The name as it is written in files and in evidence.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::AnthropicMessages => "anthropic-messages",
        }
    }
}

/// Where a program is told its tool servers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolsVia {
    /// The variable that gets the URL of the tool server, where there is exactly one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url_env: Option<String>,
    /// Variables that get the URL of one server each: variable to server name.
    #[serde(default)]
    pub url_envs: IndexMap<String, String>,
    /// A configuration file made from a template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_file: Option<ConfigFileVia>,
}

/// A configuration file made from a template for each case.
///
/// The template sees `servers` (a list of `{name, url, bridge}`, `bridge` being an argv that speaks stdio), `base_url`,
/// `api_key` and `workspace`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfigFileVia {
    /// The variable that gets the file's path; `{config_file}` in the arguments works too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<String>,
    /// The variable that gets the file's folder, for programs that have a home of their own. It is fresh for each case, and holds
    /// nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_env: Option<String>,
    /// The template's file, relative to this file.
    #[schemars(with = "String")]
    pub template: Utf8PathBuf,
}

/// An answer to requests that are not part of the script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Aside {
    /// A pattern over the request body.
    pub pattern: Value,
    /// What is answered.
    pub content: String,
}
