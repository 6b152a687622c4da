//! `[endpoint]` of the kind `openai`.

use std::net::SocketAddr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

/// Where clients reach the agents.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "OpenAI endpoint")]
pub struct OpenAiEndpointParams {
    /// The address to listen on, such as `127.0.0.1:8080`; with port 0 it is any free one, which the log names.
    #[serde(deserialize_with = "address")]
    #[schemars(with = "String")]
    pub listen: SocketAddr,
    /// Whether `listen` may be an address that other machines reach. Nobody is asked for a key.
    #[serde(default)]
    pub allow_remote: bool,
}

impl OpenAiEndpointParams {
    /// Listening on an address of this machine.
    pub fn on(listen: SocketAddr) -> Self {
        Self { listen, allow_remote: false }
    }
}

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| {
        serde::de::Error::custom(format!(
            "expected an IP address and a port, such as 127.0.0.1:8080, found \"{text}\"{}",
            if text.starts_with("localhost:") { "; write 127.0.0.1 for localhost" } else { "" }
        ))
    })
}
