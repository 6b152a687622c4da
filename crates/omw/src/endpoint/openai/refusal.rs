//! Errors as clients see them.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::endpoint::{RouteError, SessionError};

/// A request that gets no answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) message: String,
    /// The method that the path is there for.
    allow: Option<&'static str>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), allow: None }
    }

    pub(super) fn method(path: &str, allow: &'static str) -> Self {
        let refusal = Self::new(StatusCode::METHOD_NOT_ALLOWED, format!("{path} is there for {allow}"));
        Self { allow: Some(allow), ..refusal }
    }
}

impl From<RouteError> for Refusal {
    fn from(error: RouteError) -> Self {
        let status = match &error {
            RouteError::UnknownModel(_) => StatusCode::NOT_FOUND,
            RouteError::TooManySessions(_) => StatusCode::TOO_MANY_REQUESTS,
            RouteError::ShuttingDown => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, error.to_string())
    }
}

impl From<SessionError> for Refusal {
    fn from(SessionError(message): SessionError) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(error(&self.message))).into_response();
        if let Some(allow) = self.allow {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }
}

/// The document of an error, which is also its event in a stream.
pub(super) fn error(message: &str) -> Value {
    json!({"error": {"message": message, "type": "omw_error", "code": null}})
}
