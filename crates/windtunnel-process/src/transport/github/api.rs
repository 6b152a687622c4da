//! Sending requests.

use http::{HeaderMap, Method, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use octocrab::Octocrab;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time;
use windtunnel_api::secret::Redactor;
use windtunnel_spi::with_causes;

use super::answer::{again_after, has_next, one_line, refusal};

/// More than a page of the longest comments.
const LONGEST_ANSWER: usize = 16 * 1024 * 1024;

/// A server says more than anybody reads in a message.
const LONGEST_MESSAGE: usize = 300;

/// The most that GitHub puts on a page.
const PER_PAGE: usize = 100;

/// So many pages are read: an issue with more comments than these is none that a process walks through.
const MAX_PAGES: usize = 50;

pub(super) struct Api {
    pub(super) client: Octocrab,
    /// The address of the API, without a slash at its end.
    pub(super) base: String,
    /// Of the token: a server may repeat what it was sent.
    pub(super) redactor: Redactor,
}

/// A request below the address of the API.
struct Request<'a> {
    method: Method,
    path: String,
    body: Option<&'a Value>,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Api {
    /// Sends a value, and reads the answer.
    pub(super) async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: String,
        body: &Value,
    ) -> Result<T, String> {
        let request = Request { method, path, body: Some(body) };
        let answer = self.answer(&request).await?;
        self.read(&request, &answer)
    }

    /// All elements of a list, page by page. Pages are asked for by number: where an answer says the next one is, is not trusted.
    pub(super) async fn list<T: DeserializeOwned>(&self, path: &str) -> Result<Vec<T>, String> {
        let mut list = Vec::new();
        for page in 1..=MAX_PAGES {
            let path = format!("{path}?per_page={PER_PAGE}&page={page}");
            let request = Request { method: Method::GET, path, body: None };
            let answer = self.answer(&request).await?;
            let mut elements: Vec<T> = self.read(&request, &answer)?;
            list.append(&mut elements);
            if !has_next(&answer.headers) {
                return Ok(list);
            }
        }
        Err(format!("GET {path}: there are more than {} of them", MAX_PAGES * PER_PAGE))
    }

    fn read<T: DeserializeOwned>(&self, request: &Request<'_>, answer: &Answer) -> Result<T, String> {
        let unreadable =
            |error| request.reason(&format!("the answer cannot be read: {}", self.quote(&error)));
        serde_json::from_slice(&answer.body).map_err(unreadable)
    }

    /// Sends a request until it is answered, or refused for good.
    async fn answer(&self, request: &Request<'_>) -> Result<Answer, String> {
        let mut attempt = 0;
        loop {
            let answer = self.once(request).await.map_err(|reason| request.reason(&self.quote(&reason)))?;
            if answer.status.is_success() {
                return Ok(answer);
            }
            let Some(wait) = again_after(answer.status, &request.method, &answer.headers, attempt) else {
                let quote = |text: &str| self.quote(&text);
                return Err(request.reason(&refusal(answer.status, &answer.headers, &answer.body, quote)));
            };
            time::sleep(wait).await;
            attempt += 1;
        }
    }

    async fn once(&self, request: &Request<'_>) -> Result<Answer, String> {
        let uri = format!("{}{}", self.base, request.path);
        let response = match request.method {
            Method::POST => self.client._post(uri, request.body).await,
            Method::PUT => self.client._put(uri, request.body).await,
            _ => self.client._get(uri).await,
        };
        let (parts, body) = response.map_err(|error| with_causes(&error))?.into_parts();
        let body =
            Limited::new(body, LONGEST_ANSWER).collect().await.map_err(|error| with_causes(&*error))?;
        Ok(Answer { status: parts.status, headers: parts.headers, body: body.to_bytes().to_vec() })
    }

    /// What somebody else wrote, without the token, in one line that is not too long.
    fn quote(&self, text: &impl ToString) -> String {
        one_line(&self.redactor.excerpt(&text.to_string(), LONGEST_MESSAGE))
    }
}

impl Request<'_> {
    /// Why it failed.
    fn reason(&self, reason: &str) -> String {
        format!("{} {}: {reason}", self.method, self.path)
    }
}
