//! What a request, or the attempt to connect, came to when it failed.

use std::time::Duration;

use rmcp::model::ErrorCode;
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::http::HttpError;

/// A request that gave no result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The server has not seen it: it may be asked again, in another session.
    Unsent(String),
    /// The connection broke while the server had it.
    Broken(String),
    /// The server answered, with an error of the protocol.
    Refused { code: ErrorCode, message: String },
    /// The server answered, but with no result of this request.
    Odd(String),
    /// It took too long.
    TimedOut(Duration),
}

impl From<ServiceError> for Failure {
    /// | error                                              | failure |
    /// |----------------------------------------------------|---------|
    /// | an error of the protocol                           | refused |
    /// | the session is not known any more                  | unsent  |
    /// | no connection could be made                        | unsent  |
    /// | the pipe to the program is closed                  | unsent  |
    /// | an HTTP status, an answer that is no message       | odd     |
    /// | an answer to something else                        | odd     |
    /// | anything else                                      | broken  |
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) => {
                Self::Refused { code: error.code, message: error.message.into_owned() }
            }
            ServiceError::TransportSend(error) => of_transport(&error),
            ServiceError::TransportClosed => Self::Broken("the connection broke".to_owned()),
            ServiceError::UnexpectedResponse => {
                Self::Odd("it answered with something that is no result".to_owned())
            }
            other => Self::Broken(other.to_string()),
        }
    }
}

fn of_transport(error: &DynamicTransportError) -> Failure {
    let error = error.error.as_ref();
    let Some(http) = error.downcast_ref::<StreamableHttpError<HttpError>>() else {
        return Failure::Unsent(error.to_string());
    };
    match http {
        StreamableHttpError::SessionExpired => {
            Failure::Unsent("it does not know the session any more".to_owned())
        }
        StreamableHttpError::Client(HttpError::Unreachable(_)) => Failure::Unsent(http_text(http)),
        StreamableHttpError::AuthRequired(_)
        | StreamableHttpError::InsufficientScope(_)
        | StreamableHttpError::HttpStatus(_)
        | StreamableHttpError::UnexpectedServerResponse(_)
        | StreamableHttpError::UnexpectedContentType(_)
        | StreamableHttpError::ResponseBodyTooLarge { .. }
        | StreamableHttpError::Deserialize(_) => Failure::Odd(http_text(http)),
        _ => Failure::Broken(http_text(http)),
    }
}

/// What an HTTP server did, or did not do.
fn http_text(error: &StreamableHttpError<HttpError>) -> String {
    match error {
        StreamableHttpError::Client(error) => error.to_string(),
        StreamableHttpError::AuthRequired(_) => {
            "it answered HTTP 401: it wants a valid `auth_token`".to_owned()
        }
        StreamableHttpError::InsufficientScope(_) => {
            "it answered HTTP 403: the `auth_token` does not allow this".to_owned()
        }
        StreamableHttpError::HttpStatus(error) => format!("it answered HTTP {}", error.status),
        StreamableHttpError::UnexpectedServerResponse(text) => format!("it answered {text}"),
        other => other.to_string(),
    }
}

/// An attempt to connect that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ConnectError {
    /// Why.
    pub(super) text: String,
    /// Whether another attempt may come to something else.
    pub(super) may_pass: bool,
}

impl ConnectError {
    /// One that will come to the same again.
    pub(super) fn lasting(text: impl Into<String>) -> Self {
        Self { text: text.into(), may_pass: false }
    }

    /// One that may pass.
    pub(super) fn passing(text: impl Into<String>) -> Self {
        Self { text: text.into(), may_pass: true }
    }
}

impl From<ClientInitializeError> for ConnectError {
    fn from(error: ClientInitializeError) -> Self {
        match error {
            ClientInitializeError::ConnectionClosed(_) => Self::passing("it closed the connection"),
            ClientInitializeError::TransportError { error, .. } => {
                match error.error.downcast_ref::<StreamableHttpError<HttpError>>() {
                    None => Self::passing(error.error.to_string()),
                    Some(http @ StreamableHttpError::HttpStatus(status)) => {
                        Self { text: http_text(http), may_pass: status.status >= 500 || status.status == 429 }
                    }
                    Some(http @ StreamableHttpError::Client(_)) => Self::passing(http_text(http)),
                    Some(http) => Self::lasting(http_text(http)),
                }
            }
            ClientInitializeError::JsonRpcError(error) => {
                Self::lasting(format!("it refused to initialize: {} (code {})", error.message, error.code.0))
            }
            other => Self::lasting(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::error::Error;
    use std::io;

    use rmcp::ErrorData;
    use rmcp::transport::streamable_http_client::HttpStatusError;

    use super::*;

    fn sending(error: impl Error + Send + Sync + 'static) -> ServiceError {
        ServiceError::TransportSend(DynamicTransportError::from_parts(
            "test",
            TypeId::of::<()>(),
            Box::new(error),
        ))
    }

    fn http(error: StreamableHttpError<HttpError>) -> Failure {
        Failure::from(sending(error))
    }

    #[test]
    fn what_the_server_has_not_seen_is_unsent() {
        let unreachable = HttpError::Unreachable("refused".to_owned());
        assert_eq!(
            http(StreamableHttpError::Client(unreachable)),
            Failure::Unsent("cannot connect: refused".to_owned())
        );
        assert!(matches!(http(StreamableHttpError::SessionExpired), Failure::Unsent(_)));
        assert!(matches!(
            Failure::from(sending(io::Error::from(io::ErrorKind::BrokenPipe))),
            Failure::Unsent(_)
        ));
    }

    #[test]
    fn what_broke_halfway_is_not_sent_again() {
        let failed = HttpError::Failed("reset".to_owned());
        assert_eq!(http(StreamableHttpError::Client(failed)), Failure::Broken("reset".to_owned()));
        assert!(matches!(http(StreamableHttpError::UnexpectedEndOfStream), Failure::Broken(_)));
        assert!(matches!(Failure::from(ServiceError::TransportClosed), Failure::Broken(_)));
    }

    #[test]
    fn an_answer_is_no_broken_connection() {
        let refused = ServiceError::McpError(ErrorData::invalid_params("no tool x", None));
        let expected = Failure::Refused { code: ErrorCode::INVALID_PARAMS, message: "no tool x".to_owned() };
        assert_eq!(Failure::from(refused), expected);
        let status = HttpStatusError::new(503, None);
        assert_eq!(http(status.into()), Failure::Odd("it answered HTTP 503".to_owned()));
        assert!(matches!(Failure::from(ServiceError::UnexpectedResponse), Failure::Odd(_)));
    }
}
