//! The parameters of `kind = "mcp"`.

use std::time::Duration;

use camino::Utf8PathBuf;
use indexmap::IndexMap;
use reqwest::Url;
use schemars::JsonSchema;
use serde::Deserialize;
use windtunnel_api::Secret;
use windtunnel_doc::{Diagnostics, Fault, Path, nearest};

use crate::config::Params;

/// What `[tooling.<name>]` with `kind = "mcp"` takes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct McpParams {
    /// How the server is reached.
    pub transport: McpTransport,
    /// With `stdio`: the program that is started; a bare name is looked for in PATH.
    pub command: Option<String>,
    /// With `stdio`: its arguments.
    #[serde(default)]
    pub args: Vec<Secret>,
    /// With `stdio`: variables of its environment, beside those of this program.
    #[serde(default)]
    pub env: IndexMap<String, Secret>,
    /// With `stdio`: the folder it runs in; by default the current one.
    pub cwd: Option<String>,
    /// With `http`: the address of its streamable HTTP endpoint.
    pub url: Option<Secret>,
    /// With `http`: the bearer token.
    pub auth_token: Option<Secret>,
    /// The longest that one request may take, in seconds; 0 is no limit.
    #[serde(default = "default_timeout")]
    pub timeout_secs: u64,
}

/// How an MCP server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum McpTransport {
    /// It is a program that is started here and spoken to over its standard streams.
    Stdio,
    /// It is somewhere on the network.
    Http,
}

fn default_timeout() -> u64 {
    300
}

/// The keys that only one of the transports has a use for.
const OF_STDIO: [&str; 4] = ["command", "args", "env", "cwd"];
const OF_HTTP: [&str; 2] = ["url", "auth_token"];
const OF_BOTH: [&str; 2] = ["transport", "timeout_secs"];

/// Where a server is, checked.
pub(super) enum Target {
    Stdio { command: String, args: Vec<Secret>, env: IndexMap<String, Secret>, cwd: Option<Utf8PathBuf> },
    Http { url: Url, auth_token: Option<Secret> },
}

/// What was asked for, checked.
pub(super) struct Settings {
    pub(super) target: Target,
    /// The longest that one request may take.
    pub(super) timeout: Option<Duration>,
}

impl Settings {
    /// Decodes and checks parameters; those that mean nothing are warned of.
    pub(super) fn read(params: &Params) -> Result<Self, Diagnostics> {
        let decoded: McpParams = params.decode()?;
        warn_of_unused(params, decoded.transport);
        let timeout = (decoded.timeout_secs > 0).then(|| Duration::from_secs(decoded.timeout_secs));
        let fault = |key: &str, message: &str| Fault::new(Path::root().then(key), message);
        let target = match decoded.transport {
            McpTransport::Stdio => match decoded.command.filter(|command| !command.is_empty()) {
                Some(command) => Ok(Target::Stdio {
                    command,
                    args: decoded.args,
                    env: decoded.env,
                    cwd: decoded.cwd.map(Utf8PathBuf::from),
                }),
                None => Err(fault("command", "transport \"stdio\" needs the program to start, as `command`")),
            },
            McpTransport::Http => match decoded.url.as_ref().map(|url| Url::parse(url.expose())) {
                Some(Ok(url)) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
                    Ok(Target::Http { url, auth_token: decoded.auth_token })
                }
                Some(_) => Err(fault("url", "expected an address like \"https://tools.example/mcp\"")),
                None => Err(fault("url", "transport \"http\" needs the server's address, as `url`")),
            },
        };
        match target {
            Ok(target) => Ok(Self { target, timeout }),
            Err(fault) => {
                let name = "the parameters of an mcp tooling";
                Err(params
                    .diagnose(vec![fault.clone()])
                    .err()
                    .unwrap_or_else(|| Diagnostics::of_value(name, vec![fault])))
            }
        }
    }
}

fn warn_of_unused(params: &Params, transport: McpTransport) {
    let (used, other, word) = match transport {
        McpTransport::Stdio => (OF_STDIO.as_slice(), OF_HTTP.as_slice(), "stdio"),
        McpTransport::Http => (OF_HTTP.as_slice(), OF_STDIO.as_slice(), "http"),
    };
    for key in params.keys().filter(|key| !used.contains(key) && !OF_BOTH.contains(key)) {
        if other.contains(&key) {
            tracing::warn!("mcp tooling: `{key}` means nothing with transport \"{word}\" and is ignored");
        } else {
            let known = used.iter().chain(&OF_BOTH).copied();
            let hint =
                nearest(key, known).map_or_else(String::new, |known| format!("; did you mean `{known}`?"));
            tracing::warn!("mcp tooling: `{key}` is not known and is ignored{hint}");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(params: Value) -> Result<Settings, String> {
        Settings::read(&Params::of_value(params)).map_err(|faults| faults.to_string())
    }

    #[test]
    fn each_transport_says_what_it_needs() {
        let needs = |params: Value, what: &str| {
            let error = read(params).err().unwrap();
            assert!(error.contains(what), "{error}");
        };
        needs(json!({}), "transport");
        needs(json!({"transport": "sse"}), "expected one of stdio, http");
        needs(json!({"transport": "stdio", "command": ""}), "needs the program to start, as `command`");
        needs(json!({"transport": "http"}), "needs the server's address, as `url`");
        needs(json!({"transport": "http", "url": "tools.example"}), "expected an address like");
        needs(json!({"transport": "http", "url": "file:///etc"}), "expected an address like");
    }

    #[test]
    fn zero_seconds_is_no_limit() {
        let timeout = |secs: Value| {
            read(json!({"transport": "stdio", "command": "x", "timeout_secs": secs})).unwrap().timeout
        };
        assert_eq!((timeout(json!(0)), timeout(json!(2))), (None, Some(Duration::from_secs(2))));
    }

    #[test]
    fn a_key_that_means_nothing_is_no_error() {
        read(json!({"transport": "stdio", "command": "x", "url": "http://h.test", "comand": "y"})).unwrap();
    }

    #[test]
    fn nothing_secret_is_printed() {
        let params = json!({
            "transport": "stdio", "command": "x", "args": ["canary-1"], "env": {"A": "canary-2"},
        });
        let http = json!({"transport": "http", "url": "http://canary-3@h.test/?k=canary-4", "auth_token": "canary-5"});
        for params in [params, http] {
            let decoded: McpParams = serde_json::from_value(params).unwrap();
            assert!(!format!("{decoded:?}").contains("canary"), "{decoded:?}");
        }
    }

    #[test]
    fn the_keys_are_those_of_the_schema() {
        let schema = schemars::schema_for!(McpParams);
        let mut of_schema: Vec<_> =
            schema.get("properties").unwrap().as_object().unwrap().keys().cloned().collect();
        let mut known: Vec<_> =
            OF_STDIO.iter().chain(&OF_HTTP).chain(&OF_BOTH).map(|key| (*key).to_owned()).collect();
        of_schema.sort();
        known.sort();
        assert_eq!(known, of_schema);
    }
}
