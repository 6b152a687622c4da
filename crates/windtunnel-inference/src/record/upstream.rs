//! Where recorded requests go on to.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use reqwest::Url;
use thiserror::Error;
use windtunnel_api::Secret;
use windtunnel_api::config::Wire;

use super::encoded::of_userinfo;

const OPENAI: &str = "https://api.openai.com/v1";
const ANTHROPIC: &str = "https://api.anthropic.com/v1";

/// The variables in which the providers' own clients look for a base URL.
const OF_CLIENTS: [&str; 3] = ["OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL"];

/// A provider: the base URL that a client would have been given.
#[derive(Clone, PartialEq, Eq)]
pub struct Upstream {
    base: Url,
    secrets: Vec<Secret>,
}

impl Upstream {
    /// The provider at this base URL, as clients are given it: `https://gateway.example/v1`. One without a path gets `/v1`.
    ///
    /// `insecure` allows `http` to other machines, which shows keys to everybody on the way.
    ///
    /// # Errors
    /// It is no such URL, or it is not safe to send a key to.
    pub fn parse(text: &str, insecure: bool) -> Result<Self, UpstreamError> {
        let not_one = |reason: String| UpstreamError::NotOne { reason };
        let mut base = Url::parse(text.trim()).map_err(|error| not_one(error.to_string()))?;
        match base.scheme() {
            "https" => {}
            "http" if insecure || windtunnel_http::is_this_machine(&base) => {}
            "http" => return Err(UpstreamError::Insecure { shown: windtunnel_http::shown(&base) }),
            other => return Err(not_one(format!("its scheme is {other:?}"))),
        }
        let secrets = of_userinfo(&base).into_iter().map(Secret::new).collect();
        base.set_fragment(None);
        base.set_query(None);
        let path = base.path().trim_end_matches('/').to_owned();
        base.set_path(if path.is_empty() { "/v1" } else { &path });
        Ok(Self { base, secrets })
    }

    /// The same for a base URL that official Anthropic clients are given, to which they add `/v1` themselves.
    ///
    /// # Errors
    /// As of [`parse`](Self::parse).
    pub fn parse_anthropic(text: &str, insecure: bool) -> Result<Self, UpstreamError> {
        let mut upstream = Self::parse(text, insecure)?;
        if !upstream.base.path().ends_with("/v1") {
            let path = format!("{}/v1", upstream.base.path());
            upstream.base.set_path(&path);
        }
        Ok(upstream)
    }

    /// The address of a path below the version segment.
    pub(super) fn address(&self, rest: &str, query: Option<&str>) -> Url {
        let mut address = self.base.clone();
        address.set_path(&format!("{}/{rest}", self.base.path()));
        address.set_query(query);
        address
    }

    /// Whether it is what listens at this address.
    fn is_at(&self, address: SocketAddr) -> bool {
        let own = address.ip();
        let is_own = |host: IpAddr| {
            host == own
                || (own.is_unspecified() && host.is_loopback())
                || (host.is_unspecified() && own.is_loopback())
        };
        let host = self.base.host_str().unwrap_or_default();
        let is_host = match host.trim_start_matches('[').trim_end_matches(']').parse() {
            Ok(host) => is_own(host),
            Err(_) => host == "localhost" && (own.is_loopback() || own.is_unspecified()),
        };
        is_host && self.base.port_or_known_default() == Some(address.port())
    }

    /// User and password in the address.
    pub(super) fn secrets(&self) -> &[Secret] {
        &self.secrets
    }
}

/// Without what may be secret.
impl fmt::Display for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&windtunnel_http::shown(&self.base))
    }
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Upstream({self})")
    }
}

/// A base URL that nothing is sent to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UpstreamError {
    /// It is no URL, or one of something else.
    #[error(
        "the base URL of the provider is not one ({reason}); expected something like https://api.openai.com/v1"
    )]
    NotOne {
        /// What is wrong with it.
        reason: String,
    },
    /// A key would travel in the open.
    #[error("{shown} is not encrypted and not on this machine: everybody on the way would see the key")]
    Insecure {
        /// The address, without what may be secret.
        shown: String,
    },
}

/// The providers of all wires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstreams {
    /// For the wires of OpenAI, and for what belongs to no wire.
    pub openai: Upstream,
    /// For the wire of Anthropic.
    pub anthropic: Upstream,
}

impl Upstreams {
    /// The providers where these base URLs are, as clients are given them; the public ones without.
    ///
    /// # Errors
    /// One of them is no base URL, or it is not safe to send a key to.
    pub fn of(openai: Option<&str>, anthropic: Option<&str>, insecure: bool) -> Result<Self, UpstreamError> {
        Ok(Self {
            openai: Upstream::parse(openai.unwrap_or(OPENAI), insecure)?,
            anthropic: Upstream::parse_anthropic(anthropic.unwrap_or(ANTHROPIC), insecure)?,
        })
    }

    /// The provider of a program that speaks this wire, at a base URL as its clients are given it, wherever that is: the program itself
    /// would have gone there.
    ///
    /// # Errors
    /// It is no base URL.
    pub fn of_client(wire: Wire, base_url: &str) -> Result<Self, UpstreamError> {
        match wire {
            Wire::AnthropicMessages => Self::of(None, Some(base_url), true),
            Wire::OpenAiChat | Wire::OpenAiResponses => Self::of(Some(base_url), None, true),
        }
    }

    /// The public providers, where a program that reads this variable goes if it is not set; none for a variable that only it knows.
    pub fn without_variable(name: &str) -> Option<Self> {
        OF_CLIENTS.contains(&name).then(|| Self::of(None, None, false).ok()).flatten()
    }

    pub(super) fn of_wire(&self, wire: Wire) -> &Upstream {
        match wire {
            Wire::AnthropicMessages => &self.anthropic,
            Wire::OpenAiChat | Wire::OpenAiResponses => &self.openai,
        }
    }

    /// The one that is what listens at this address, if one is.
    pub(super) fn at(&self, address: SocketAddr) -> Option<&Upstream> {
        [&self.openai, &self.anthropic].into_iter().find(|upstream| upstream.is_at(address))
    }

    pub(super) fn secrets(&self) -> impl Iterator<Item = Secret> {
        self.openai.secrets().iter().chain(self.anthropic.secrets()).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_where_the_client_would_have_gone() {
        for (base, rest, query, expected) in [
            (
                "https://api.openai.com/v1",
                "chat/completions",
                None,
                "https://api.openai.com/v1/chat/completions",
            ),
            ("https://gw.example/openai/", "responses", None, "https://gw.example/openai/responses"),
            ("http://127.0.0.1:9", "models", Some("a=b"), "http://127.0.0.1:9/v1/models?a=b"),
            ("http://localhost:9/v1?key=1#x", "models/a/b", None, "http://localhost:9/v1/models/a/b"),
        ] {
            assert_eq!(Upstream::parse(base, false).unwrap().address(rest, query).as_str(), expected);
        }
        let anthropic =
            |base| Upstream::parse_anthropic(base, false).unwrap().address("messages", None).to_string();
        for base in ["https://a.example", "https://a.example/", "https://a.example/v1"] {
            assert_eq!(anthropic(base), "https://a.example/v1/messages");
        }
        assert_eq!(anthropic("https://gw.example/anthropic"), "https://gw.example/anthropic/v1/messages");
    }

    #[test]
    fn a_listener_is_known_by_every_name_that_leads_to_it() {
        for (base, address, is_there) in [
            ("http://127.0.0.1:8080/v1", "127.0.0.1:8080", true),
            ("http://localhost:8080", "127.0.0.1:8080", true),
            ("http://LOCALHOST:8080", "0.0.0.0:8080", true),
            ("http://[::1]:8080", "[::1]:8080", true),
            ("http://127.0.0.1:8080", "0.0.0.0:8080", true),
            ("http://0.0.0.0:8080", "127.0.0.1:8080", true),
            ("http://127.0.0.1", "127.0.0.1:80", true),
            ("http://192.0.2.1:8080", "192.0.2.1:8080", true),
            ("http://127.0.0.1:8081", "127.0.0.1:8080", false),
            ("http://127.0.0.2:8080", "127.0.0.1:8080", false),
            ("http://localhost:8080", "192.0.2.1:8080", false),
            ("http://models.example:8080", "127.0.0.1:8080", false),
        ] {
            let upstream = Upstream::parse(base, true).unwrap();
            assert_eq!(upstream.is_at(address.parse().unwrap()), is_there, "{base} {address}");
        }
    }

    #[test]
    fn a_key_is_not_sent_in_the_open() {
        let refused = |base| Upstream::parse(base, false).unwrap_err().to_string();
        insta::assert_snapshot!(refused("http://u:canary@models.example/v1?k=canary"), @"http://models.example/v1 is not encrypted and not on this machine: everybody on the way would see the key");
        insta::assert_snapshot!(refused("ftp://models.example"), @r#"the base URL of the provider is not one (its scheme is "ftp"); expected something like https://api.openai.com/v1"#);
        insta::assert_snapshot!(refused("models"), @"the base URL of the provider is not one (relative URL without a base); expected something like https://api.openai.com/v1");
        assert!(Upstream::parse("http://models.example/v1", true).is_ok());
    }

    #[test]
    fn user_and_password_are_secrets_and_do_not_show() {
        let upstream = Upstream::parse("https://ada:canary@gw.example/v1", false).unwrap();
        for secret in ["ada", "canary", "YWRhOmNhbmFyeQ=="] {
            assert!(upstream.secrets().contains(&Secret::new(secret)), "{secret}");
        }
        assert_eq!(
            format!("{upstream} {upstream:?}"),
            "https://gw.example/v1 Upstream(https://gw.example/v1)"
        );
    }
}
