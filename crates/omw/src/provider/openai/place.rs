//! Where a request goes, as messages may show it.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use windtunnel_api::secret::Redactor;
use windtunnel_http::{cause, shown};

use super::failure::Failure;

/// Characters of an error's text in a message.
const MAX_SHOWN: usize = 600;

/// An address, and how failures there are told without a secret.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) url: Url,
    redactor: Arc<Redactor>,
}

impl Place {
    pub(super) fn new(url: Url, redactor: Arc<Redactor>) -> Self {
        Self { url, redactor }
    }

    /// The address without the parts that may hold a secret.
    pub(super) fn shown(&self) -> String {
        self.redactor.text(&shown(&self.url))
    }

    /// The beginning of somebody else's text.
    pub(super) fn excerpt(&self, text: &str) -> String {
        self.redactor.excerpt(text, MAX_SHOWN)
    }

    pub(super) fn malformed(&self, reason: &str) -> Failure {
        Failure::Malformed { url: self.shown(), reason: self.excerpt(reason) }
    }

    pub(super) fn too_large(&self, what: &'static str, limit: usize) -> Failure {
        Failure::TooLarge { url: self.shown(), what, limit }
    }

    pub(super) fn silent(&self, limit: Duration) -> Failure {
        Failure::Silent { url: self.shown(), limit }
    }

    pub(super) fn unreachable(&self, error: &reqwest::Error) -> Failure {
        Failure::Unreachable { url: self.shown(), reason: self.excerpt(&cause(error)) }
    }
}
