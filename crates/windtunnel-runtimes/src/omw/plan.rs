//! What one case changes in a config: where its models and its tools are.

use std::sync::Arc;

use ::omw::config::{BackendConfig, Config, Params};
use serde_json::json;
use windtunnel_spi::{RuntimeError, RuntimeErrorKind, ToolHandle};

use super::door;

/// The key that providers get for the scripted model, which takes any.
const API_KEY: &str = "sk-windtunnel-scripted";

/// The config with the bench in place of the world. Without a base URL the providers stay what they are.
pub(super) async fn for_case(
    config: &Config,
    base_url: Option<&str>,
    tools: &[Arc<dyn ToolHandle>],
) -> Result<Config, RuntimeError> {
    let mut config = config.clone();
    if let Some(base_url) = base_url {
        for provider in config.providers.values_mut() {
            *provider = backend("openai", json!({"base_url": base_url, "api_key": API_KEY}));
        }
    }
    for (name, tooling) in &mut config.tooling {
        let Some(handle) = tools.iter().find(|handle| handle.server() == name) else {
            return Err(missing(name, tools));
        };
        let url = handle.url().await.map_err(|error| {
            RuntimeError::new(RuntimeErrorKind::Start, error.to_string()).with_source(error)
        })?;
        *tooling = backend("mcp", json!({"transport": "http", "url": url}));
    }
    config.endpoint = Some(backend(door::KIND, json!({})));
    Ok(config)
}

fn backend(kind: &str, params: serde_json::Value) -> BackendConfig {
    BackendConfig { kind: kind.to_owned(), params: Params::of_value(params) }
}

fn missing(tooling: &str, tools: &[Arc<dyn ToolHandle>]) -> RuntimeError {
    let served: Vec<&str> = tools.iter().map(|handle| handle.server()).collect();
    let served = if served.is_empty() { "none".to_owned() } else { served.join(", ") };
    RuntimeError::new(
        RuntimeErrorKind::Config,
        format!(
            "the config has [tooling.{tooling}], but the pack has no tool server of that name (it has {served}): add \
             [tools.{tooling}] to its pack.toml"
        ),
    )
}
