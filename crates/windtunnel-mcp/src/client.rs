//! The one HTTP client of this process.

use std::sync::OnceLock;

/// The client: no redirects (a header with a secret would follow them), no proxy of the environment.
pub(crate) fn client() -> Result<&'static reqwest::Client, String> {
    static CLIENT: OnceLock<Result<reqwest::Client, String>> = OnceLock::new();
    CLIENT
        .get_or_init(|| {
            // An error means that somebody installed a provider before, and that one serves as well.
            let _ = rustls::crypto::ring::default_provider().install_default();
            reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .no_proxy()
                .user_agent(concat!("wind-tunnel/", env!("CARGO_PKG_VERSION")))
                .build()
                .map_err(|error| describe(&error))
        })
        .as_ref()
        .map_err(Clone::clone)
}

/// What went wrong, with its causes and without the address, which the caller names.
pub(crate) fn describe(error: &reqwest::Error) -> String {
    let mut text = String::new();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = error.to_string();
        cause = error.source();
    }
    if error.is_timeout() {
        "it took too long".to_owned()
    } else if text.is_empty() {
        // Without a cause the error prints its own text, which may hold the address.
        if error.is_body() { "the answer broke off".to_owned() } else { "the request failed".to_owned() }
    } else {
        text
    }
}
