//! The settings of an endpoint, checked before anything is asked.

use std::time::Duration;

use reqwest::{Client, Url};
use windtunnel_api::Secret;
use windtunnel_api::config::HttpInjectRuntime;
use windtunnel_http::{is_this_machine, shown};
use windtunnel_spi::RuntimeError;

use super::protocol::Route;
use crate::headers::Headers;
use crate::settings::{turn_limit, wrong};

/// Checked settings.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) name: String,
    base: Url,
    pub(super) headers: Headers,
    pub(super) turn_limit: Option<Duration>,
    pub(super) max_concurrency: usize,
}

impl Settings {
    pub(super) fn new(name: &str, spec: &HttpInjectRuntime) -> Result<Self, RuntimeError> {
        Self::checked(name, spec).map_err(|message| wrong(name, &message))
    }

    fn checked(name: &str, spec: &HttpInjectRuntime) -> Result<Self, String> {
        let base = Url::parse(&spec.url).map_err(|error| format!("url {:?}: {error}", spec.url))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(format!("url: expected http:// or https://, found {:?}", base.scheme()));
        }
        let turn_limit = turn_limit(spec.turn_timeout_s)?;
        let max_concurrency = match spec.max_concurrency {
            0 => return Err("max_concurrency: expected at least 1, found 0".to_owned()),
            cases => cases,
        };
        let headers = Headers::of(&spec.headers)?;
        Ok(Self { name: name.to_owned(), base, headers, turn_limit, max_concurrency })
    }

    /// Where a route is; a query of the settings' address stays.
    pub(super) fn address(&self, route: Route) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(route.path().split('/').filter(|segment| !segment.is_empty()));
        }
        url
    }

    /// The endpoint's address as it may be shown.
    pub(super) fn shown(&self) -> String {
        shown(&self.base).trim_end_matches('/').to_owned()
    }

    /// What stands on this machine is asked without a proxy.
    pub(super) fn client(&self) -> Result<&'static Client, String> {
        let client =
            if is_this_machine(&self.base) { windtunnel_http::direct() } else { windtunnel_http::outward() };
        client.map_err(|error| error.to_string())
    }

    pub(super) fn secrets(&self) -> &[Secret] {
        &self.headers.secrets
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_spi::RuntimeErrorKind;

    use super::*;

    #[test]
    fn routes_are_below_the_address_and_its_query_stays() {
        for (url, expected) in [
            ("http://127.0.0.1:8000", "http://127.0.0.1:8000/wt/inject"),
            ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/wt/inject"),
            ("https://desk.test/agents/7/?team=a", "https://desk.test/agents/7/wt/inject?team=a"),
        ] {
            let settings = Settings::new("desk", &HttpInjectRuntime::at(url)).unwrap();
            assert_eq!(settings.address(Route::Inject).as_str(), expected);
        }
    }

    #[test]
    fn wrong_settings_are_named() {
        let at = HttpInjectRuntime::at;
        let table = [
            (at("desk:8000"), "runtimes.desk: url: expected http:// or https://, found \"desk\""),
            (at("8000"), "runtimes.desk: url \"8000\": relative URL without a base"),
            (
                HttpInjectRuntime { turn_timeout_s: Some(0.0), ..at("http://x") },
                "runtimes.desk: turn_timeout_s: expected seconds above 0, found 0",
            ),
            (
                HttpInjectRuntime { max_concurrency: 0, ..at("http://x") },
                "runtimes.desk: max_concurrency: expected at least 1, found 0",
            ),
        ];
        for (spec, expected) in table {
            let error = Settings::new("desk", &spec).unwrap_err();
            assert_eq!((error.kind(), error.to_string().as_str()), (RuntimeErrorKind::Config, expected));
        }
    }
}
