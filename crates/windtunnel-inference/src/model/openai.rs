//! A client for endpoints that speak OpenAI Chat Completions.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::HeaderMap;
use reqwest::{Response, Url};
use serde::Serialize;
use serde_json::{Map, Value};
use windtunnel_api::Secret;
use windtunnel_api::secret::Redactor;
use windtunnel_http::{body, error_message, outward, shown};
use windtunnel_spi::with_causes;

use super::{ChatRequest, Model, ModelError};
use crate::chat::ChatReply;
use crate::wire::{Protocol as _, openai_chat};

/// The largest answer that is read, in bytes.
const MAX_ANSWER: usize = 32 * 1024 * 1024;

/// Characters of an error's text in a message.
const MAX_SHOWN: usize = 600;

/// Fields of a request that no sampler setting replaces.
const OWN_FIELDS: [&str; 4] = ["model", "messages", "tools", "stream"];

/// Where a model is, and what it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAiSettings {
    /// The base URL, with `/v1`.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// The key, where one is needed.
    pub key: Option<Secret>,
    /// How long one answer may take.
    pub timeout: Duration,
}

/// A model behind an OpenAI-compatible endpoint. Asks once; [`Retrying`](super::Retrying) asks again.
#[derive(Debug, Clone)]
pub struct OpenAiChat {
    settings: OpenAiSettings,
    endpoint: Url,
    /// The endpoint without the parts that may hold a secret.
    shown: String,
    redactor: Redactor,
}

impl OpenAiChat {
    /// A client of this endpoint. Nothing is sent yet.
    ///
    /// # Errors
    /// The base URL is none.
    pub fn new(settings: OpenAiSettings) -> Result<Self, ModelError> {
        let bad_url = |reason: String| ModelError::Client {
            reason: format!(
                "the base URL is not one ({reason}); expected something like http://127.0.0.1:8000/v1"
            ),
        };
        let mut endpoint =
            Url::parse(settings.base_url.trim()).map_err(|error| bad_url(error.to_string()))?;
        if !matches!(endpoint.scheme(), "http" | "https") {
            return Err(bad_url(format!("its scheme is `{}`", endpoint.scheme())));
        }
        let path = format!("{}/chat/completions", endpoint.path().trim_end_matches('/'));
        endpoint.set_path(&path);
        let shown = shown(&endpoint);
        let redactor = Redactor::new(settings.key.clone());
        Ok(Self { settings, endpoint, shown, redactor })
    }

    fn connection(&self, error: reqwest::Error) -> ModelError {
        if error.is_timeout() {
            return ModelError::Timeout { url: self.shown.clone(), limit: self.settings.timeout };
        }
        let reason = with_causes(&error.without_url());
        ModelError::Connection { url: self.shown.clone(), reason: self.redactor.text(&reason) }
    }

    async fn read(&self, response: Response) -> Result<Vec<u8>, ModelError> {
        let body = body(response, MAX_ANSWER).await.map_err(|error| self.connection(error))?;
        if body.len() > MAX_ANSWER {
            let reason = format!("it is larger than {} MiB", MAX_ANSWER / (1024 * 1024));
            return Err(ModelError::Malformed { reason });
        }
        Ok(body)
    }
}

#[async_trait]
impl Model for OpenAiChat {
    async fn complete(&self, request: ChatRequest<'_>) -> Result<ChatReply, ModelError> {
        let sampler = request.sampler.iter().filter(|(key, _)| !OWN_FIELDS.contains(&key.as_str()));
        let body = Body {
            model: &self.settings.model,
            messages: request.messages,
            tools: request.tools.definitions(),
            sampler: sampler.map(|(key, value)| (key.clone(), value.clone())).collect(),
        };
        let client = outward().map_err(|error| ModelError::Client { reason: error.to_string() })?;
        let mut call = client.post(self.endpoint.clone()).timeout(self.settings.timeout).json(&body);
        if let Some(key) = &self.settings.key {
            call = call.bearer_auth(key.expose());
        }
        let response = call.send().await.map_err(|error| self.connection(error))?;
        let status = response.status();
        let (retry_after, should_retry) = hints(response.headers());
        let body = self.read(response).await?;
        if !status.is_success() {
            let message = self.redactor.excerpt(&error_message(&body), MAX_SHOWN);
            return Err(ModelError::Status { status: status.as_u16(), message, retry_after, should_retry });
        }
        openai_chat::OpenAiChat
            .decode(&body, false)
            .map_err(|error| ModelError::Malformed { reason: self.redactor.text(&error) })
    }
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: &'a [Value],
    #[serde(skip_serializing_if = "<[Value]>::is_empty")]
    tools: &'a [Value],
    #[serde(flatten)]
    sampler: Map<String, Value>,
}

/// How long the endpoint asks to wait, and whether it says that trying again makes sense.
fn hints(headers: &HeaderMap) -> (Option<Duration>, Option<bool>) {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |name: &str| text(name).and_then(|value| value.parse::<f64>().ok());
    let seconds = number("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| number("retry-after"));
    let should_retry = match text("x-should-retry") {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => None,
    };
    (seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()), should_retry)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(base_url: &str) -> OpenAiSettings {
        OpenAiSettings {
            base_url: base_url.to_owned(),
            model: "m".to_owned(),
            key: None,
            timeout: Duration::from_secs(1),
        }
    }

    #[test]
    fn what_is_shown_of_an_address_holds_no_password_and_no_query() {
        let client = OpenAiChat::new(settings("https://user:pass@model.test:8443/v1/?key=abc")).unwrap();
        assert_eq!(client.shown, "https://model.test:8443/v1/chat/completions");
    }

    #[test]
    fn a_base_url_that_is_none_is_refused_with_an_example() {
        for bad in ["", "localhost:8000/v1", "ftp://x/v1"] {
            let error = OpenAiChat::new(settings(bad)).unwrap_err().to_string();
            assert!(error.contains("expected something like http://127.0.0.1:8000/v1"), "{bad}: {error}");
        }
    }

    #[tokio::test]
    async fn an_error_s_message_is_cut_and_no_part_of_the_key_is_left_at_the_cut() {
        let start = "x".repeat(MAX_SHOWN - 3);
        let answer = format!("{start}canary-canary and more");
        let app = axum::Router::new()
            .fallback(move || async move { (axum::http::StatusCode::UNAUTHORIZED, answer.clone()) });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        let key = Some(Secret::new("canary-canary"));
        let client = OpenAiChat::new(OpenAiSettings { key, ..settings(&base_url) }).unwrap();
        let tools = crate::model::Tools::default();
        let request = ChatRequest { messages: &[], tools: &tools, sampler: &Map::new() };
        let Err(ModelError::Status { message, .. }) = client.complete(request).await else {
            panic!("a status")
        };
        assert_eq!(message, format!("{start}***…"));
    }
}
