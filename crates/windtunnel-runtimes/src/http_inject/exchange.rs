//! One request and what comes back, or why nothing does.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use reqwest::{Response, StatusCode, Url};
use serde::Serialize;
use thiserror::Error;
use tokio::time::timeout;
use windtunnel_http::{body, cause, shown};

use super::protocol::Route;
use super::settings::Settings;

/// The most bytes of one answer.
pub(super) const MAX_BYTES: usize = 8 * 1024 * 1024;

/// What came back, whatever it says.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    /// Without its parameters.
    pub(super) content_type: Option<String>,
    /// Where a redirect leads, as it may be shown.
    pub(super) location: Option<String>,
    pub(super) body: Vec<u8>,
}

/// Why nothing came back.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum Lost {
    #[error("the request could not be sent: {0}")]
    Unreachable(String),
    #[error("there was no answer within {} s", .0.as_secs_f64())]
    Late(Duration),
    #[error("the answer has more than {MAX_BYTES} bytes")]
    TooLarge,
    #[error("the answer broke off: {0}")]
    BrokeOff(String),
}

/// Posts a body as JSON. Nothing is tried again.
pub(super) async fn post(
    settings: &Settings,
    route: Route,
    body: &impl Serialize,
    limit: Duration,
) -> Result<Answer, Lost> {
    let body = serde_json::to_vec(body).map_err(|error| Lost::Unreachable(error.to_string()))?;
    post_bytes(settings, route, body, limit).await
}

/// Posts bytes that are said to be JSON.
pub(super) async fn post_bytes(
    settings: &Settings,
    route: Route,
    body: Vec<u8>,
    limit: Duration,
) -> Result<Answer, Lost> {
    let request = settings
        .client()
        .map_err(Lost::Unreachable)?
        .post(settings.address(route))
        .header(CONTENT_TYPE, "application/json")
        .header(ACCEPT, "application/json")
        .headers(settings.headers.map.clone())
        .body(body);
    let exchange = async {
        let response = request.send().await.map_err(|error| Lost::Unreachable(cause(&error)))?;
        read(response).await
    };
    timeout(limit, exchange).await.unwrap_or(Err(Lost::Late(limit)))
}

async fn read(response: Response) -> Result<Answer, Lost> {
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let essence = |text: &str| text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let content_type = header(CONTENT_TYPE).map(essence);
    let location = header(LOCATION).and_then(|to| response.url().join(to).ok()).map(|url: Url| shown(&url));
    let status = response.status();
    let body = body(response, MAX_BYTES).await.map_err(|error| Lost::BrokeOff(cause(&error)))?;
    if body.len() > MAX_BYTES {
        return Err(Lost::TooLarge);
    }
    Ok(Answer { status, content_type, location, body })
}
