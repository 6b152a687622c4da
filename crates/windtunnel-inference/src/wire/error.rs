//! Errors that wires write.

/// An error to be written in a provider's words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WireError<'a> {
    pub(crate) status: u16,
    /// The provider's code, where the status does not say it all.
    pub(crate) code: Option<&'a str>,
    pub(crate) message: &'a str,
    /// The number of the request that it answers, where it has one.
    pub(crate) request: Option<u64>,
}

impl<'a> WireError<'a> {
    pub(crate) fn new(status: u16, message: &'a str) -> Self {
        Self { status, code: None, message, request: None }
    }

    /// The same as the answer to this request.
    pub(crate) fn to_request(self, number: u64) -> Self {
        Self { request: Some(number), ..self }
    }
}
