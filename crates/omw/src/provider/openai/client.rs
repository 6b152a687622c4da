//! Asking.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt as _, TryStreamExt as _};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response, Url};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout, timeout_at};
use windtunnel_api::Secret;
use windtunnel_api::secret::Redactor;
use windtunnel_http::{direct, error_message, is_this_machine, outward};

use super::answer::deltas;
use super::body::Body;
use super::failure::Failure;
use super::params::OpenAiProviderParams;
use super::place::Place;
use crate::backend::BackendError;
use crate::config::Params;
use crate::exchange::ChatRequest;
use crate::openai::Unusable;
use crate::provider::{DeltaStream, Provider};
use crate::registry::FactoryError;

/// How long a server may send nothing: as long as it takes to load a large model.
const PATIENCE: Duration = Duration::from_secs(300);
/// How long the list of models may take.
const LIST_LIMIT: Duration = Duration::from_secs(5);
/// How long a body that is no stream may take.
const BODY_LIMIT: Duration = Duration::from_secs(10);
/// The longest list of models, in bytes.
const MAX_LIST: usize = 8 * 1024 * 1024;
/// The bytes of an error's body that are read.
const MAX_ERROR: usize = 64 * 1024;

/// Models behind OpenAI Chat Completions.
#[derive(Debug)]
pub struct OpenAiProvider {
    chat: Place,
    models: Place,
    /// With the key.
    headers: HeaderMap,
    params: Map<String, Value>,
    model: Option<String>,
    patience: Duration,
}

impl OpenAiProvider {
    /// Checks the parameters. Nothing is sent yet.
    ///
    /// # Errors
    /// A base URL that is none, or a key that no header can hold.
    pub fn new(params: OpenAiProviderParams) -> Result<Self, BackendError> {
        Ok(Self::checked(params)?)
    }

    /// A provider of a config. Unknown keys are warned of.
    pub(crate) fn configured(params: &Params) -> Result<Self, FactoryError> {
        Self::checked(params.decode_known()?).map_err(|unusable| unusable.of(params))
    }

    fn checked(params: OpenAiProviderParams) -> Result<Self, Unusable> {
        let OpenAiProviderParams { base_url, api_key, model, params } = params;
        let base = base(&base_url)?;
        let key = api_key.map(|key| Secret::new(key.expose().trim())).filter(|key| !key.expose().is_empty());
        let authorization = key.as_ref().map(bearer).transpose()?;
        let of_address = base.password().into_iter().map(Cow::Borrowed);
        let of_address = of_address.chain(base.query_pairs().map(|(_, value)| value)).map(Secret::new);
        let redactor = Arc::new(Redactor::new(key.into_iter().chain(of_address)));
        let place = |path: &str| Place::new(below(&base, path), Arc::clone(&redactor));
        Ok(Self {
            chat: place("chat/completions"),
            models: place("models"),
            headers: authorization.into_iter().map(|value| (AUTHORIZATION, value)).collect(),
            params,
            model,
            patience: PATIENCE,
        })
    }

    /// The same, but waiting only so long for a server that sends nothing; by default 300 s.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    async fn ask(&self, body: &Body) -> Result<Response, Failure> {
        let place = &self.chat;
        let request = client(&place.url)?.post(place.url.clone());
        let request = request.headers(self.headers.clone()).header(ACCEPT, "text/event-stream").json(body);
        let response = timeout(self.patience, request.send()).await;
        let response = response.map_err(|_| place.silent(self.patience))?;
        let response = good(response.map_err(|error| place.unreachable(&error))?, place).await?;
        if let Some(kind) = document(response.headers()) {
            let body = start(response, MAX_ERROR).await;
            let reason = format!("expected a stream of events, found {kind}: {}", error_message(&body));
            return Err(place.malformed(&reason));
        }
        Ok(response)
    }

    async fn listed(&self) -> Result<Vec<String>, Failure> {
        #[derive(Deserialize)]
        struct List {
            data: Vec<Listed>,
        }
        #[derive(Deserialize)]
        struct Listed {
            id: String,
        }
        let place = &self.models;
        let request = client(&place.url)?.get(place.url.clone());
        let response =
            request.headers(self.headers.clone()).send().await.map_err(|error| place.unreachable(&error))?;
        let body = start(good(response, place).await?, MAX_LIST).await;
        if body.len() > MAX_LIST {
            return Err(place.too_large("a list", MAX_LIST));
        }
        let list: List =
            serde_json::from_slice(&body).map_err(|error| place.malformed(&error.to_string()))?;
        Ok(list.data.into_iter().map(|model| model.id).collect())
    }
}

#[async_trait]
impl Provider for OpenAiProvider {
    fn kind(&self) -> &'static str {
        "openai"
    }

    async fn list_models(&self) -> Result<Vec<String>, BackendError> {
        let listed = timeout(LIST_LIMIT, self.listed()).await;
        let listed = listed.unwrap_or_else(|_| Err(self.models.silent(LIST_LIMIT)));
        match (listed, &self.model) {
            (Ok(models), Some(model)) if models.is_empty() => Ok(vec![model.clone()]),
            (Ok(models), _) => Ok(models),
            (Err(failure), Some(model)) => {
                tracing::debug!(%failure, "the list of models is the configured one");
                Ok(vec![model.clone()])
            }
            (Err(failure), None) => Err(failure.into()),
        }
    }

    async fn chat_stream(&self, request: ChatRequest) -> Result<DeltaStream, BackendError> {
        let body = Body::new(request, &self.params)?;
        let response = self.ask(&body).await?;
        Ok(deltas(response, self.chat.clone(), self.patience).map_err(BackendError::from).boxed())
    }
}

/// A model on this machine is asked directly, every other one through the proxy of the environment.
fn client(url: &Url) -> Result<&'static Client, Failure> {
    let client = if is_this_machine(url) { direct() } else { outward() };
    client.map_err(|error| Failure::Unasked(error.to_string()))
}

fn base(text: &str) -> Result<Url, Unusable> {
    let bad = |why: &str| {
        let reason = format!("{why}; expected the address of a provider, such as http://127.0.0.1:8000/v1");
        Unusable { key: "base_url", reason }
    };
    let url = Url::parse(text.trim()).map_err(|error| bad(&error.to_string()))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(bad(&format!("its scheme is {other}"))),
    }
}

fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}/{path}", base.path().trim_end_matches('/')));
    url
}

fn bearer(key: &Secret) -> Result<HeaderValue, Unusable> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose())).map_err(|_| Unusable {
        key: "api_key",
        reason: "no HTTP header can hold it; expected a text on one line, without control characters"
            .to_owned(),
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// The type of an answer that says of itself that it is no stream. Not all that are one say so.
fn document(headers: &HeaderMap) -> Option<&'static str> {
    let kind = headers.get(CONTENT_TYPE)?.to_str().ok()?.trim_start();
    ["application/json", "text/html"].into_iter().find(|document| kind.starts_with(document))
}

/// The response, unless it is an error.
async fn good(response: Response, place: &Place) -> Result<Response, Failure> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let body = start(response, MAX_ERROR).await;
    Err(Failure::Status { status: status.as_u16(), message: place.excerpt(&error_message(&body)) })
}

/// A body's start: all of it, or a little more than so many bytes. Of one that breaks off or hangs it is what came.
async fn start(response: Response, limit: usize) -> Vec<u8> {
    let deadline = Instant::now() + BODY_LIMIT;
    let mut stream = response.bytes_stream();
    let mut body = Vec::new();
    while let Ok(Some(Ok(chunk))) = timeout_at(deadline, stream.next()).await {
        body.extend_from_slice(&chunk);
        if body.len() > limit {
            break;
        }
    }
    body
}
