//! Errors in the provider's words.

use serde::Serialize;

use crate::wire::{WireError, request_id};

/// A body that says what went wrong; in a stream, the data of an `error` event.
#[derive(Serialize)]
pub(super) struct ErrorBody<'a> {
    r#type: &'static str,
    error: ErrorObject<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    r#type: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Details<'a>>,
}

/// What a client goes by, where the status does not say it all.
#[derive(Serialize)]
struct Details<'a> {
    error_code: &'a str,
}

impl<'a> From<&WireError<'a>> for ErrorBody<'a> {
    fn from(error: &WireError<'a>) -> Self {
        Self {
            r#type: "error",
            error: ErrorObject {
                r#type: type_of(error.status),
                message: error.message,
                details: error.code.map(|error_code| Details { error_code }),
            },
            request_id: error.request.map(request_id),
        }
    }
}

/// The type of the error that comes with a status.
fn type_of(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        402 => "billing_error",
        403 => "permission_error",
        404 => "not_found_error",
        409 => "conflict_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        504 => "timeout_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;

    #[test]
    fn every_status_has_the_type_that_the_provider_gives_it() {
        for (status, expected) in [
            (400, "invalid_request_error"),
            (401, "authentication_error"),
            (402, "billing_error"),
            (403, "permission_error"),
            (404, "not_found_error"),
            (409, "conflict_error"),
            (413, "request_too_large"),
            (422, "invalid_request_error"),
            (429, "rate_limit_error"),
            (500, "api_error"),
            (503, "api_error"),
            (504, "timeout_error"),
            (529, "overloaded_error"),
        ] {
            let body = to_value(ErrorBody::from(&WireError::new(status, "no"))).unwrap();
            assert_eq!(body, json!({"type": "error", "error": {"type": expected, "message": "no"}}));
        }
    }

    #[test]
    fn a_code_and_the_request_are_told_where_there_are_any() {
        let error = WireError { code: Some("thread_not_found"), ..WireError::new(404, "no").to_request(7) };
        let details = json!({"error_code": "thread_not_found"});
        assert_eq!(
            to_value(ErrorBody::from(&error)).unwrap(),
            json!({
                "type": "error",
                "error": {"type": "not_found_error", "message": "no", "details": details},
                "request_id": "req_wt_7",
            })
        );
    }
}
