//! A URL that answers with one JSON value.

use reqwest::{RequestBuilder, Url};
use serde_json::Value;
use windtunnel_api::Secret;
use windtunnel_api::pack::HttpProbe;
use windtunnel_http::{body, cause, direct, shown};
use windtunnel_spi::CaseWorld;

use super::json::{self, MAX_BYTES, excerpt};
use super::wait_limit;
use crate::headers::Headers;

pub(super) struct HttpSource {
    url: Url,
    reset_url: Option<Url>,
    headers: Headers,
}

impl HttpSource {
    pub(super) fn new(spec: &HttpProbe) -> Result<Self, String> {
        let parse =
            |field: &str, url: &str| Url::parse(url).map_err(|error| format!("{field} {url:?}: {error}"));
        let headers = Headers::of(&spec.headers)?;
        let reset_url = spec.reset_url.as_deref().map(|url| parse("reset_url", url)).transpose()?;
        Ok(Self { url: parse("url", &spec.url)?, reset_url, headers })
    }

    pub(super) fn secrets(&self) -> &[Secret] {
        &self.headers.secrets
    }

    pub(super) async fn reset(&self, world: &CaseWorld) -> Result<(), String> {
        let Some(url) = &self.reset_url else { return Ok(()) };
        let request = direct().map_err(|error| error.to_string())?.post(url.clone());
        self.exchange(request, &format!("POST {}", shown(url)), world).await.map(|_| ())
    }

    pub(super) async fn capture(&self, world: &CaseWorld) -> Result<Value, String> {
        let request = direct().map_err(|error| error.to_string())?.get(self.url.clone());
        let name = format!("GET {}", shown(&self.url));
        let body = self.exchange(request, &name, world).await?;
        json::parse(&body, &format!("the answer to {name}"), &world.redactor)
    }

    async fn exchange(
        &self,
        request: RequestBuilder,
        name: &str,
        world: &CaseWorld,
    ) -> Result<Vec<u8>, String> {
        let limit = wait_limit(world);
        let sent = request.headers(self.headers.map.clone()).timeout(limit).send();
        let failed = |error: reqwest::Error| {
            if error.is_timeout() {
                format!("{name} had no answer within {} s", limit.as_secs_f64())
            } else {
                format!("{name} failed: {}", cause(&error))
            }
        };
        let response = sent.await.map_err(failed)?;
        let status = response.status();
        let body = body(response, MAX_BYTES).await.map_err(failed)?;
        if !status.is_success() {
            return Err(format!("{name} was answered with {status}: {}", excerpt(&body, &world.redactor)));
        }
        if body.len() > MAX_BYTES {
            return Err(format!("the answer to {name} has more than {MAX_BYTES} bytes"));
        }
        Ok(body)
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::http::{HeaderMap as Headers, StatusCode};
    use axum::routing::{get, post};
    use indexmap::IndexMap;
    use serde_json::json;

    use super::*;

    async fn server() -> String {
        let state = |headers: Headers| async move {
            let key = headers.get("x-key").and_then(|key| key.to_str().ok()).unwrap_or("none").to_owned();
            axum::Json(json!({ "key": key }))
        };
        let app = Router::new()
            .route("/state", get(state))
            .route("/text", get(async || "not json"))
            .route("/large", get(async || vec![b' '; MAX_BYTES + 1]))
            .route("/moved", get(async || axum::response::Redirect::temporary("/state")))
            .route("/reset", post(async || (StatusCode::SERVICE_UNAVAILABLE, "later")));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        format!("http://{address}")
    }

    fn source(url: String) -> HttpSource {
        let headers = IndexMap::from([("x-key".to_owned(), "k-${CARGO_PKG_NAME}".to_owned())]);
        let reset_url = url.rsplit_once('/').map(|(base, _)| format!("{base}/reset"));
        HttpSource::new(&HttpProbe { url, reset_url, headers }).unwrap()
    }

    #[tokio::test]
    async fn the_answer_is_the_observation_and_headers_take_secrets() {
        let source = source(server().await + "/state");
        assert_eq!(
            source.capture(&CaseWorld::new("probe", "/tmp")).await.unwrap(),
            json!({"key": "k-windtunnel-runtimes"})
        );
        assert_eq!(source.secrets(), [Secret::new("windtunnel-runtimes")]);
    }

    #[tokio::test]
    async fn what_is_no_observation_is_told() {
        let base = server().await;
        let table = [
            ("/text", "is not one JSON value: expected ident at line 1 column 2: `not json`"),
            ("/large", "has more than 4194304 bytes"),
            ("/moved", "was answered with 307 Temporary Redirect: ``"),
            ("/none", "was answered with 404 Not Found: ``"),
        ];
        let world = CaseWorld::new("probe", "/tmp");
        for (path, expected) in table {
            let error = source(format!("{base}{path}?key=abc")).capture(&world).await.unwrap_err();
            assert!(error.contains(&format!("GET {base}{path} ")) && error.ends_with(expected), "{error}");
        }
        let error = source(format!("{base}/state")).reset(&world).await.unwrap_err();
        assert_eq!(error, format!("POST {base}/reset was answered with 503 Service Unavailable: `later`"));
        let error = source("http://user:pass@127.0.0.1:1/state?key=abc".to_owned())
            .capture(&world)
            .await
            .unwrap_err();
        assert!(error.starts_with("GET http://127.0.0.1:1/state failed: Connection refused"), "{error}");
    }

    #[tokio::test]
    async fn a_server_that_does_not_answer_is_named_with_the_limit() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/state", listener.local_addr().unwrap());
        let mut world = CaseWorld::new("probe", "/tmp");
        world.limits.start = std::time::Duration::from_millis(200);
        let error = source(url.clone()).capture(&world).await.unwrap_err();
        assert_eq!(error, format!("GET {url} had no answer within 0.18 s"));
    }

    #[test]
    fn a_missing_variable_is_told_with_its_header() {
        let headers = IndexMap::from([("authorization".to_owned(), "Bearer ${NO_SUCH_TOKEN}".to_owned())]);
        let spec = HttpProbe { url: "http://127.0.0.1:1".to_owned(), reset_url: None, headers };
        let error = HttpSource::new(&spec).map(|_| ()).unwrap_err();
        assert!(
            error.starts_with("variable NO_SUCH_TOKEN is not set, and headers.authorization needs it"),
            "{error}"
        );
    }
}
